import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { type FakeProvider, startFakeProvider } from '../../src/testing/fake-provider.ts';
import { frame, streamReply } from '../../src/testing/reply.ts';
import { type Running, startHeadgate } from '../support/headgate.ts';

/**
 * What one caller or one vendor sends must not hold up the calls of others. The CPU time that a gateway takes for each of
 * these is bounded: it does not depend on what else the machine does, and is what all others would wait for.
 */
const MOST_CPU_MS = 1500;
/** Of Linux's clock of processes. */
const TICK_MS = 10;

let vendor: FakeProvider;
let gateway: Running;

before(async () => {
  vendor = await startFakeProvider();
  gateway = await startHeadgate({
    config: `
limits: { max_loop_lag: 0 }
providers:
  messages: { dialects: [anthropic-messages], base_url: "${vendor.url}", api_key: k, models: [{ id: claude-sonnet-4-5 }] }
  chat: { dialects: [openai-chat], base_url: "${vendor.url}", api_key: k, models: [{ id: chat-model }] }
`,
  });
  // What a process does once, such as to compile, is no part of what is measured.
  await ask('/v1/chat/completions', body('claude-sonnet-4-5', rounds(20)));
  await ask('/v1/responses', { model: 'chat-model', input: 'a', stream: true });
});

after(async () => {
  await gateway[Symbol.asyncDispose]();
  await vendor.close();
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
  const calls = Array.from({ length: 2000 }, (_, index) => ({
    index,
    id: `call_${index}`,
    type: 'function',
    function: { name: 'f', arguments: '' },
  }));
  const chunk = { id: 'c', model: 'm', choices: [{ index: 0, delta: { tool_calls: calls }, finish_reason: null }] };
  const end = { id: 'c', model: 'm', choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] };
  vendor.plan(() => streamReply([frame(chunk), frame(end), Buffer.from('data: [DONE]\n\n')]), { times: 1 });
  await bounded(() => ask('/v1/responses', { model: 'chat-model', input: 'a', stream: true }));
});

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
async function ask(path: string, sent: object): Promise<void> {
  const asked = vendor.requests.length;
  const answer = await fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(sent),
  });
  await answer.text();
  assert.ok(vendor.requests.length > asked, `${answer.status}: it did not reach the vendor`);
}

async function bounded(work: () => Promise<void>): Promise<void> {
  const before = await cpuMs();
  await work();
  const took = (await cpuMs()) - before;
  assert.ok(took < MOST_CPU_MS, `took ${took} ms of CPU time`);
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
