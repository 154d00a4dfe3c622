import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AnswerEvent, foldEvents } from '../../core/answer.ts';
import type { AnswerPart } from '../../core/call.ts';
import { readThinkTags, withoutThinkTags } from './think-tags.ts';

const STOP = { reason: 'stop' } as const;
const START: AnswerEvent = { kind: 'start', id: null, model: null, createdAt: null };

function said(...texts: string[]): AnswerEvent[] {
  return [
    START,
    { kind: 'part-start', part: 0, choice: 0, head: { kind: 'text' } },
    ...texts.map((text) => ({ kind: 'part-delta', part: 0, delta: { kind: 'text', text } }) as const),
    { kind: 'part-end', part: 0 },
    { kind: 'finish', choices: [STOP], usage: null },
  ];
}

function read(events: readonly AnswerEvent[]): AnswerEvent[] {
  const next = readThinkTags();
  return events.flatMap((event) => [...next(event)]);
}

function partsOf(events: readonly AnswerEvent[]): readonly AnswerPart[] {
  return foldEvents(read(events)).choices[0]!.parts;
}

const thought = (text: string) => ({ kind: 'reasoning', text, form: 'full', seal: null }) as const;
const spoken = (text: string) => ({ kind: 'text', text }) as const;

const TEXTS: [string, AnswerPart[]][] = [
  ['<think>Why?</think>\n\nSo.', [thought('Why?'), spoken('So.')]],
  [' \n<think>\nWhy < 2?</thin </think>So. </think>', [thought('\nWhy < 2?</thin '), spoken('So. </think>')]],
  ['<think>\n\n</think>\n\nSo.', [spoken('So.')]],
  ['<think>Why?', [thought('Why?')]],
  ['<think>Why?</think>', [thought('Why?')]],
  ['<think>Why?</thi', [thought('Why?</thi')]],
  ['So. <think>Why?</think>', [spoken('So. <think>Why?</think>')]],
  ['<thinking>Why?</thinking>', [spoken('<thinking>Why?</thinking>')]],
  ['  So.', [spoken('  So.')]],
  ['<thi', [spoken('<thi')]],
  [' ', [spoken(' ')]],
  [`${' '.repeat(65)}<think>Why?</think>So.`, [spoken(`${' '.repeat(65)}<think>Why?</think>So.`)]],
  ['<think>🤔 is é</think>Ünd.', [thought('🤔 is é'), spoken('Ünd.')]],
];

for (const [text, parts] of TEXTS) {
  test(`${JSON.stringify(text).slice(0, 60)}: the same whole, and cut anywhere`, () => {
    assert.deepEqual(withoutThinkTags(foldEvents(said(text))).choices[0]!.parts, parts);
    assert.deepEqual(partsOf(said(...text)), parts);
    for (let cut = 1; cut < text.length; cut += 1) {
      assert.deepEqual(partsOf(said(text.slice(0, cut), text.slice(cut))), parts);
    }
  });
}

test('thinking is told as it comes, but for what may be the closing tag', () => {
  const told = read(said('<think>Wh', 'y?<', '/b></th', 'ink>S', 'o.')).flatMap((event) =>
    event.kind === 'part-delta' && event.delta.kind === 'text' ? [[event.part, event.delta.text]] : [],
  );
  assert.deepEqual(told, [
    [0, 'Wh'],
    [0, 'y?'],
    [0, '</b>'],
    [1, 'S'],
    [1, 'o.'],
  ]);
});

test('each choice has thinking of its own, and parts keep their order', () => {
  const text = (part: number, words: string) =>
    ({ kind: 'part-delta', part, delta: { kind: 'text', text: words } }) as const;
  const answer = foldEvents(
    read([
      START,
      { kind: 'part-start', part: 0, choice: 0, head: { kind: 'text' } },
      { kind: 'part-start', part: 1, choice: 1, head: { kind: 'text' } },
      text(1, '<think>B</think>b'),
      text(0, '<think>A</th'),
      text(0, 'ink>a'),
      { kind: 'part-end', part: 0 },
      { kind: 'part-start', part: 2, choice: 0, head: { kind: 'tool-call', id: 'c', name: 'f', form: 'function' } },
      text(2, '{}'),
      { kind: 'part-end', part: 2 },
      { kind: 'part-start', part: 3, choice: 0, head: { kind: 'text' } },
      text(3, '<think>no</think>'),
      { kind: 'part-end', part: 3 },
      { kind: 'part-end', part: 1 },
      { kind: 'finish', choices: [STOP, STOP], usage: null },
    ]),
  );
  const call = { kind: 'tool-call', id: 'c', name: 'f', form: 'function', input: '{}' };
  assert.deepEqual(answer.choices[0]!.parts, [thought('A'), spoken('a'), call, spoken('<think>no</think>')]);
  assert.deepEqual(answer.choices[1]!.parts, [thought('B'), spoken('b')]);
});

test('a citation counts from where the text begins', () => {
  const text = '<think>Why?</think>\nSo it is.';
  const at = text.indexOf('So');
  const cited = (start: number, end: number) => ({ kind: 'url', url: 'http://a', title: '', start, end }) as const;
  const [start, begin, delta, ...rest] = said(text);
  const citation = { kind: 'part-delta', part: 0, delta: { kind: 'citation', citation: cited(at, at + 2) } } as const;
  assert.deepEqual(partsOf([start!, begin!, delta!, citation, ...rest]), [
    thought('Why?'),
    { ...spoken('So it is.'), citations: [cited(0, 2)] },
  ]);
});
