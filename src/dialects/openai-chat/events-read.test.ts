import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readEvents } from './events-read.ts';

test('a piece of a stream is nested up to 512 deep, and with one more the stream fails', () => {
  // The chunk and the list of its choices are two of the levels.
  assert.deepEqual(kindsOf(chunk(0, '['.repeat(510) + ']'.repeat(510))), ['start']);
  assert.deepEqual(kindsOf(chunk(0, '['.repeat(511) + ']'.repeat(511))), ['failure']);
});

test('a choice has an index below 128, as many as a call may ask for; any other is read as the first', () => {
  assert.deepEqual(choicesOf([127, 128, -1, 1.5]), [127, 0]);
});

function chunk(index: number, vendorsOwn: string): string {
  return `{"id":"c","choices":[],"index":${index},"own":[${vendorsOwn}]}`;
}

function kindsOf(data: string): string[] {
  return readEvents()
    .push({ event: null, data })
    .map(({ kind }) => kind);
}

/** The choices that a stream has parts of, in the order in which they began. */
function choicesOf(indexes: readonly number[]): number[] {
  const reader = readEvents();
  return indexes.flatMap((index) => {
    const choices = [{ index, delta: { content: 'word' } }];
    const events = reader.push({ event: null, data: JSON.stringify({ id: 'c', choices }) });
    return events.flatMap((event) => (event.kind === 'part-start' ? [event.choice] : []));
  });
}
