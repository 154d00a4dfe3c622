import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { RecordedDialect } from '../../src/testing/recordings.ts';
import { insert, type Plan } from '../../src/testing/reply.ts';
import { DIALECTS, type DialectLab, startDialectLab } from '../support/dialects.ts';
import { scripted } from '../translation/vendors.ts';

/** A caller who leaves when all of the answer was said: the usage that the vendor tells next is what is billed. */
const TEXT = 'It rains in both.';
const USAGE = { input: 41, output: 17 };
/** Frames that a vendor sends behind the end of its text, at the least: its usage is in the first of them. */
const BEHIND: Record<RecordedDialect, number> = { 'openai-chat': 2, 'openai-responses': 1, 'anthropic-messages': 2 };

/** Holds the answer back behind all of its text. */
function heldBehindText(spoken: RecordedDialect): Plan {
  const whole = scripted(spoken, [{ text: TEXT, usage: USAGE }]);
  return (request) => {
    const reply = whole(request);
    const acts = [...reply.acts];
    return insert(() => ({ ...reply, acts }), acts.length - BEHIND[spoken], 'hold')(request);
  };
}

for (const layer of ['fast', 'node']) {
  describe(`a caller who leaves behind the last word, HTTP layer ${layer}`, () => {
    let lab: DialectLab;
    before(async () => {
      lab = await startDialectLab({}, `server: { http_layer: ${layer} }\n`);
    });
    after(() => lab[Symbol.asyncDispose]());

    for (const surface of DIALECTS) {
      for (const spoken of DIALECTS) {
        test(`${surface} of ${spoken}: is billed by what the vendor tells`, async () => {
          using call = await lab.ask({ surface, spoken, stream: true, plan: heldBehindText(spoken) });
          await lab.vendor.waitFor(({ heldCalls }) => heldCalls() === 1);
          await call.client.bodyHas('both.');
          await lab.noticed();
          call.client.reset();
          await lab.noticed();
          lab.vendor.release();
          const row = await call.record();
          assert.deepEqual(
            [row.status, row.usage_source, row.input_tokens, row.output_tokens],
            ['cancelled', 'provider', USAGE.input, USAGE.output],
          );
          await lab.released();
        });
      }
    }
  });
}
