import assert from 'node:assert/strict';
import { lstatSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { StoredLists } from './stored-lists.ts';
import { EMPTY_VENDOR_LIST, updateVendorList } from './vendor-list.ts';

const folder = await mkdtemp(join(tmpdir(), 'headgate-lists-'));
after(() => rm(folder, { recursive: true }));

function failing(error: unknown): never {
  throw error;
}

function listAt(heardAt: number, ...models: string[]) {
  return { models, gone: new Map([['old', '2026-10-23']]), facts: new Map([['a', { contextWindow: 5 }]]), heardAt };
}

test('what is written is read again, and nothing else is left in the folder', async () => {
  const path = join(folder, 'round.json');
  const lists = new Map([['lab http://lab', listAt(5000, 'a', 'meta/b')]]);
  await new StoredLists(path, failing).write(lists);
  assert.deepEqual(new StoredLists(path, failing).read(), lists);
  assert.deepEqual(readdirSync(folder), ['round.json']);
});

test('what another process has heard since stays, and lists of other providers do', async () => {
  const path = join(folder, 'two.json');
  const [one, other] = [new StoredLists(path, failing), new StoredLists(path, failing)];
  await one.write(
    new Map([
      ['lab x', listAt(5000, 'new')],
      ['spare x', listAt(1, 'b')],
    ]),
  );
  await other.write(
    new Map([
      ['lab x', listAt(4000, 'old')],
      ['third x', listAt(2, 'c')],
    ]),
  );
  const read = one.read();
  assert.deepEqual([...read.keys()].sort(), ['lab x', 'spare x', 'third x']);
  assert.deepEqual(read.get('lab x')?.models, ['new']);
});

test('of many providers those heard last are kept', async () => {
  const path = join(folder, 'many.json');
  const lists = new StoredLists(path, failing);
  await lists.write(new Map(Array.from({ length: 300 }, (_, index) => [`p${index} x`, listAt(1000 * index, 'a')])));
  const read = lists.read();
  assert.equal(read.size, 100);
  assert.ok(read.has('p299 x') && !read.has('p100 x'));
});

test('a file that is broken, or has what no program wrote, is told of or left out, and written anew', async () => {
  const path = join(folder, 'broken.json');
  const told: unknown[] = [];
  const lists = new StoredLists(path, (error) => told.push(error));
  assert.equal(lists.read().size, 0);
  assert.equal(told.length, 0, 'no file is no fault');
  writeFileSync(path, '{"lists":');
  assert.equal(lists.read().size, 0);
  assert.equal(told.length, 1);
  const odd = {
    heard_at: '2026-11-22T00:00:00.000Z',
    models: ['a', 7, 'b c', ''],
    gone: { x: 'never', y: '2026-01-02' },
  };
  writeFileSync(path, JSON.stringify({ lists: { good: odd, bad: { models: 'a' }, worse: null } }));
  const read = lists.read();
  assert.deepEqual([...read.keys()], ['good']);
  assert.deepEqual([read.get('good')?.models, [...(read.get('good')?.gone ?? [])]], [['a'], [['y', '2026-01-02']]]);
  await lists.write(new Map([['lab x', listAt(1, 'a')]]));
  assert.ok(readFileSync(path, 'utf8').includes('"lab x"'));
});

test('a file that is there and cannot be read is told of, and left as it is until it can be', async () => {
  const path = join(folder, 'locked.json');
  const real = `${path}.real`;
  await new StoredLists(real, failing).write(new Map([['lab x', listAt(1, 'a')]]));
  // A link to itself cannot be read, even by root.
  symlinkSync(path, path);
  const told: NodeJS.ErrnoException[] = [];
  const lists = new StoredLists(path, (error) => told.push(error as NodeJS.ErrnoException));
  await lists.write(new Map([['spare x', listAt(2, 'b')]]));
  assert.deepEqual(
    told.map(({ code }) => code),
    ['ELOOP'],
  );
  assert.ok(lstatSync(path).isSymbolicLink());
  renameSync(real, path);
  await lists.writeAgain();
  assert.deepEqual([...lists.read().keys()].sort(), ['lab x', 'spare x']);
});

test('a file that is broken when it is written is told of', async () => {
  const path = join(folder, 'broken-later.json');
  writeFileSync(path, '{"lists":');
  const told: unknown[] = [];
  await new StoredLists(path, (error) => told.push(error)).write(new Map([['lab x', listAt(1, 'a')]]));
  assert.match(String(told), /broken-later\.json is broken, and is written anew/);
  assert.deepEqual([...new StoredLists(path, failing).read().keys()], ['lab x']);
});

test('where nothing can be written that is told, and where nothing may be it is not tried', async () => {
  const told: unknown[] = [];
  const path = join(folder, 'no-such-folder', 'lists.json');
  await new StoredLists(path, (error) => told.push(error)).write(new Map([['lab x', listAt(1, 'a')]]));
  assert.equal(told.length, 1);
  await new StoredLists(path, failing, true).write(new Map([['lab x', listAt(1, 'a')]]));
});

test('what a list has no more is remembered with the day, and forgotten once it is back', () => {
  const first = updateVendorList(EMPTY_VENDOR_LIST, ['a', 'b'], '2026-11-01');
  assert.equal(updateVendorList(first, ['a', 'b'], '2026-11-02'), first);
  const second = updateVendorList(first, ['b', 'c'], '2026-11-02');
  assert.deepEqual([second.models, [...second.gone]], [['b', 'c'], [['a', '2026-11-02']]]);
  const third = updateVendorList(second, ['c'], '2026-11-03');
  assert.deepEqual(
    [...third.gone],
    [
      ['a', '2026-11-02'],
      ['b', '2026-11-03'],
    ],
  );
  assert.deepEqual([...updateVendorList(third, ['a', 'c'], '2026-11-04').gone], [['b', '2026-11-03']]);
});

test('a vendor that lists other names each time fills no memory', () => {
  let list = EMPTY_VENDOR_LIST;
  for (let day = 0; day < 5; day += 1) {
    const models = Array.from({ length: 800 }, (_, index) => `m${day}-${index}`);
    list = updateVendorList(list, models, '2026-11-22');
  }
  assert.equal(list.gone.size, 1000);
  assert.ok(list.gone.has('m3-799') && !list.gone.has('m0-0'));
});

test('a file that cannot be looked at is told of where it is read, and does not end the process that looks', () => {
  const path = join(folder, 'leads-to-itself.json');
  symlinkSync(path, path);
  const told: unknown[] = [];
  const lists = new StoredLists(path, (error) => told.push(error));
  assert.equal(lists.version(), null);
  assert.deepEqual(lists.read(), new Map());
  assert.match(String(told), /ELOOP/);
});
