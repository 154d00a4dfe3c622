import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attempt, decision, intent, routed, settlement } from '../fixtures.test.ts';
import { readGroups, writeGroup } from './groups.ts';
import { type JournalRecord, writeIntent, writeSettlement } from './record-json.ts';

const first = intent(1, { clientRequestId: 'a line\nand “words”', streamed: true });
const unpriced = intent(2, { price: null });
const second = settlement(unpriced, { cost: null, errorKind: 'upstream_error', timeToFirstTokenMs: 7 });
const third = settlement(first, { cost: 9_007_199_254_740_993n });
const GROUPS: [JournalRecord[], Buffer][] = [
  [[{ intent: first, priceVersion: null }], writeGroup([writeIntent(first, null)])],
  [
    [
      { intent: unpriced, priceVersion: null },
      { settlement: second, priceVersion: null },
    ],
    writeGroup([writeIntent(unpriced, null), writeSettlement(second, null)]),
  ],
  [[{ settlement: third, priceVersion: null }], writeGroup([writeSettlement(third, null)])],
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

test('names of callers and vendors that can be stored are read as they were', () => {
  for (const name of ['a "b"', 'a\\b', 'é', '\u2028', 'a\u001f\u007f', "'", '😀']) {
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
    const [group] = readGroups(writeGroup([writeIntent(call, null), writeSettlement(end, null)]), 0);
    assert.deepEqual(
      group?.records,
      [
        { intent: call, priceVersion: null },
        { settlement: end, priceVersion: null },
      ],
      JSON.stringify(name),
    );
  }
});

test('a price that the tables have is told by the id of its version', () => {
  const [group] = readGroups(writeGroup([writeIntent(first, 'version_1')]), 0);
  assert.deepEqual(group?.records, [{ intent: { ...first, price: null }, priceVersion: 'version_1' }]);
});

test('what routes, tools and credentials add is read as it was; where there is nothing to add, nothing stands', () => {
  const caller = { source: 'developer_tool', tool: { name: 'codex', version: '0.169.0' } } as const;
  const calls = [intent(1, caller), intent(2, { source: 'product', product: 'help “desk”' })];
  const plain = attempt(first);
  const ends = [
    settlement(first, {
      routed: routed(),
      attempts: [{ ...plain, credential: 'second', possiblyBilled: true }, plain],
    }),
    settlement(first, { routed: routed({ vendorCost: null, price: null, decision: null }), attempts: [] }),
    settlement(first, { routed: routed({ decision: decision({ seed: 0.5 }) }) }),
  ];
  const texts = [...calls.map((call) => writeIntent(call, null)), ...ends.map((end) => writeSettlement(end, null))];
  const [group] = readGroups(writeGroup(texts), 0);
  assert.deepEqual(group?.records, [
    ...calls.map((call) => ({ intent: call, priceVersion: null })),
    ...ends.map((end) => ({ settlement: end, priceVersion: null })),
  ]);
  assert.equal(lengthOf(writeIntent(first, null)), 16);
  assert.equal(lengthOf(writeSettlement(third, null)), 16);
  assert.equal(JSON.parse(writeSettlement(third, null))[14][0].length, 9);
});

test('what was held, what counted and what was not believed are read as they were, with and without a route', () => {
  const calls = [
    intent(1, { held: 9_007_199_254_740_993n }),
    intent(2, { held: 0n, source: 'product', product: 'desk' }),
  ];
  const reported = { ...third.usage, inputTokens: 1e12, serviceTier: 'flex' };
  const ends = [
    settlement(first, { cost: null, counted: 9_007_199_254_740_993n }),
    settlement(first, { reported }),
    settlement(first, { cost: null, counted: 5n, reported, routed: routed() }),
  ];
  const texts = [...calls.map((call) => writeIntent(call, null)), ...ends.map((end) => writeSettlement(end, null))];
  const [group] = readGroups(writeGroup(texts), 0);
  assert.deepEqual(group?.records, [
    ...calls.map((call) => ({ intent: call, priceVersion: null })),
    ...ends.map((end) => ({ settlement: end, priceVersion: null })),
  ]);
});

test('of an unknown cost in a journal of before, what is known of it counts; and its names are bounded', () => {
  const names = Array.from({ length: 50_000 }, (_, index) => `field_${index}`);
  const before =
    '["s","usage_00000001","org_1","key_1",5,"succeeded",200,null,[9,4,0,0,1,0,0,0,null],"provider",' +
    `[["input",5,"150000","750"]],null,7,null,[],${JSON.stringify(names)}]`;
  const [group] = readGroups(writeGroup([before]), 0);
  const [record] = group!.records;
  assert(record !== undefined && 'settlement' in record);
  const { cost, counted, reported, dropped } = record.settlement;
  assert.deepEqual([cost, counted, reported], [null, 750n, null]);
  assert(JSON.stringify(dropped).length < 4096);
  assert.match(dropped.at(-1)!, /^\+\d+ more$/);
});

test('the price that a route charged by is told by the id of its version, too', () => {
  const end = settlement(first, { routed: routed() });
  const [group] = readGroups(writeGroup([writeSettlement(end, 'version_2')]), 0);
  assert.deepEqual(group?.records, [
    { settlement: { ...end, routed: routed({ price: null }) }, priceVersion: 'version_2' },
  ]);
});

test('records of before routes are read as calls without one', () => {
  const before =
    '["s","usage_00000001","org_1","key_1",5,"succeeded",200,null,[9,0,0,0,1,0,0,0,null],"provider",' +
    '[["input",9,"150000","1350"]],"1350",7,null,[["lab","lab-small","succeeded",200,null,null,5,7,"provider"]],[]]';
  const [group] = readGroups(writeGroup([before]), 0);
  const [record] = group!.records;
  assert(record !== undefined && 'settlement' in record);
  assert.equal(record.settlement.routed, null);
  assert.deepEqual(record.settlement.attempts, [
    attempt(first, { startedAt: 5, endedAt: 7, credential: 'default', possiblyBilled: false }),
  ]);
  assert.equal(writeSettlement(record.settlement, null), before);
});

function lengthOf(json: string): number {
  return (JSON.parse(json) as unknown[]).length;
}
