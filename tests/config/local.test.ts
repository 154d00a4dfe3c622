import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PRESETS } from '../../src/providers/presets.ts';
import { type FakeProvider, startFakeProvider } from '../../src/testing/fake-provider.ts';
import { startHeadgate } from '../support/headgate.ts';
import { chat, owners, served, writeConfig } from './ask.ts';

const LOCAL = PRESETS.flatMap(({ id, localPort }) => (localPort === undefined ? [] : [{ id, port: localPort }]));

const STARTS = 40;

type LocalServer = AsyncDisposable & { id: string; vendor: FakeProvider };

/** A made-up vendor on the first default port of a local server that nobody has. */
async function startLocalServer(models: string[]): Promise<LocalServer> {
  for (const { id, port } of LOCAL) {
    try {
      const vendor = await startFakeProvider({ port, models });
      return { id, vendor, [Symbol.asyncDispose]: () => vendor.close() };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
  throw new Error(`all of the ports ${LOCAL.map(({ port }) => port).join(', ')} are taken`);
}

test('without a file, a server on its default port is found, and called', async () => {
  await using local = await startLocalServer(['tiny', 'tiny-embed']);
  await using headgate = await startHeadgate();
  const names = await served(headgate);
  assert(names.includes(`${local.id}:tiny`) && names.includes(`${local.id}:tiny-embed`), names.join(' '));
  assert(names.includes('echo:echo/text-embedding-3-small'), 'a vendor is on');
  const { status, headers } = await chat(headgate, `${local.id}/tiny`);
  assert.deepEqual([status, headers.get('service-provider')], [200, local.id]);
  assert.equal(local.vendor.requests.at(-1)?.headers.authorization, undefined, 'it is called without a key');

  // A file that is written later names the providers from then on, and what was found is off.
  await writeConfig(headgate, 'aliases: { me: echo }');
  headgate.signal('SIGHUP');
  await headgate.waitForLine(/was reloaded/);
  assert.deepEqual(await owners(headgate), ['echo']);
});

test('with a file, nobody looks for servers', async () => {
  // Gateways of other tests that run meanwhile may look: of many starts one at least is seen by itself.
  const asked: number[] = [];
  for (let start = 0; start < STARTS && !asked.includes(0); start += 1) {
    await using local = await startLocalServer(['tiny']);
    await using headgate = await startHeadgate({ config: 'aliases: { me: echo }' });
    assert.deepEqual(await owners(headgate), ['echo']);
    asked.push(local.vendor.listRequests.length);
  }
  assert.ok(asked.includes(0), `asked ${asked.join(', ')} times`);
});

test('whoever answers without a list is no server of models', async () => {
  await using local = await startLocalServer([]);
  local.vendor.plan('wrong-content-type', { path: '/v1/models' });
  await using headgate = await startHeadgate();
  assert.ok(local.vendor.listRequests.length >= 1);
  assert(!(await owners(headgate)).includes(local.id));
});

test('the gateway’s own port is never taken for a server', async () => {
  await using held = await startLocalServer([]);
  const { id, port } = LOCAL.find((each) => each.id === held.id)!;
  await held.vendor.close();
  await using headgate = await startHeadgate({ env: { HEADGATE_PORT: `${port}` } });
  // At start nobody listens yet; now it does.
  headgate.signal('SIGHUP');
  await headgate.waitForLine(/was reloaded/);
  assert(!(await owners(headgate)).includes(id));
});
