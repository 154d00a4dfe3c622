import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KeptRoute } from '../../core/route-store.ts';
import { route } from '../../testing/routes.ts';
import { type Beside, StoredRoutes } from './stored-routes.ts';

function kept(id: string, definition = '{}', from: KeptRoute['from'] = 'store'): KeptRoute {
  return { id, definition, from, updatedAt: 1 };
}

function world() {
  const told: string[] = [];
  const state = { changes: 1, kept: [] as KeptRoute[], fails: false };
  const stored = new StoredRoutes({
    store: {
      async changes() {
        if (state.fails) throw new Error('gone');
        return state.changes;
      },
      list: async () => state.kept,
    },
    onChange: () => void told.push('change'),
    onError: (error) => void told.push(String(error)),
    onUnreadable: (id, words) => void told.push(`${id}: ${words}`),
    // Polled by hand: `start` polls once more each time.
    pollMs: 2 ** 30,
  });
  return { stored, state, told };
}

/** Reads definitions with targets, and records the other ids it was given. */
function beside(taken: readonly string[] = []): Beside {
  return {
    taken: new Set(taken),
    read(id, definition, others) {
      const { targets } = definition as { targets?: string[] };
      return targets === undefined ? 'targets: are missing' : route(targets, { id, description: others.join(' ') });
    },
  };
}

test('only routes that are not from a file count, less those that the configuration has', async () => {
  const { stored, state, told } = world();
  const definition = '{"targets":["a"]}';
  state.kept = [kept('a', definition), kept('b', definition, 'file'), kept('c', definition), kept('d', definition)];
  await stored.start();
  const own = beside(['c']);
  const routes = stored.routes(own);
  assert.deepEqual(
    routes.map(({ id, description }) => [id, description]),
    [
      ['a', 'a d'],
      ['d', 'a d'],
    ],
  );
  assert.equal(stored.routes(own), routes, 'the same until something is another');
  assert.deepEqual(stored.routes(beside(['a', 'c', 'd'])), []);
  assert.deepEqual(told, ['change']);
  stored.stop();
});

test('a change is seen at the next poll, and nothing else is read anew', async () => {
  const { stored, state, told } = world();
  await stored.start();
  state.kept = [kept('a', '{"targets":["a"]}')];
  await stored.start();
  assert.deepEqual([stored.routes(beside()).length, told], [0, ['change']]);
  state.changes += 1;
  await stored.start();
  assert.deepEqual([stored.routes(beside()).length, told], [1, ['change', 'change']]);
  stored.stop();
});

test('while the store fails, what was known stays', async () => {
  const { stored, state, told } = world();
  state.kept = [kept('a', '{"targets":["a"]}')];
  await stored.start();
  state.fails = true;
  await stored.start();
  assert.equal(stored.routes(beside()).length, 1);
  assert.deepEqual(told, ['change', 'Error: gone']);
  stored.stop();
});

test('what cannot be read is left out, and told once', async () => {
  const { stored, state, told } = world();
  state.kept = [kept('a', '{'), kept('b', '{}'), kept('c', '{"targets":["x"]}')];
  await stored.start();
  const idsOf = () => stored.routes(beside()).map(({ id }) => id);
  assert.deepEqual(idsOf(), ['c']);
  assert.deepEqual(idsOf(), ['c']);
  assert.deepEqual(told, ['change', 'a: a is not stored as JSON', 'b: targets: are missing']);
  state.kept = [kept('a', '{}')];
  state.changes += 1;
  await stored.start();
  assert.deepEqual([idsOf(), told.slice(3)], [[], ['change', 'a: targets: are missing']]);
  stored.stop();
});
