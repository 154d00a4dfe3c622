import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { RecordedDialect } from '../../src/testing/recordings.ts';
import { insert } from '../../src/testing/reply.ts';
import { DIALECTS, startTranslationLab } from '../support/dialects.ts';
import { agentsAt } from './agents.ts';
import { scripted } from './vendors.ts';

/** An agent that is stopped in the middle of a stream: the vendor is let go, whatever it speaks. */
const lab = await startTranslationLab();
const { headgate, vendor } = lab;
after(() => lab[Symbol.asyncDispose]());

/** How soon the vendor must be let go, in ms. */
const AT_ONCE = 1000;
/** The frames up to and with the first piece of the text. */
const OPENING: Record<RecordedDialect, number> = { 'openai-chat': 2, 'openai-responses': 5, 'anthropic-messages': 4 };
const TURN = { text: 'It rains in both, and not a little.', usage: { input: 20, output: 10 } };

for (const [name, { run }] of Object.entries(agentsAt(headgate.url, headgate.key))) {
  describe(name, () => {
    for (const spoken of DIALECTS) {
      test(`${spoken}: the vendor is let go at once`, async () => {
        vendor.forget();
        vendor.plan(insert(scripted(spoken, [TURN]), OPENING[spoken], 'hold'));
        const { promise: seen, resolve } = Promise.withResolvers<void>();
        const stop = new AbortController();
        const stopped = run(`${spoken}/m`, true, { signal: stop.signal, seen: resolve }).then(
          ({ text }) => assert.notEqual(text, TURN.text),
          () => {},
        );
        await seen;
        await vendor.waitFor(({ heldCalls }) => heldCalls() === 1);
        const before = vendor.closedEarly;
        stop.abort();
        await vendor.waitFor(({ openCalls }) => openCalls() === 0, AT_ONCE);
        assert.equal(vendor.closedEarly, before + 1);
        await stopped;
      });
    }
  });
}
