import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { rewriteBody } from '../../src/pipeline/translation/translator.ts';
import { countsOf, type RecordedDialect, type Recording, usageIn } from '../../src/testing/recordings.ts';
import { DIALECTS } from '../support/dialects.ts';
import { answersOf } from './recordings.ts';
import { dialectOf } from './relay.ts';

/** Of a longer answer not every byte is cut at. */
const MAX_CUTS = 4000;

for (const id of DIALECTS) {
  const { all, told } = await answersOf(id);
  describe(id, () =>
    keepLaws(
      id,
      all.filter(({ stream }) => !stream),
      told,
    ),
  );
}

function keepLaws(id: RecordedDialect, whole: readonly Recording[], told: string): void {
  const { peekAnswer } = dialectOf(id).outbound;

  test('there is something to hold the laws to', (context) => {
    context.diagnostic(told);
    assert.ok(whole.length > 1);
  });

  for (const recording of whole) {
    test(`${recording.name}: what is read of it is what it says, with the byte path on and off`, () => {
      const body = Buffer.concat(recording.frames);
      const rewritten = rewriteBody(body);
      assert.deepEqual(JSON.parse(rewritten.toString()), recording.payloads[0]);
      for (const bytes of [body, rewritten]) {
        const { usage, error } = peekAnswer(bytes);
        assert.deepEqual(usage === null ? null : countsOf(usage), usageIn(recording));
        assert.equal(error !== null, recording.status !== 200);
      }
    });

    test(`${recording.name}: cut anywhere, it is no answer`, () => {
      const bytes = Buffer.from(Buffer.concat(recording.frames).toString().trimEnd());
      const step = Math.ceil(bytes.length / MAX_CUTS);
      for (let at = 0; at < bytes.length; at += step) {
        assert.throws(() => peekAnswer(bytes.subarray(0, at)), /is cut, or is not JSON/, `cut at ${at}`);
      }
    });
  }
}
