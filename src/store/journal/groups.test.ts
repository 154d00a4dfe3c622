import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attempt, intent, settlement } from '../fixtures.test.ts';
import { readGroups, writeGroup } from './groups.ts';
import { type JournalRecord, writeIntent, writeSettlement } from './record-json.ts';

const first = intent(1, { clientRequestId: 'a line\nand “words”', streamed: true });
const unpriced = intent(2, { price: null });
const second = settlement(unpriced, { cost: null, errorKind: 'upstream_error', timeToFirstTokenMs: 7 });
const third = settlement(first, { cost: 9_007_199_254_740_993n });
const GROUPS: [JournalRecord[], Buffer][] = [
  [[{ intent: first, priceVersion: null }], writeGroup([writeIntent(first, null)])],
  [
    [{ intent: unpriced, priceVersion: null }, { settlement: second }],
    writeGroup([writeIntent(unpriced, null), writeSettlement(second)]),
  ],
  [[{ settlement: third }], writeGroup([writeSettlement(third)])],
];
const bytes = Buffer.concat(GROUPS.map(([, line]) => line));
const ends = GROUPS.map((_, index) => Buffer.concat(GROUPS.slice(0, index + 1).map(([, line]) => line)).length);

test('what is read is what was written, to the last digit', () => {
  const read = [...readGroups(bytes, 0)];
  assert.deepEqual(
    read.map(({ records }) => records),
    GROUPS.map(([records]) => records),
  );
  assert.deepEqual(
    read.map(({ end }) => end),
    ends,
  );
  assert.deepEqual([...readGroups(bytes.subarray(ends[0]), ends[0]!)], read.slice(1));
});

test('cut anywhere, a journal is read up to the last group that stands whole', () => {
  for (let length = 0; length <= bytes.length; length += 1) {
    const whole = ends.filter((end) => end <= length).length;
    assert.equal([...readGroups(bytes.subarray(0, length), 0)].length, whole, `cut at byte ${length}`);
  }
});

test('a group with a wrong byte ends the journal, and zeros do', () => {
  for (let at = ends[0]!; at < ends[1]!; at += 1) {
    const wrong = Buffer.from(bytes);
    wrong[at] = (wrong[at]! + 1) % 256;
    assert.equal([...readGroups(wrong, 0)].length, 1, `byte ${at}`);
  }
  assert.equal([...readGroups(Buffer.concat([bytes, Buffer.alloc(4_096)]), 0)].length, 3);
});

test('whatever names callers and vendors use, they are read as they were', () => {
  for (const name of ['a "b"', 'a\\b', 'é', '\u2028', 'a\u0000\u001f\u007f', "'", '\ud800']) {
    const call = intent(1, {
      clientRequestId: name,
      model: name,
      requestedModel: name,
      upstreamModel: name,
      provider: name,
    });
    const usage = { ...settlement(call).usage, serviceTier: name };
    const tries = [attempt(call, { upstreamRequestId: name, errorKind: 'upstream_error', httpStatus: null })];
    const end = settlement(call, { usage, attempts: tries, dropped: [name], lineItems: [], cost: 0n });
    const [group] = readGroups(writeGroup([writeIntent(call, null), writeSettlement(end)]), 0);
    assert.deepEqual(group?.records, [{ intent: call, priceVersion: null }, { settlement: end }], JSON.stringify(name));
  }
});

test('a price that the tables have is told by the id of its version', () => {
  const [group] = readGroups(writeGroup([writeIntent(first, 'version_1')]), 0);
  assert.deepEqual(group?.records, [{ intent: { ...first, price: null }, priceVersion: 'version_1' }]);
});

test('records that still have names are read as well', () => {
  const { price, ...intentJson } = first;
  const { cost, lineItems, ...settlementJson } = third;
  const texts = (value: unknown) =>
    JSON.parse(JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}` : each)));
  const named = [
    {
      intent: intentJson,
      price: {
        rates: JSON.stringify(texts(price?.rates)),
        tiers: JSON.stringify(texts(price?.tiers)),
        source: price?.source,
        date: price?.date,
      },
    },
    { settlement: { ...settlementJson, cost: `${cost}` }, lineItems: texts(lineItems) },
  ];
  const [group] = readGroups(writeGroup(named.map((each) => JSON.stringify(each))), 0);
  assert.deepEqual(group?.records, [{ intent: first, priceVersion: null }, { settlement: third }]);
});
