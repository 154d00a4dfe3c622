import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { field } from '../../src/testing/json.ts';
import { startTranslationLab } from '../support/dialects.ts';

/** Callers whose dialect always tells the usage of a stream, at a vendor that tells it only where it is asked. */
const lab = await startTranslationLab();
const { headgate, vendor } = lab;
after(() => lab[Symbol.asyncDispose]());

const CALLS = {
  '/v1/responses': { input: 'Hi' },
  '/v1/messages': { max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }] },
};

for (const [path, call] of Object.entries(CALLS)) {
  test(`${path}: a vendor of chat is asked for the usage of a stream`, async () => {
    vendor.forget();
    const response = await ask(path, call);
    assert.equal(response.headers.get('service-attempts'), '1');
    assert.deepEqual(field(vendor.requests.at(-1)?.json, 'stream_options'), { include_usage: true });
    assert.match(await response.text(), /"input_tokens":9,.*"output_tokens":8[,}]/);
  });
}

test('a vendor of chat that refuses the question is called without it, and the caller is told an estimate', async () => {
  for (const [path, call] of Object.entries(CALLS)) {
    vendor.forget();
    vendor.plan('refuses-stream-options');
    const response = await ask(path, call);
    assert.equal(response.status, 200);
    assert.equal(field(vendor.requests.at(-1)?.json, 'stream_options'), undefined);
    const told = (await response.text()).match(/"input_tokens":[1-9][^}]*.*"output_tokens":10[,}]/);
    assert.notEqual(told, null, path);
  }
});

function ask(path: string, call: object): Promise<Response> {
  const headers = { authorization: `Bearer ${headgate.key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ model: 'openai-chat/m', stream: true, ...call });
  return fetch(`${headgate.url}${path}`, { method: 'POST', headers, body });
}
