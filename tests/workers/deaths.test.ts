import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { runHeadgate, startHeadgate } from '../support/headgate.ts';
import { ask, begin, chat, isAlive, workersOf } from './ask.ts';

const vendor = await startFakeProvider();
const PRICE = '{ input_per_1m: 100, output_per_1m: 200 }';
const CONFIG = `providers: { lab: { base_url: "${vendor.url}", models: [{ id: small, price: ${PRICE} }] } }`;
const headgate = await startHeadgate({ config: CONFIG, args: ['--workers', '2'] });
after(async () => {
  await headgate[Symbol.asyncDispose]();
  await vendor.close();
});

/** Holds one call in each worker. Each resolves with its status, `null` where its connection was cut. */
async function holdTwo(): Promise<Promise<number | null>[]> {
  vendor.plan('slow-headers', { times: 2 });
  const open = [1, 2].map(() =>
    begin(headgate, '/v1/chat/completions', chat('small')).then(
      ({ status }) => status,
      () => null,
    ),
  );
  await vendor.waitFor(({ heldCalls }) => heldCalls() === 2);
  return open;
}

function countOf(table: string): unknown {
  using database = new DatabaseSync(join(headgate.data, 'headgate.db'), { readOnly: true });
  return database.prepare(`select count(*) as rows from ${table}`).get()?.rows;
}

async function statuses(): Promise<unknown[]> {
  return (await headgate.usage({ limit: '100' })).data.map(({ status }) => status);
}

test('what a killed worker left open is settled, what the other has open goes on, and a third takes the place', async () => {
  const open = await holdTwo();
  const [victim] = workersOf(headgate);
  process.kill(victim!, 'SIGKILL');
  const told = JSON.parse(await headgate.waitForLine(/ended unexpectedly/)) as Record<string, unknown>;
  assert.deepEqual([told.worker, told.how, told.interrupted], [victim, 'SIGKILL', 1]);
  assert.equal(countOf('key_spend'), 1);
  assert.equal(countOf('worker_spend'), 0, 'the sums of a worker end with it');
  vendor.release();
  assert.deepEqual((await Promise.all(open)).toSorted(), [200, null]);
  assert.deepEqual((await statuses()).toSorted(), ['interrupted', 'succeeded']);
  while (workersOf(headgate).length < 2) await ask(headgate, '/readyz');
  assert(!workersOf(headgate).includes(victim!));
});

test('workers of a killed primary end with it, and the next start settles what all left open', async () => {
  const before = (await statuses()).length;
  const open = await holdTwo();
  const workers = workersOf(headgate);
  await headgate.kill9();
  assert.deepEqual(await Promise.all(open), [null, null]);
  await headgate.restart();
  assert.deepEqual(workers.filter(isAlive), []);
  assert.match(headgate.stdout(), /Recovered +2 calls/);
  const after = await statuses();
  assert.deepEqual(after.slice(0, after.length - before), ['interrupted', 'interrupted']);
});

test('a second serve is refused, and the doctor names the one that serves', async () => {
  const second = await headgate.command('serve', '--workers', '2');
  assert.equal(second.code, 1);
  assert.match(second.stderr, new RegExp(`process ${headgate.pid}, since`));
  assert.match((await headgate.command('doctor')).stdout, new RegExp(`process ${headgate.pid} serves this data`));
});

test('a port that is taken is told as it is by one process', async () => {
  const port = new URL(headgate.url).port;
  const { code, stderr } = await runHeadgate(['serve', '--workers', '2'], { env: { HEADGATE_PORT: port } });
  assert.equal(code, 1);
  assert.match(stderr, new RegExp(`^Port ${port} on .* is taken\\.`));
});

for (const workers of ['0', '65', 'many', '1.5']) {
  test(`${workers} workers are refused`, async () => {
    const { code, stderr } = await runHeadgate(['serve', '--workers', workers]);
    assert.equal(code, 2);
    assert.equal(stderr, '--workers must be a whole number, from 1 to 64.\n');
  });
}
