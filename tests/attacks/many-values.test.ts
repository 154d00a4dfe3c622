import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type FakeProvider, startFakeProvider } from '../../src/testing/fake-provider.ts';
import { frame, jsonReply, streamReply } from '../../src/testing/reply.ts';
import { type Running, startHeadgate } from '../support/headgate.ts';
import { timeoutsOf } from '../support/timeouts.ts';

const MAX_VALUES = 60;
const MAX_MEMBERS = 20;
const MAX_BODY = 64 * 1024;

let vendor: FakeProvider;
let gateway: Running;
/** With the bounds that hold where nothing is set. */
let open: Running;

before(async () => {
  vendor = await startFakeProvider();
  gateway = await startHeadgate({
    config: `
limits: { max_json_values: ${MAX_VALUES}, max_json_members: ${MAX_MEMBERS}, max_body: 64KB }
providers:
  lab: { dialects: [openai-chat], base_url: "${vendor.url}", api_key: k, only: [{ id: lab }, { id: text-embedding-3-small }] }
`,
  });
  open = await startHeadgate({
    config: `
retries: { attempts: 1 }
timeouts: ${timeoutsOf()}
providers:
  lab: { dialects: [openai-chat, openai-embeddings], base_url: "${vendor.url}", api_key: k, only: [{ id: wide }, { id: text-embedding-wide, dimensions: 3072 }] }
  own: { dialects: [anthropic-messages], base_url: "${vendor.url}", api_key: k, only: [{ id: silent }] }
`,
  });
});

after(async () => {
  await gateway[Symbol.asyncDispose]();
  await open[Symbol.asyncDispose]();
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

test('an outermost object of more members than any dialect has is refused', async () => {
  const names = Array.from({ length: 1024 }, (_, at) => [`m${at}`, 0]);
  const body = { model: 'wide', ...Object.fromEntries(names) };
  const refused = await post('/v1/chat/completions', { messages: [message], ...body }, open);
  assert.equal(refused.status, 400);
  assert.match(refused.message, /its outermost object has more than 1024 members/);
});

const MANY_MEMBERS = Object.fromEntries(Array.from({ length: 100_001 }, (_, at) => [`member_${at}`, 0]));
const completion = (more: object) => ({
  id: 'c',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'a' }, finish_reason: 'stop' }],
  ...more,
});

test('an answer of more members than may be built is no answer: translated, or where its words have to be counted', async () => {
  for (const [path, body] of PATHS.slice(0, 3)) {
    vendor.plan(() => jsonReply(200, completion({ more: MANY_MEMBERS })), { times: 1 });
    const { status, message: told } = await post(path, { ...body, model: 'wide' }, open);
    assert.equal(status, 502, path);
    assert.match(told, /cannot be read: it has more than 100000 members/);
  }
});

test('the text of a failed answer of more members than may be built is not counted', async () => {
  const text = 'word '.repeat(50);
  const [path, body] = PATHS[2]!;
  const told = async (more: object) => {
    const content = [{ type: 'text', text }];
    vendor.plan(() => jsonReply(200, { id: 'm', type: 'message', content, ...more }), { times: 1 });
    const { status } = await post(path, { ...body, model: 'silent' }, open);
    assert.equal(status, 502);
    return (await open.usage({ limit: '1' })).data[0]?.output_tokens;
  };
  assert.ok(Number(await told({})) >= 50);
  assert.equal(await told({ more: MANY_MEMBERS }), 0);
});

test('an event of more members than may be parsed ends its stream with an error', async () => {
  const events = 300_001;
  const members = Object.fromEntries(Array.from({ length: events }, (_, at) => [`m${at}`, 0]));
  const first = { id: 'c', choices: [{ index: 0, delta: { content: 'a' }, finish_reason: null }] };
  for (const [path, body] of PATHS.slice(0, 2)) {
    vendor.plan(() => streamReply([frame(first), frame({ ...first, more: members })]), { times: 1 });
    const answer = await ask(path, { ...body, model: 'wide', stream: true }, open);
    assert.equal(answer.status, 200);
    const text = await answer.text();
    assert.match(text, /cannot be read: it has more than \d+ members/);
    assert.doesNotMatch(text, /\[DONE\]/);
  }
});

test('a translated answer of more parts than any has is the failure of its vendor', async () => {
  const calls = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      ...{ index, id: `call_${index}`, type: 'function' },
      function: { name: 'f', arguments: '{}' },
    }));
  const whole = (count: number) => ({
    ...completion({}),
    choices: [{ index: 0, message: { role: 'assistant', tool_calls: calls(count) }, finish_reason: 'tool_calls' }],
    usage: { prompt_tokens: 1, completion_tokens: 1 },
  });
  const [path, body] = PATHS[1]!;
  for (const [count, status] of [
    [4096, 200],
    [4097, 502],
  ] as const) {
    vendor.plan(() => jsonReply(200, whole(count)), { times: 1 });
    const answer = await post(path, { ...body, model: 'wide' }, open);
    assert.equal(answer.status, status, answer.message);
    const first = { id: 'c', choices: [{ index: 0, delta: { content: 'a' }, finish_reason: null }] };
    const chunk = { id: 'c', choices: [{ index: 0, delta: { tool_calls: calls(count - 1) }, finish_reason: null }] };
    const end = { id: 'c', choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] };
    vendor.plan(() => streamReply([frame(first), frame(chunk), frame(end)]), { times: 1 });
    const text = await (await ask(path, { ...body, model: 'wide', stream: true }, open)).text();
    assert.equal(text.includes('more than 4096 parts'), status === 502);
    assert.equal(text.includes('"type":"response.completed"'), status === 200);
  }
});

test('a list of embeddings has as many numbers as it likes', async () => {
  const data = Array.from({ length: 128 }, (_, index) => ({
    index,
    object: 'embedding',
    embedding: Array(3072).fill(0.5),
  }));
  const list = { object: 'list', model: 'm', data, usage: { prompt_tokens: 1, total_tokens: 1 } };
  vendor.plan(() => jsonReply(200, list), { times: 1 });
  const { status, json } = await post('/v1/embeddings', { model: 'text-embedding-wide', input: 'a' }, open);
  assert.equal(status, 200);
  assert.equal((json.data as unknown[]).length, 128);
});

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
  assert.match(refused.message, /With the items that `input` refers to, the body is larger than 65536 bytes/);
});

type Posted = { status: number; message: string; json: Record<string, unknown> };

function ask(path: string, body: object, to = gateway): Promise<Response> {
  return fetch(`${to.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${to.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

async function post(path: string, body: object, to = gateway): Promise<Posted> {
  const answer = await ask(path, body, to);
  const json = (await answer.json()) as Record<string, unknown> & { error?: { message: string } };
  return { status: answer.status, message: json.error?.message ?? '', json };
}
