import assert from 'node:assert/strict';
import { test } from 'node:test';
import { usageOf } from '../../core/usage.ts';
import type { EventRole, StreamWatch } from '../dialect.ts';
import { watchStream } from './watch.ts';

type Event = { type: string; [member: string]: unknown };

const START: Event = {
  type: 'message_start',
  message: {
    type: 'message',
    content: [],
    usage: {
      input_tokens: 43,
      cache_read_input_tokens: 5,
      cache_creation_input_tokens: 4,
      cache_creation: { ephemeral_5m_input_tokens: 1, ephemeral_1h_input_tokens: 3 },
      output_tokens: 1,
      service_tier: 'standard',
    },
  },
};
const STOP: Event = { type: 'message_stop' };

function block(content: object): Event {
  return { type: 'content_block_start', index: 0, content_block: content };
}

function delta(fields: object): Event {
  return { type: 'content_block_delta', index: 0, delta: fields };
}

function end(usage: object): Event {
  return { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage };
}

function see(watch: StreamWatch, ...events: readonly Event[]): EventRole[] {
  return events.map((event) => watch.see({ event: event.type, data: JSON.stringify(event) }));
}

test('events that only open a message are told from those that carry it', () => {
  for (const opening of [
    START,
    { type: 'ping' },
    block({ type: 'text', text: '' }),
    block({ type: 'thinking', thinking: '', signature: '' }),
    delta({ type: 'text_delta', text: '' }),
    { type: 'tomorrow' },
  ]) {
    assert.deepEqual(see(watchStream(), opening), ['opens'], JSON.stringify(opening));
  }
  for (const carrying of [
    block({ type: 'text', text: 'a' }),
    block({ type: 'tool_use', id: 'toolu_1', name: 'a', input: {} }),
    block({ type: 'server_tool_use', id: 'srvtoolu_1', name: 'a', input: {} }),
    block({ type: 'redacted_thinking', data: 'Emw=' }),
    delta({ type: 'text_delta', text: 'a' }),
    delta({ type: 'signature_delta', signature: 'EqQB' }),
    delta({ type: 'tomorrow_delta', x: 1 }),
    end({ output_tokens: 1 }),
    { type: 'message_start', message: { content: [{ type: 'tool_use', id: 'toolu_1', name: 'a', input: {} }] } },
  ]) {
    assert.deepEqual(see(watchStream(), carrying), ['carries'], JSON.stringify(carrying));
  }
  // Behind the first content nothing opens any more.
  assert.deepEqual(see(watchStream(), delta({ type: 'text_delta', text: 'a' }), { type: 'ping' }, START), [
    'carries',
    'carries',
    'carries',
  ]);
});

test('usage is what the end says, and what only the start said', () => {
  const one = watchStream();
  see(one, START, delta({ type: 'text_delta', text: 'a' }));
  assert.equal(one.usage(), null, 'the count of the start is not of what will be produced');
  const told = { cacheReadTokens: 5, cacheWriteTokens: 4, cacheWritesByLife: { '1h': 3 }, serviceTier: 'standard' };
  assert.deepEqual(one.promptUsage!(), usageOf({ inputTokens: 52, ...told }), 'but that of the prompt is');
  see(one, end({ input_tokens: 61, output_tokens: 9, output_tokens_details: { thinking_tokens: 2 } }), STOP);
  assert.deepEqual(
    one.usage(),
    usageOf({
      inputTokens: 70,
      cacheReadTokens: 5,
      cacheWriteTokens: 4,
      cacheWritesByLife: { '1h': 3 },
      outputTokens: 9,
      reasoningTokens: 2,
      serviceTier: 'standard',
    }),
  );
});

test('usage of a message that begins with its end is what its start says', () => {
  const one = watchStream();
  const usage = { input_tokens: 3, output_tokens: 0 };
  see(one, { type: 'message_start', message: { content: [], stop_reason: 'tool_use', usage } }, STOP);
  assert.deepEqual(one.usage(), usageOf({ inputTokens: 3 }));
});

test('what is no JSON object is not passed by the name of its event, as far as its first and last byte tell', () => {
  for (const event of ['ping', 'content_block_delta', 'message_stop']) {
    for (const data of ['{"type":"content_block_delta","delta":{"te', 'x {"type":"ping"}', '']) {
      const watch = watchStream();
      assert.equal(watch.see({ event, data }), 'fails', `${event}: ${data}`);
      assert.deepEqual([watch.error().kind, watch.complete()], ['upstream_invalid_answer', false]);
    }
  }
});

test('a message is complete on its last event alone', () => {
  const one = watchStream();
  see(one, START, delta({ type: 'text_delta', text: 'a' }), end({ output_tokens: 1 }));
  assert.equal(one.complete(), false);
  assert.deepEqual(see(one, STOP), ['ends']);
  assert.equal(one.complete(), true);
  assert.equal(watchStream().see({ event: null, data: '[DONE]' }), 'withhold');
});

test('a vendor’s error is found, also inside a 200 and behind content', () => {
  const overloaded: Event = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
  for (const before of [[], [START], [START, delta({ type: 'text_delta', text: 'a' })]]) {
    const one = watchStream();
    assert.equal(see(one, ...before, overloaded).at(-1), 'fails');
    assert.deepEqual(
      [one.error().kind, one.error().status, one.error().message],
      ['upstream_error', 503, 'Overloaded'],
    );
  }
  const unnamed = watchStream();
  assert.equal(unnamed.see({ event: null, data: '{"error":{"message":"Why","type":"api_error"}}' }), 'fails');
  const broken = watchStream();
  assert.equal(broken.see({ event: 'message_delta', data: '{"type":' }), 'fails');
  assert.equal(broken.error().kind, 'upstream_invalid_answer');
  assert.equal(broken.see({ event: 'content_block_delta', data: 'x' }), 'fails');
});

test('content that speaks of errors is none', () => {
  const one = watchStream();
  const text = 'data: {"type":"error","error":{}} "text":"x"';
  assert.deepEqual(see(one, delta({ type: 'text_delta', text })), ['carries']);
  assert.deepEqual(one.output(), { text, unseen: 0 });
});

test('what was produced is kept to be counted', () => {
  const one = watchStream();
  see(
    one,
    START,
    delta({ type: 'thinking_delta', thinking: 'Hm "so"\n' }),
    delta({ type: 'text_delta', text: 'é🙂\\' }),
    block({ type: 'tool_use', id: 'toolu_1', name: 'look', input: {} }),
    delta({ type: 'input_json_delta', partial_json: '{"a":1}' }),
    delta({ type: 'signature_delta', signature: 'EqQB' }),
  );
  assert.deepEqual(one.output(), { text: 'Hm "so"\né🙂\\look{"a":1}', unseen: 0 });
  const spaced = watchStream();
  spaced.see({
    event: 'content_block_delta',
    data: '{"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "a \\" b"}}',
  });
  assert.equal(spaced.output().text, 'a " b');
});

test('what is beyond what is kept is told', () => {
  const one = watchStream();
  const text = 'x'.repeat(100_000);
  see(one, ...[1, 2, 3, 4].map(() => delta({ type: 'text_delta', text })));
  assert.deepEqual([one.output().text.length, one.output().unseen], [200_000, 200_000]);
});

test('without a stop reason `message_stop` ends no message', () => {
  for (const reason of [null, '', undefined]) {
    const watch = watchStream();
    see(watch, START, { type: 'message_delta', delta: { stop_reason: reason }, usage: { output_tokens: 1 } }, STOP);
    assert.equal(watch.complete(), false);
  }
  const watch = watchStream();
  see(watch, START, end({ output_tokens: 1 }), STOP);
  assert.equal(watch.complete(), true);
});

test('a message that its vendor broke off is billed by its last usage', () => {
  const one = watchStream();
  see(one, START, delta({ type: 'text_delta', text: 'a' }));
  const broken = { type: 'message_delta', delta: { stop_reason: 'error' }, usage: { output_tokens: 9 } };
  assert.deepEqual(see(one, broken), ['fails']);
  assert.equal(one.usage()?.outputTokens, 9);
});
