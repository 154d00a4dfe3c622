import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DONE } from '../../src/testing/answers.ts';
import { frame } from '../../src/testing/reply.ts';
import { type Relayed, type RelayOptions, relay } from './relay.ts';

/** What a chat stream comes to that stops, on each way to its caller. */
const WAYS: Record<string, RelayOptions> = {
  'the bytes as they came': {},
  'frames written again': { bytePath: false },
  'by way of the waist': { repair: true },
};

const OPENING = frame({ choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }] });
const SAYS = frame({ choices: [{ index: 0, delta: { content: 'Hello' }, finish_reason: null }] });
const FINISH = frame({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });

/** What a cut may leave of an event. The last ends in a character's first byte. */
const CUT_EVENTS: readonly Buffer[] = [
  ...['d', 'da', 'dat', 'data', 'data:', 'data: ', 'data: [DON'].map((text) => Buffer.from(text)),
  ...['data: {"choices":[', 'data: {"choices":[{}', 'data: {}\nda', 'data: {"a":\ndata: 1'].map((text) =>
    Buffer.from(text),
  ),
  ...['id: 7', 'id: 7\n', 'event: mess', 'event: message\n', 'retry: 3'].map((text) => Buffer.from(text)),
  Buffer.concat([Buffer.from('data: {"choices":[{"index":0,"delta":{"content":"'), Buffer.from([0xc3])]),
];
/** What may be left where no event was cut. */
const COMMENTS = [': a com', ': a comment\n', '\ufeff'].map((text) => Buffer.from(text));

for (const [name, way] of Object.entries(WAYS)) {
  describe(name, () => {
    const send = (pieces: readonly Buffer[], more: RelayOptions = {}) =>
      relay('openai-chat', pieces, { ...way, ...more });

    const assertComplete = async ({ end, writes }: Relayed) => {
      assert.equal(end.kind, 'complete');
      assert.equal(eventsIn(writes), eventsIn((await send([SAYS, FINISH, DONE])).writes));
      assert.ok(Buffer.concat(writes).toString().endsWith(DONE.toString()));
    };

    for (const cut of CUT_EVENTS) {
      test(`a stream that ends in order in ${JSON.stringify(cut.toString())} fails, and nothing of it is passed`, async () => {
        for (const before of [[SAYS], [SAYS, FINISH]]) {
          const { end, writes } = await send([...before, cut]);
          assert.ok(end.kind === 'broken' && end.error.kind === 'upstream_disconnected', end.kind);
          assert.equal(eventsIn(writes), eventsIn((await send(before, { breaks: true })).writes));
        }
      });
    }

    test('before the first content a cut is a refusal', async () => {
      for (const cut of CUT_EVENTS) {
        const { end, writes } = await send([OPENING, cut]);
        assert.deepEqual([end.kind, writes.length], ['failed', 0]);
      }
    });

    test('a comment without its end is not passed, and is no cut', async () => {
      for (const rest of COMMENTS) {
        const relayed = await send([SAYS, FINISH, rest]);
        await assertComplete(relayed);
        assert.ok(!Buffer.concat(relayed.writes).includes(rest));
      }
    });

    test('a last event without its blank line counts, and gets it', async () => {
      for (const missing of [1, 2]) await assertComplete(await send([SAYS, FINISH.subarray(0, -missing)]));
      for (const missing of [1, 2]) await assertComplete(await send([SAYS, FINISH, DONE.subarray(0, -missing)]));
    });

    test('what a broken connection leaves is not passed, be it whole or cut', async () => {
      for (const rest of ['dat', SAYS.subarray(0, -2)]) {
        const { end, writes } = await send([SAYS, FINISH, Buffer.from(rest)], { breaks: true });
        assert.equal(end.kind, 'broken');
        assert.equal(eventsIn(writes), eventsIn((await send([SAYS, FINISH], { breaks: true })).writes));
      }
    });

    test('a choice that was asked for and never began is a failure, with no made-up end', async () => {
      const { end, writes } = await send([SAYS, FINISH], { choices: 2 });
      assert.equal(end.kind, 'broken');
      assert.ok(!Buffer.concat(writes).includes('[DONE]'));
    });

    test('a vendor that gives one choice whatever was asked, and says itself that it is done, is believed', async () => {
      await assertComplete(await send([SAYS, FINISH, DONE], { choices: 2 }));
    });
  });
}

/** The number of frames, each an event with JSON or `[DONE]`, that the writes are to the last byte. */
function eventsIn(writes: readonly Buffer[]): number {
  const text = Buffer.concat(writes).toString();
  assert.ok(text.endsWith('\n\n'), text);
  const frames = text.slice(0, -2).split('\n\n');
  for (const one of frames) {
    const data = /^data: (.*)$/.exec(one)?.[1] ?? assert.fail(`${JSON.stringify(one)} is no event`);
    if (data !== '[DONE]') JSON.parse(data);
  }
  return frames.length;
}
