import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { field } from '../../src/testing/json.ts';
import { jsonReply } from '../../src/testing/reply.ts';
import { PATHS } from '../support/dialects.ts';
import { startHeadgate } from '../support/headgate.ts';

const SECRET = 'sk-ant-secret-0123456789';
const vendor = await startFakeProvider();
const headgate = await startHeadgate({
  config: `providers: { anthropic: { base_url: "${vendor.url}", api_key: ${SECRET}, only: [m] } }`,
});
after(() => Promise.all([headgate[Symbol.asyncDispose](), vendor.close()]));

const BASES = {
  'openai-chat': { messages: [{ role: 'user', content: 'Hi' }] },
  'openai-responses': { input: 'Hi' },
  'anthropic-messages': { messages: [{ role: 'user', content: 'Hi' }], max_tokens: 99 },
};

for (const surface of ['openai-chat', 'openai-responses', 'anthropic-messages'] as const) {
  test(`${surface}: the vendor's code for programs is in the error, the record and the log`, async () => {
    const details = { error_code: 'tool_name_conflict', tool: 'find' };
    const error = { type: 'invalid_request_error', message: 'Two tools have one name.', details };
    vendor.plan(() => jsonReply(400, { type: 'error', error }), { times: 1 });
    const response = await fetch(`${headgate.url}${PATHS[surface]}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${headgate.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...BASES[surface], model: 'anthropic/m' }),
    });
    const json = await response.json();
    assert.equal(response.status, 400);
    assert.deepEqual(field(json, 'error', 'details'), details);
    if (surface !== 'anthropic-messages') assert.equal(field(json, 'error', 'code'), 'tool_name_conflict');
    const [record] = (await headgate.usage({ limit: '1' })).data;
    const one = await fetch(`${headgate.url}/v1/usage/${record?.id}`, {
      headers: { authorization: `Bearer ${headgate.key}` },
    });
    assert.equal(field(await one.json(), 'attempt_details', '0', 'error_code'), 'tool_name_conflict');
    await headgate.waitForLine(/"error_code":"tool_name_conflict"/);
  });
}

test('details that quote the credential keep their code alone', async () => {
  const error = { type: 'invalid_request_error', message: 'No.', details: { error_code: 'key_bad', key: SECRET } };
  vendor.plan(() => jsonReply(400, { type: 'error', error }), { times: 1 });
  const response = await fetch(`${headgate.url}/v1/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${headgate.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...BASES['anthropic-messages'], model: 'anthropic/m' }),
  });
  assert.deepEqual(field(await response.json(), 'error', 'details'), { error_code: 'key_bad' });
});
