import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { jsonReply } from '../../src/testing/reply.ts';
import { type Answer, ask } from '../http/client.ts';
import { PATHS } from '../support/dialects.ts';
import { startHeadgate } from '../support/headgate.ts';

// V8 takes an escaped name for one that it met before in such a place and that begins as the escaped one is written (nodejs/node#63785).

const vendor = await startFakeProvider();
after(() => vendor.close());
vendor.plan(
  () =>
    jsonReply(200, {
      ...{ id: 'msg_9', type: 'message', role: 'assistant', model: 'm', stop_reason: 'end_turn' },
      content: [{ type: 'text', text: 'a' }],
      usage: { input_tokens: 1, output_tokens: 1 },
    }),
  { path: PATHS['anthropic-messages'] },
);
const headgate = await startHeadgate({
  config: `
providers:
  chat: { base_url: "${vendor.url}", dialects: [openai-chat], only: [m] }
  claude: { base_url: "${vendor.url}", dialects: [anthropic-messages], only: [m] }
`,
});
after(() => headgate[Symbol.asyncDispose]());

test('names in one caller’s tool do not change the names in another’s', async () => {
  const other = await headgate.createKey();
  assert.equal((await call(other.key, 'claude/m', toolWith('\\\\u'))).status, 200);
  const { status, text } = await call(headgate.key, 'claude/m', toolWith('\\u0063\\u0069'));
  assert.equal(status, 200, text);
  const sent = JSON.parse(vendor.requests.at(-1)!.body.toString()) as { tools: { input_schema: object }[] };
  assert.deepEqual(sent.tools[0]!.input_schema, {
    type: 'object',
    properties: { city: { type: 'string' }, ci: { type: 'string' } },
  });
});

test('a limit whose name is escaped is read, whatever was sent before', async () => {
  const met = await call(headgate.key, 'chat/m', '"options":{"x":1,"n\\\\u0075m_pr":1}');
  assert.equal(met.status, 200, met.text);
  const before = vendor.requests.length;
  const { status, text } = await call(headgate.key, 'chat/m', '"options":{"x":1,"n\\u0075m_predict":"1000"}');
  assert.deepEqual([status, vendor.requests.length - before], [400, 0]);
  assert.ok(text.includes('`options.num_predict`'), text);
});

function call(key: string, model: string, fields: string): Promise<Answer> {
  const body = `{"model":"${model}","max_tokens":9,"messages":[{"role":"user","content":"Hi"}],${fields}}`;
  return ask(`${headgate.url}${PATHS['openai-chat']}`, { key, body });
}

function toolWith(name: string): string {
  const properties = `{"city":{"type":"string"},"${name}":{"type":"string"}}`;
  return `"tools":[{"type":"function","function":{"name":"find","parameters":{"type":"object","properties":${properties}}}}]`;
}
