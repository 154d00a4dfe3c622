import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { WRITE_CHECK_FILE } from '../../src/store/disk-state.ts';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { WAIT_MS } from '../../src/testing/wait.ts';
import { type Running, startHeadgate } from '../support/headgate.ts';
import { mountSmallDisk, NO_SMALL_DISK } from '../support/small-disk.ts';
import { type Asked, ask, chat } from '../workers/ask.ts';

const TOLD = /"level":50.*disk or a quota is full/g;

/** Names, lengths and times of all that is kept, but for the time of the file that a check writes to and empties. */
function kept(folder: string): string[] {
  return readdirSync(folder).map((file) => {
    const { size, mtimeMs } = statSync(join(folder, file));
    return `${file} ${size} ${file === WRITE_CHECK_FILE ? '' : mtimeMs}`;
  });
}

async function until(headgate: Running, path: string, isWanted: (answer: Asked) => boolean): Promise<void> {
  let answer: Asked | null = null;
  for (const deadline = performance.now() + WAIT_MS; performance.now() < deadline; await delay(50)) {
    answer = await ask(headgate, path);
    if (isWanted(answer)) return;
  }
  assert.fail(`${path} still says ${answer?.status} ${answer?.text}`);
}

test('whoever asks for readiness, and however often, writes nothing', async () => {
  await using headgate = await startHeadgate();
  assert.equal((await ask(headgate, '/readyz')).status, 200);
  const before = kept(headgate.data);
  for (let time = 0; time < 50; time += 1) assert.equal((await ask(headgate, '/readyz')).status, 200);
  assert.deepEqual(kept(headgate.data), before);
});

for (const workers of [1, 2]) {
  const who = workers === 1 ? 'one process' : `${workers} workers`;
  test(`a full disk is told by ${who} in the log, once, and in /readyz; and so is its end`, {
    skip: NO_SMALL_DISK,
  }, async () => {
    using disk = mountSmallDisk();
    await using vendor = await startVendor();
    await using headgate = await startHeadgate({
      config: `providers: { lab: { base_url: "${vendor.url}", only: [small] } }`,
      data: join(disk.path, 'data'),
      args: ['--workers', String(workers)],
    });
    const call = () => ask(headgate, '/v1/chat/completions', chat('small'));
    assert.equal((await call()).status, 200);
    disk.fill();
    const statuses = new Set<number>();
    // A journal has room to the end of its last page.
    for (let calls = 0; calls < 40; calls += 1) statuses.add((await call()).status);
    assert.deepEqual(
      [...statuses].filter((status) => status !== 200),
      [503],
    );
    await until(headgate, '/readyz', ({ status }) => status === 503);
    for (let time = 0; time < 2 * workers; time += 1) {
      const { text } = await ask(headgate, '/readyz');
      assert.deepEqual(JSON.parse(text), {
        status: 'unavailable',
        reason: 'The gateway cannot write its records: its disk is full.',
        storage: 'full',
      });
    }
    await headgate.waitForLine(/"level":50/);
    assert.equal(headgate.stderr().match(TOLD)?.length, 1, headgate.stderr());
    assert.match(headgate.stderr(), /Calls are refused with 503/);
    const acknowledged = await recordsOf(headgate).catch(() => null);

    disk.free();
    await headgate.waitForLine(/can be written again/);
    await until(headgate, '/readyz', ({ status }) => status === 200);
    for (let time = 0; time < 2 * workers; time += 1) assert.equal((await call()).status, 200);
    assert.equal(headgate.stderr().match(/can be written again/g)?.length, 1);
    assert((await recordsOf(headgate)) >= (acknowledged ?? 0) + 2 * workers);
  });
}

async function recordsOf(headgate: Running): Promise<number> {
  return (await headgate.usage({ limit: '100' })).data.length;
}

async function startVendor() {
  const vendor = await startFakeProvider();
  return Object.assign(vendor, { [Symbol.asyncDispose]: () => vendor.close() });
}
