import assert from 'node:assert/strict';
import { statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../fixtures.test.ts';
import { journalLength, listJournals, readJournal } from './files.ts';
import { FileJournal } from './journal.ts';

test('a journal is made with its first record, closed to other users, and gone through in order', (t) => {
  const folder = temporaryFolder(t);
  const journal = new FileJournal({ folder, instanceId: 'instance_1', sync: true });
  assert.deepEqual(listJournals(folder), []);
  const one = journal.append(['1', '2']);
  const two = journal.append(['3']);
  assert.equal(one.file, two.file);
  assert.deepEqual(listJournals(folder), [{ file: one.file, instanceId: 'instance_1' }]);
  assert.equal(statSync(join(folder, one.file)).mode & 0o777, 0o600);
  assert.match(readJournal(folder, one.file, 0).toString(), /^[0-9a-f]{8} \[1,2\]\n[0-9a-f]{8} \[3\]\n$/);
  assert.equal(readJournal(folder, one.file, one.end).length, two.end - one.end);
});

test('a write that is cut leaves nothing behind, and the next goes to a file of its own', (t) => {
  const folder = temporaryFolder(t);
  let full = false;
  const write = (descriptor: number, line: Buffer) => writeSync(descriptor, full ? line.subarray(0, 12) : line);
  const journal = new FileJournal({ folder, instanceId: 'instance_1', sync: false, write });
  const { file, end } = journal.append(['1']);
  full = true;
  assert.throws(() => journal.append(['2']), /12 of 13 bytes could be written/);
  assert.equal(journalLength(folder, file), end);
  full = false;
  const next = journal.append(['3']);
  assert.notEqual(next.file, file);
  assert.deepEqual(
    listJournals(folder).map((each) => each.file),
    [file, next.file],
  );
});

test('a journal that has grown long is left for a new one, and so is one that was ended', (t) => {
  const folder = temporaryFolder(t);
  const journal = new FileJournal({ folder, instanceId: 'instance_1', sync: false, maxLength: 20 });
  const files = ['1', '2', '3', '4'].map((record) => journal.append([record]).file);
  assert.deepEqual(
    files.map((file) => files.indexOf(file)),
    [0, 0, 2, 2],
  );
  journal.close();
  const last = journal.append(['5']).file;
  assert(!files.includes(last));
  assert.deepEqual(
    listJournals(folder).map(({ file }) => file),
    [files[0], files[2], last],
  );
});

test('a journal that is gone holds nothing', (t) => {
  const folder = temporaryFolder(t);
  assert.equal(readJournal(folder, 'journal.instance_1.000001.00000000', 0).length, 0);
  assert.equal(journalLength(folder, 'journal.instance_1.000001.00000000'), 0);
});
