import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, type AnswerEvent, foldEvents, unfoldAnswer } from './answer.ts';
import { GatewayError } from './errors.ts';
import type { Seal } from './seal.ts';
import { usageOf } from './usage.ts';

const SEAL: Seal = { dialect: 'gemini', provider: null, form: 'signature', id: null, value: 's' };
const LOGPROB = { token: 'a', logprob: -1, bytes: [97], top_logprobs: [] };

const ANSWER: Answer = {
  id: 'a1',
  model: 'm',
  createdAt: 7,
  choices: [
    {
      parts: [
        { kind: 'reasoning', text: 'Hm.', form: 'summary', seal: SEAL },
        { kind: 'reasoning', text: '', form: 'full', seal: { ...SEAL, form: 'redacted' } },
        {
          kind: 'text',
          text: 'One',
          citations: [{ kind: 'url', url: 'http://a.invalid', title: 'A', start: 0, end: 3 }],
          logprobs: [LOGPROB],
        },
        { kind: 'tool-call', id: 't1', name: 'look', input: '{"a":1}', form: 'function' },
        { kind: 'native', dialect: 'gemini', type: 'x', value: { y: [1] } },
      ],
      finish: { reason: 'tool-calls' },
    },
    { parts: [{ kind: 'refusal', text: 'No.' }], finish: { reason: 'stop', stopSequence: '.' } },
    { parts: [{ kind: 'text', text: '' }], finish: { reason: 'length' } },
  ],
  usage: usageOf({ inputTokens: 3, outputTokens: 4 }),
};

test('an answer comes back from its events as it was', () => {
  assert.deepEqual(foldEvents(unfoldAnswer(ANSWER)), ANSWER);
});

test('parts that overlap are each whole', () => {
  const call = (id: string) => ({ kind: 'tool-call', id, name: 'f', form: 'function' }) as const;
  const text = (part: number, added: string): AnswerEvent => ({
    kind: 'part-delta',
    part,
    delta: { kind: 'text', text: added },
  });
  const { choices } = foldEvents([
    { kind: 'start', id: null, model: null, createdAt: null },
    { kind: 'part-start', part: 0, choice: 0, head: call('a') },
    text(0, '{"x"'),
    { kind: 'part-start', part: 1, choice: 0, head: call('b') },
    text(1, '{'),
    text(0, ':1}'),
    text(1, '}'),
    { kind: 'part-end', part: 1 },
    { kind: 'part-end', part: 0 },
    { kind: 'finish', choices: [{ reason: 'tool-calls' }], usage: null },
  ]);
  assert.deepEqual(choices[0]?.parts, [
    { ...call('a'), input: '{"x":1}' },
    { ...call('b'), input: '{}' },
  ]);
});

test('a stream that failed, or was cut, folds to no answer', () => {
  const error = new GatewayError('upstream_error', 'no');
  assert.throws(() => foldEvents([{ kind: 'failure', error }]), error);
  assert.throws(() => foldEvents(unfoldAnswer(ANSWER).slice(0, -1)), TypeError);
});
