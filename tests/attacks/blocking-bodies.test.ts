import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { type FakeProvider, startFakeProvider } from '../../src/testing/fake-provider.ts';
import { frame, type Reply, streamReply } from '../../src/testing/reply.ts';
import { type Running, startHeadgate } from '../support/headgate.ts';
import { loopMeter } from '../support/loop-holds.ts';

/**
 * What one caller or one vendor sends must not hold up the calls of others. The CPU time that a gateway takes for each of
 * these is bounded: it does not depend on what else the machine does, and is what all others would wait for.
 */
const MOST_CPU_MS = 1500;
/** Of it, what the event loop may be held for at once: as long, at most, does a call of another key wait for its turn. */
const MOST_HOLD_MS = 250;
/** What a call beside the large one may take of it. */
const MOST_CPU_BESIDE_MS = 20;
/** Of Linux's clock of processes. */
const TICK_MS = 10;

const meter = loopMeter();
let vendor: FakeProvider;
/** Whose models are called beside: what the first one is asked is counted. */
let other: FakeProvider;
let gateway: Running;
let otherKey: string;
/** A key of which a list of models holds. */
let limitedKey: string;

before(async () => {
  vendor = await startFakeProvider();
  other = await startFakeProvider();
  gateway = await startHeadgate({
    config: `
# Beyond the bounds that refuse such bodies before they cost anything: an operator may have raised them.
limits: { max_loop_lag: 0, max_json_members: 1000000, max_json_values: 10000000, requests_per_minute: 1000000 }
providers:
  messages: { dialects: [anthropic-messages], base_url: "${vendor.url}", api_key: k, only: [{ id: claude-sonnet-4-5 }] }
  beside: { dialects: [openai-chat], base_url: "${other.url}", api_key: k, only: [{ id: beside }] }
  chat: { dialects: [openai-chat], base_url: "${vendor.url}", api_key: k, only: [{ id: chat-model }] }
`,
    env: meter.env,
  });
  otherKey = (await gateway.createKey()).key;
  limitedKey = (await gateway.createKey('--models', 'chat-model')).key;
  // What a process does once, such as to compile, or to load what counts tokens where a vendor does not, is no part of what
  // is measured.
  await ask('/v1/chat/completions', body('claude-sonnet-4-5', rounds(20)));
  vendor.plan(() => chunksOf(20), { times: 1 });
  await ask('/v1/responses', { model: 'chat-model', input: 'a', stream: true });
});

after(async () => {
  await gateway[Symbol.asyncDispose]();
  await vendor.close();
  await other.close();
});

test('tool calls that share one id, from chat to messages', async () => {
  const calls = Array.from({ length: 8500 }, () => call('same'));
  const messages = [
    { role: 'user', content: 'a' },
    { role: 'assistant', content: null, tool_calls: calls },
  ];
  const sent = body('claude-sonnet-4-5', messages);
  assert.ok(JSON.stringify(sent).length > 600_000);
  await bounded(() => ask('/v1/chat/completions', sent));
});

test('turns of tool results, from chat to messages', async () => {
  const results = Array.from({ length: 60_000 }, () => ({ role: 'tool', tool_call_id: 'same', content: 'r' }));
  const messages = [
    { role: 'user', content: 'a' },
    { role: 'assistant', content: null, tool_calls: [call('same')] },
  ];
  const sent = body('claude-sonnet-4-5', [...messages, ...results]);
  assert.ok(JSON.stringify(sent).length > 3_000_000);
  await bounded(() => ask('/v1/chat/completions', sent));
});

test('one chunk of a vendor with thousands of empty tool calls', async () => {
  vendor.plan(() => chunksOf(2000), { times: 1 });
  await bounded(() => ask('/v1/responses', { model: 'chat-model', input: 'a', stream: true }));
});

for (const [what, more] of Object.entries({
  'members of one name': `{${Array(40_000).fill('"parameters":1,"input":1').join(',')}}`,
  'names of models, nested': `${'{"models":['.repeat(40)}${Array(20_000).fill('"chat-model"').join(',')}${']}'.repeat(40)}`,
})) {
  for (const member of ['x', 'extra_body']) {
    test(`${what}, in \`${member}\` of a key with a list of models`, async () => {
      const sent = JSON.stringify(body('chat-model', rounds(1)));
      await bounded(() => ask('/v1/chat/completions', `${sent.slice(0, -1)},"${member}":${more}}`, limitedKey));
    });
  }
}

/** A stream that opens so many empty tool calls in one chunk. */
function chunksOf(count: number): Reply {
  const calls = Array.from({ length: count }, (_, index) => ({
    index,
    id: `call_${index}`,
    type: 'function',
    function: { name: 'f', arguments: '' },
  }));
  const chunk = { id: 'c', model: 'm', choices: [{ index: 0, delta: { tool_calls: calls }, finish_reason: null }] };
  const end = { id: 'c', model: 'm', choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] };
  return streamReply([frame(chunk), frame(end), Buffer.from('data: [DONE]\n\n')]);
}

function call(id: string): object {
  return { id, type: 'function', function: { name: 'f', arguments: '{}' } };
}

function rounds(count: number): object[] {
  return Array.from({ length: count }, (_, at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content: 'a' }));
}

function body(model: string, messages: readonly object[]): object {
  return { model, messages, max_tokens: 9 };
}

/** Resolves once the call has gone to the vendor and is answered; a vendor that answers a message in chat's words is a 502. */
async function ask(path: string, sent: object | string, key = gateway.key): Promise<void> {
  const asked = vendor.requests.length;
  const answer = await fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: typeof sent === 'string' ? sent : JSON.stringify(sent),
  });
  await answer.text();
  assert.ok(vendor.requests.length > asked, `${answer.status}: it did not reach the vendor`);
}

async function bounded(work: () => Promise<void>): Promise<void> {
  const before = await cpuMs();
  await meter.read();
  const isDone = work().then(() => true);
  let beside = 0;
  do {
    await askBeside();
    beside += 1;
  } while (!(await Promise.race([isDone, false])));
  const { holdMs } = await meter.read();
  const took = (await cpuMs()) - before;
  assert.ok(holdMs < MOST_HOLD_MS, `held the event loop for ${holdMs} ms of CPU time`);
  assert.ok(
    took < MOST_CPU_MS + beside * MOST_CPU_BESIDE_MS,
    `took ${took} ms of CPU time, with ${beside} calls beside`,
  );
}

/** A small call of another key, which is answered while the large one is under way. */
async function askBeside(): Promise<void> {
  const answer = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${otherKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body('beside', rounds(1))),
  });
  await answer.text();
  assert.equal(answer.status, 200);
}

/** The CPU time of the gateway's process so far. */
async function cpuMs(): Promise<number> {
  const stat = await readFile(`/proc/${gateway.pid}/stat`, 'utf8');
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number);
  return (user! + system!) * TICK_MS;
}
