import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { errorReply } from '../../src/testing/reply.ts';
import { ask, errorOf } from '../http/client.ts';
import { startHeadgate } from '../support/headgate.ts';

test('a call that waits to be repeated is refused once its key is revoked, and is not sent again', async () => {
  await using vendor = await startFakeProvider();
  await using headgate = await startHeadgate({
    config: `
providers: { lab: { base_url: "${vendor.url}", models: [m] } }
routes: { r: { targets: [lab/m] } }
retries: { max_wait: 5m }
`,
  });
  for (const model of ['lab/m', 'r']) {
    const { id, key } = await headgate.createKey();
    vendor.plan(() => errorReply(429, { message: 'Slow down.', type: 'rate_limit' }, { 'retry-after': '240' }), {
      times: 1,
    });
    const before = vendor.requests.length;
    const body = { model, messages: [{ role: 'user', content: 'Hi' }] };
    const asked = ask(`${headgate.url}/v1/chat/completions`, { key, body });
    await vendor.waitFor(({ requests }) => requests.length === before + 1);
    assert.equal((await headgate.command('keys', 'revoke', id)).code, 0);
    const { status, json } = await asked;
    assert.deepEqual([status, errorOf({ json }).code], [401, 'revoked_api_key'], model);
    assert.equal(vendor.requests.length, before + 1);
  }
});

test('a count of tokens that waits for its vendor is refused once its key is revoked', async () => {
  await using vendor = await startFakeProvider();
  const lab = `{ base_url: "${vendor.url}", dialects: [anthropic-messages], models: [m] }`;
  await using headgate = await startHeadgate({ config: `providers: { lab: ${lab} }` });
  const { id, key } = await headgate.createKey();
  vendor.plan('slow-headers', { times: 1 });
  const body = { model: 'lab/m', messages: [{ role: 'user', content: 'Hi' }] };
  const asked = ask(`${headgate.url}/v1/messages/count_tokens`, { key, body });
  await vendor.waitFor(({ heldCalls }) => heldCalls() === 1);
  assert.equal((await headgate.command('keys', 'revoke', id)).code, 0);
  assert.equal((await asked).status, 401);
  await vendor.waitFor(({ openCalls }) => openCalls() === 0);
});
