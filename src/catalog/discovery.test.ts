import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Upstream } from '../core/ports.ts';
import { provider } from '../testing/routes.ts';
import { Discovery, type DiscoveryRound } from './discovery.ts';
import { StoredLists } from './stored-lists.ts';

const folder = await mkdtemp(join(tmpdir(), 'headgate-discovery-'));
after(() => rm(folder, { recursive: true }));

const LAB = provider('lab');
const OTHER = provider('other');
const LIST = Buffer.from('{"object":"list","data":[{"id":"small"}]}');

const said = new EventEmitter();

/** A vendor with a constant answer. */
const upstream: Upstream = {
  send(_request, listener) {
    queueMicrotask(() => {
      listener.onStart(200, { 'content-type': 'application/json' });
      listener.onData(LIST);
      listener.onEnd();
      setImmediate(() => said.emit('list'));
    });
    return { pause() {}, resume() {}, abort() {} };
  },
};

/** The start waits for no provider. */
const ROUND: DiscoveryRound = {
  upstream,
  asked: [],
  local: null,
  onChange: () => undefined,
  onError: (_asked, error) => assert.fail(String(error)),
};

/** Two processes with one folder: one asks, the other reads what the first stores. */
function processes(path: string) {
  const told: unknown[] = [];
  const lists = () => new StoredLists(path, (error) => told.push(error));
  const clock = { now: () => 1_000_000 };
  const asking = new Discovery(clock, lists());
  const reading = new Discovery(clock, lists(), false);
  const ask = async (providers = [LAB]) => {
    const heard = once(said, 'list');
    await asking.follow({
      ...ROUND,
      asked: providers.map((each) => ({ provider: each, dialectHeaders: {}, isNeeded: false })),
    });
    await heard;
    await asking.end();
  };
  const read = async (of = LAB) => {
    await reading.follow(ROUND);
    reading.stop();
    return reading.listOf(of).models;
  };
  return { ask, read, told };
}

test('what could not be kept is kept when the vendor is heard again, though it says the same: other processes read it', async () => {
  const path = join(folder, 'full', 'lists.json');
  const { ask, read, told } = processes(path);
  await ask();
  assert.deepEqual([told.length, await read()], [1, []]);
  mkdirSync(join(folder, 'full'));
  await ask();
  assert.deepEqual([told.length, await read()], [1, ['small']]);
});

test('a file that was deleted is written again, with all that is known, when a vendor says the same as before', async () => {
  const path = join(folder, 'deleted.json');
  const { ask, read } = processes(path);
  await ask([LAB, OTHER]);
  await rm(path);
  await ask([LAB]);
  assert.deepEqual(await read(), ['small']);
  assert.deepEqual(await read(OTHER), ['small']);
});

test('a file that is broken is replaced by what is heard', async () => {
  const path = join(folder, 'broken.json');
  writeFileSync(path, '{"lists":');
  const { ask, read } = processes(path);
  await ask();
  assert.deepEqual(await read(), ['small']);
});
