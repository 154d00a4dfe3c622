import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startHeadgate } from '../support/headgate.ts';
import { ask } from './client.ts';

const server = await startHeadgate({ config: 'server: { header_prefix: acme-ai }' });
after(() => server[Symbol.asyncDispose]());

const body = { model: 'echo', messages: [{ role: 'user', content: 'Hi' }] };

for (const stream of [false, true]) {
  test(`all headers of the gateway’s own begin with the word of the setting${stream ? ', on a stream too' : ''}`, async () => {
    const { headers } = await ask(`${server.url}/v1/chat/completions`, { key: server.key, body: { ...body, stream } });
    for (const name of ['version', 'processing-ms', 'organization', 'provider', 'model', 'attempts']) {
      assert.notEqual(headers.get(`acme-ai-${name}`), null, name);
    }
    assert.deepEqual(
      [...headers.keys()].filter((name) => name.startsWith('service-')),
      [],
    );
  });
}

test('the document says so', async () => {
  const { text } = await ask(`${server.url}/openapi.json`);
  assert.ok(text.includes('"acme-ai-organization"'));
  assert.doesNotMatch(text, /"service-/);
});
