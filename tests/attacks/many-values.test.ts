import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type FakeProvider, startFakeProvider } from '../../src/testing/fake-provider.ts';
import { type Running, startHeadgate } from '../support/headgate.ts';

const MAX_VALUES = 60;
const MAX_MEMBERS = 20;
const MAX_BODY = 64 * 1024;

let vendor: FakeProvider;
let gateway: Running;

before(async () => {
  vendor = await startFakeProvider();
  gateway = await startHeadgate({
    config: `
limits: { max_json_values: ${MAX_VALUES}, max_json_members: ${MAX_MEMBERS}, max_body: 64KB }
providers:
  lab: { dialects: [openai-chat], base_url: "${vendor.url}", api_key: k, models: [{ id: lab }, { id: text-embedding-3-small }] }
`,
  });
});

after(async () => {
  await gateway[Symbol.asyncDispose]();
  await vendor.close();
});

const message = { role: 'user', content: 'a' };
const PATHS: [path: string, body: object][] = [
  ['/v1/chat/completions', { model: 'lab', messages: [message] }],
  ['/v1/responses', { model: 'lab', input: 'a' }],
  ['/v1/messages', { model: 'lab', max_tokens: 9, messages: [message] }],
  ['/v1/messages/count_tokens', { model: 'lab', messages: [message] }],
  ['/v1/embeddings', { model: 'text-embedding-3-small', input: 'a' }],
];

for (const [path, body] of PATHS) {
  test(`${path}: a body of too many values or members is refused before it is parsed`, async () => {
    const asked = vendor.requests.length;
    const values = await post(path, { ...body, more: Array.from({ length: MAX_VALUES }, () => 0) });
    assert.equal(values.status, 400);
    assert.match(values.message, /it has more than 60 values \(byte \d+\)/);
    const names = Array.from({ length: MAX_MEMBERS }, (_, at) => [`m${at}`, 0]);
    const members = await post(path, { ...body, more: Object.fromEntries(names) });
    assert.equal(members.status, 400);
    assert.match(members.message, /it has more than 20 members \(byte \d+\)/);
    assert.equal(vendor.requests.length, asked);
  });
}

test('items that are named make a body no larger than one that is sent may be', async () => {
  const text = 'a'.repeat(MAX_BODY / 8);
  vendor.plan(
    () => ({
      status: 200,
      headers: { 'content-type': 'application/json' },
      acts: [
        Buffer.from(
          JSON.stringify({
            id: 'c',
            object: 'chat.completion',
            choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
          }),
        ),
      ],
    }),
    { times: 1 },
  );
  const { json } = await post('/v1/responses', { model: 'lab', input: 'a' });
  const [item] = json.output as { id: string }[];
  assert(item !== undefined);
  const named = (times: number) => Array.from({ length: times }, () => ({ type: 'item_reference', id: item.id }));
  assert.equal((await post('/v1/responses', { model: 'lab', input: [message, ...named(1)] })).status, 200);
  const refused = await post('/v1/responses', { model: 'lab', input: [message, ...named(8)] });
  assert.equal(refused.status, 413);
  assert.match(refused.message, /With the items that `input` names the body is larger than 65536 bytes/);
});

type Posted = { status: number; message: string; json: Record<string, unknown> };

async function post(path: string, body: object): Promise<Posted> {
  const answer = await fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const json = (await answer.json()) as Record<string, unknown> & { error?: { message: string } };
  return { status: answer.status, message: json.error?.message ?? '', json };
}
