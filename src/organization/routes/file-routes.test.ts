import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KeptRoute, RouteStore } from '../../core/route-store.ts';
import { keepFileRoutes } from './file-routes.ts';

const NOON = Date.UTC(2026, 10, 21, 12);

function storeOf(kept: readonly KeptRoute[]) {
  const routes = new Map(kept.map((route) => [route.id, route]));
  const versions = new Map<string, string>();
  const writes: string[] = [];
  const store: RouteStore = {
    list: async () => [...routes.values()],
    async put(route) {
      writes.push(`put ${route.id}`);
      routes.set(route.id, route);
    },
    async remove(id) {
      writes.push(`remove ${id}`);
      return routes.delete(id);
    },
    async keepVersion(version, definition) {
      writes.push(`keep ${version}`);
      versions.set(version, definition);
    },
    version: async (version) => versions.get(version) ?? null,
    changes: async () => writes.length,
  };
  return { store, routes, versions, writes };
}

const ONE = { id: 'one', version: 'v1', definition: '{"targets":["a"]}' };

test('what the file has is kept with its versions, the version first; what it has no more is taken out', async () => {
  const { store, routes, versions, writes } = storeOf([
    { id: 'gone', definition: '{}', from: 'file', updatedAt: 1 },
    { id: 'mine', definition: '{}', from: 'store', updatedAt: 1 },
  ]);
  assert.deepEqual(await keepFileRoutes(store, [ONE], NOON), []);
  assert.deepEqual(
    [...routes.values()].map(({ id, from }) => `${id} ${from}`),
    ['mine store', 'one file'],
  );
  assert.equal(routes.get('one')?.updatedAt, NOON);
  assert.deepEqual(writes, ['keep v1', 'put one', 'remove gone']);
  await keepFileRoutes(store, [ONE], NOON + 1);
  assert.equal(writes.length, 3, 'nothing is written where nothing has changed');
  await keepFileRoutes(store, [{ ...ONE, version: 'v2', definition: '{"targets":["b"]}' }], NOON + 2);
  assert.deepEqual([...versions.keys()], ['v1', 'v2']);
});

test('a stored route of the same id is told, and stays as it is', async () => {
  const mine: KeptRoute = { id: 'one', definition: '{"targets":["c"]}', from: 'store', updatedAt: 1 };
  const { store, routes, versions } = storeOf([mine]);
  assert.deepEqual(await keepFileRoutes(store, [ONE], NOON), ['one']);
  assert.deepEqual(routes.get('one'), mine);
  assert.equal(versions.get('v1'), ONE.definition, 'its decisions can be made again all the same');
  await keepFileRoutes(store, [], NOON);
  assert.deepEqual(routes.get('one'), mine);
});
