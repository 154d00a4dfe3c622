import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { Secret } from '../core/secret.ts';
import { loadPepper } from './pepper.ts';

const root = mkdtempSync(join(tmpdir(), 'headgate-pepper-'));
after(() => rmSync(root, { recursive: true }));
let folders = 0;

test('the first use makes a file that only its owner can read, and later uses read it', () => {
  const folder = newFolder();
  const pepper = loadPepper(folder, null).reveal();
  assert.match(pepper, /^[0-9a-f]{64}$/);
  assert.equal(statSync(join(folder, 'pepper')).mode & 0o777, 0o600);
  assert.equal(loadPepper(folder, null).reveal(), pepper);
  assert.deepEqual(readdirSync(folder), ['pepper']);
  assert.notEqual(loadPepper(newFolder(), null).reveal(), pepper);
});

test('one from the environment is taken as it is, and no file is made', () => {
  const folder = newFolder();
  const given = new Secret('p'.repeat(32));
  assert.equal(loadPepper(folder, given), given);
  assert.deepEqual(readdirSync(folder), []);
});

test('where there are keys, a missing pepper is not replaced by another', () => {
  const folder = newFolder();
  assert.throws(() => loadPepper(folder, null, true), /There are API keys, but no pepper/);
  assert.deepEqual(readdirSync(folder), []);
  assert.equal(loadPepper(folder, null).reveal(), loadPepper(folder, null, true).reveal());
});

for (const [name, content] of [
  ['empty', ''],
  ['cut', 'ab'.repeat(20)],
  ['too long', 'ab'.repeat(33)],
  ['garbled', `${'ab'.repeat(31)}zz`],
  ['binary', '\u0000'.repeat(64)],
] as const) {
  test(`a file that is ${name} is an error, and is left alone`, () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'pepper'), content);
    assert.throws(
      () => loadPepper(folder, null),
      /^Error: The pepper in .*pepper is damaged: .*Restore it from a backup/,
    );
    assert.equal(readFileSync(join(folder, 'pepper'), 'utf8'), content);
  });
}

test('those who race to make it end up with the same one', async () => {
  const rounds = 40;
  const racers = 4;
  const rooms = Array.from({ length: rounds }, newFolder);
  const gate = new Int32Array(new SharedArrayBuffer(rounds * Int32Array.BYTES_PER_ELEMENT));
  const url = new URL('./pepper.ts', import.meta.url).href;
  const workerData = { url, rooms, gate, racers };
  const found = await Promise.all(
    Array.from({ length: racers }, () => resultOf(new Worker(RACER, { eval: true, workerData }))),
  );
  for (const [round, room] of rooms.entries()) {
    const winner = loadPepper(room, null).reveal();
    for (const peppers of found) assert.equal(peppers[round], winner);
    assert.deepEqual(readdirSync(room), ['pepper']);
  }
});

/** In each round it waits until all racers are there. */
const RACER = `
  const { parentPort, workerData: { url, rooms, gate, racers } } = require('node:worker_threads');
  import(url).then(({ loadPepper }) => {
    parentPort.postMessage(rooms.map((room, round) => {
      Atomics.add(gate, round, 1);
      while (Atomics.load(gate, round) < racers);
      return loadPepper(room, null).reveal();
    }));
  });
`;

function resultOf(worker: Worker): Promise<string[]> {
  return new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
}

function newFolder(): string {
  folders += 1;
  const folder = join(root, String(folders));
  mkdirSync(folder);
  return folder;
}
