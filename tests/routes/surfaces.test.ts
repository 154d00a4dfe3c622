import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { FaultName } from '../../src/testing/faults.ts';
import { field } from '../../src/testing/json.ts';
import type { RecordedDialect } from '../../src/testing/recordings.ts';
import { PROMPT, payloads } from '../faults/lab.ts';
import type { RawAnswer } from '../support/raw-http.ts';
import { FAULT_NAMES, refusesKey, STRIKES } from './fault-table.ts';
import { costAt, type Question, ROUTE_OF, type RouteLab, startRouteLab } from './lab.ts';

/** Faults in which nothing takes long: what there is to see of others is seen in chat. */
const QUICK = FAULT_NAMES.filter((name) => !/slow|stall|endless|trickle|comments-only|flood|huge|refuses/.test(name));

type Translated = Exclude<RecordedDialect, 'openai-chat'>;

/** How each surface is asked, and what only its ends have. The vendors speak chat. */
const SURFACES: Record<Translated, { question: Question; end: RegExp; failed: RegExp }> = {
  'openai-responses': {
    question: { path: '/v1/responses', body: { input: PROMPT, messages: undefined } },
    end: /^event: response\.completed$/m,
    failed: /^event: (error|response\.failed)$/m,
  },
  'anthropic-messages': {
    question: { path: '/v1/messages', body: { max_tokens: 100 } },
    end: /^event: message_stop$/m,
    failed: /^event: error$/m,
  },
};

describe('a route asked in another format than its vendors speak', () => {
  let lab: RouteLab;
  before(async () => {
    lab = await startRouteLab({ limits: { max_line: '256KB' } });
  });
  after(() => lab[Symbol.asyncDispose]());
  afterEach(() => lab.forget());

  for (const [surface, { question, end, failed }] of Object.entries(SURFACES)) {
    for (const stream of [false, true]) {
      for (const name of QUICK) {
        const strike = STRIKES[name][stream ? 'stream' : 'whole'];
        const title = `${surface}, ${stream ? 'stream' : 'whole'}, ${name}`;
        if (strike.at === 'before') {
          test(`${title}: the second target answers`, async () => {
            const { answer, detail } = await ask({ ...question, stream }, name);
            assert.deepEqual([answer.status, answer.header('service-provider')], [200, 'two']);
            if (stream) assert.match(answer.body().toString(), end);
            assert.match(wordsOf(answer, stream), /Hello/);
            assert.deepEqual(
              detail.attempts.map(({ provider, error }) => [provider, error]),
              [
                ['one', strike.attempt.error],
                ['two', null],
              ],
            );
            assert.deepEqual([detail.row.status, detail.row.cost_usd], ['succeeded', costAt('two', 9, 8)]);
          });
        }
        if (strike.at === 'after') {
          test(`${title}: an error event, no end, and nobody else is asked`, async () => {
            const two = lab.counts().two;
            const { answer, detail } = await ask({ ...question, stream }, name);
            assert.deepEqual([answer.status, answer.ending], [200, 'complete']);
            const text = answer.body().toString();
            assert.match(text, failed);
            assert.doesNotMatch(text, end);
            assert.deepEqual(
              detail.attempts.map(({ provider, error }) => [provider, error]),
              [['one', strike.attempt.error]],
            );
            assert.equal(detail.row.status, 'failed');
            assert.equal(lab.counts().two, two);
          });
        }
      }
    }
  }

  for (const name of ['overloaded', 'server-error', 'reset-before-headers', 'unauthorized', 'empty-body'] as const) {
    test(`embeddings, ${name}: the second target answers`, async () => {
      const question = { path: '/v1/embeddings', body: { input: ['a', 'b'], messages: undefined } };
      const { answer } = await ask(question, name);
      assert.deepEqual([answer.status, answer.header('service-provider')], [200, 'two']);
      assert.equal((field(JSON.parse(answer.body().toString()), 'data') as unknown[]).length, 2);
    });
  }

  async function ask(question: Question, fault: FaultName) {
    lab.vendors.one.plan(fault);
    using call = await lab.ask({ ...question, model: ROUTE_OF[2] });
    const answer = await call.answer();
    await lab.released();
    const detail = await call.detail();
    if (refusesKey(fault)) await lab.recover();
    return { answer, detail };
  }
});

/** All that an answer says, of whatever kind. */
function wordsOf(answer: RawAnswer, stream: boolean): string {
  return stream ? payloads(answer).join('\n') : answer.body().toString();
}
