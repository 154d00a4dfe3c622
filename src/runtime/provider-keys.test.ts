import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { Discovery } from '../catalog/discovery.ts';
import { createLog } from '../telemetry/log.ts';
import { modelsReply } from '../testing/answers.ts';
import { startFakeProvider } from '../testing/fake-provider.ts';
import { errorReply } from '../testing/reply.ts';
import { WAIT_MS } from '../testing/wait.ts';
import { ProviderKeys } from './provider-keys.ts';
import { CLOCK, readCatalog, readSetup } from './setup.ts';
import { makeSnapshot, openSockets } from './snapshot.ts';

const HOUR_MS = 60 * 60_000;
const ENV = { LAB_KEY: 'lab-key-0123456789' };
const TOLD = 'lab refuses its key: its models cannot be called until it has another.';

/** A restricted provider with one key, whose vendor refuses it while `isRefusing`. Timers run when the test says so. */
async function setUp(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const timers = t.mock.method(globalThis, 'setTimeout').mock;
  const vendor = await startFakeProvider();
  const key = { isRefusing: true };
  const answer = (path: string) =>
    key.isRefusing ? errorReply(401, { message: 'No.', type: 'invalid_api_key' }) : modelsReply(path, ['m']);
  vendor.plan(({ path }) => answer(path), { path: '/v1/models' });
  const text = `providers: { lab: { base_url: "${vendor.url}", api_key: "\${LAB_KEY}", only: [m] } }`;
  const setup = readSetup({ env: ENV, cwd: '/nowhere', read: { file: '/nowhere/headgate.yaml', text } });
  const sockets = await openSockets(setup.config, ENV);
  const discovery = new Discovery(CLOCK);
  const snapshot = makeSnapshot({ setup, catalog: readCatalog(setup.folder), discovery, sockets });
  const told: string[] = [];
  const keys = new ProviderKeys(createLog('info', { write: (line) => void told.push(JSON.parse(line).msg) }));
  t.after(async () => {
    keys.stop();
    await sockets.close();
    await vendor.close();
  });
  const roundsOver = () => timers.calls.filter((call) => call.arguments[1] === HOUR_MS).length;
  const nextHour = async () => {
    const before = roundsOver();
    t.mock.timers.tick(HOUR_MS);
    const deadline = performance.now() + WAIT_MS;
    while (roundsOver() === before) {
      assert.ok(performance.now() < deadline, 'the key is asked about again');
      await turn();
    }
  };
  const refused = () => keys.statuses(snapshot.providers, discovery).flatMap((each) => each.refusedCredentials);
  return { key, vendor, keys, snapshot, told, refused, nextHour };
}

test('a key is asked about each hour: told when it comes to be refused, and forgotten once it is not', async (t) => {
  const { key, keys, snapshot, told, refused, nextHour } = await setUp(t);
  await keys.follow(snapshot);
  assert.deepEqual([told, refused()], [[TOLD], ['default']]);
  await nextHour();
  assert.deepEqual([told, refused()], [[TOLD], ['default']], 'told once');
  key.isRefusing = false;
  await nextHour();
  assert.deepEqual(refused(), []);
  key.isRefusing = true;
  await nextHour();
  assert.deepEqual([told, refused()], [[TOLD, TOLD], ['default']]);
});

test('nobody is asked after the end', async (t) => {
  const { vendor, keys, snapshot, refused } = await setUp(t);
  await keys.follow(snapshot);
  keys.stop();
  t.mock.timers.tick(HOUR_MS);
  assert.deepEqual([vendor.listRequests.length, refused()], [1, []]);
});
