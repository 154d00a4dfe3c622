import assert from 'node:assert/strict';
import type { KeptModel, KeptRoute, ModelStore, TrainingRow } from '../core/route-store.ts';
import { settleAll, storageContract } from './contract.test.ts';
import { intent, NOON } from './fixtures.test.ts';

const ROUTE: KeptRoute = { id: 'acme/fast', definition: '{"targets":["small"]}', from: 'file', updatedAt: NOON };

const MODEL: KeptModel = {
  id: 'model_1',
  routeId: 'acme/fast',
  createdAt: NOON,
  live: false,
  source: 'rows.jsonl',
  rows: 1_500,
  evaluation: '{"apgr":0.66}',
  weights: Buffer.from([0, 255, 1, 254]),
};

const ROW: TrainingRow = {
  id: 'row_1',
  origin: 'rows.jsonl',
  at: NOON,
  features: 'AAECAw',
  scores: { small: 0, large: 0.1 + 0.2 },
  propensity: 1,
};

storageContract('routes and models', (contract) => {
  contract('routes are kept by id, written over and removed', async ({ routes }) => {
    const stored: KeptRoute = { ...ROUTE, id: 'acme/auto', from: 'store' };
    await routes.put(ROUTE);
    await routes.put(stored);
    assert.deepEqual(await routes.list(), [stored, ROUTE]);
    const changed = { ...ROUTE, definition: '{}', from: 'store', updatedAt: NOON + 1 } as const;
    await routes.put(changed);
    assert.deepEqual(await routes.list(), [stored, changed]);
    assert.equal(await routes.remove('acme/auto'), true);
    assert.equal(await routes.remove('acme/auto'), false);
    assert.deepEqual(await routes.list(), [changed]);
  });

  contract('a version keeps its first definition for ever', async ({ routes }) => {
    assert.equal(await routes.version('abc'), null);
    await routes.keepVersion('abc', '{"a":1}');
    await routes.keepVersion('abc', '{"a":2}');
    assert.equal(await routes.version('abc'), '{"a":1}');
  });

  contract(
    'changes to routes, and to what is in force, are seen by every process; those of keys are others',
    async (storage, open) => {
      const other = await open('instance_2');
      const keys = await storage.keys.changes();
      let seen = await storage.routes.changes();
      await other.models.add(MODEL);
      await other.models.addRows('acme/fast', [ROW]);
      await other.routes.keepVersion('abc', '{}');
      const steps: [does: () => Promise<unknown>, counts: boolean][] = [
        [() => Promise.resolve(), false],
        [() => other.routes.put(ROUTE), true],
        [() => other.routes.put({ ...ROUTE, updatedAt: NOON + 9 }), false],
        [() => other.routes.put({ ...ROUTE, from: 'store' }), true],
        [() => other.models.enforce('acme/fast', 'model_1'), true],
        [() => other.models.enforce('acme/fast', null), true],
        [() => other.routes.remove('acme/fast'), true],
        [() => other.routes.remove('acme/fast'), false],
      ];
      for (const [step, counts] of steps) {
        await step();
        const now = await storage.routes.changes();
        assert.equal(now > seen, counts);
        seen = now;
      }
      assert.equal(await storage.keys.changes(), keys);
    },
  );

  contract('models are kept with their weights, and listed without, newest first', async ({ models }) => {
    const large = { ...MODEL, id: 'model_2', createdAt: NOON + 1, weights: Buffer.alloc(3_000_000, 7) };
    await models.add(MODEL);
    await models.add(large);
    await models.add({ ...MODEL, id: 'model_3', routeId: 'acme/auto' });
    const listed = await models.list('acme/fast');
    assert.deepEqual(listed, [
      { ...large, weights: Buffer.alloc(0) },
      { ...MODEL, weights: Buffer.alloc(0) },
    ]);
    assert.deepEqual(await models.find('model_1'), MODEL);
    assert.ok((await models.find('model_2'))?.weights.equals(large.weights));
    assert.equal(await models.find('model_9'), null);
    await assert.rejects(models.add(MODEL), { kind: 'storage_unavailable' });
  });

  contract('of each route one model is in force, or none', async ({ models }) => {
    for (const [id, routeId] of [
      ['model_1', 'acme/fast'],
      ['model_2', 'acme/fast'],
      ['model_3', 'acme/auto'],
    ] as const)
      await models.add({ ...MODEL, id, routeId });
    assert.equal(await models.live('acme/fast'), null);
    await models.enforce('acme/auto', 'model_3');
    for (const id of ['model_1', 'model_2', 'model_1']) {
      await models.enforce('acme/fast', id);
      assert.deepEqual(await models.live('acme/fast'), { ...MODEL, id, live: true });
      assert.deepEqual(await liveOf(models, 'acme/fast'), [id]);
    }
    for (const id of ['model_3', 'model_9']) {
      await assert.rejects(models.enforce('acme/fast', id), { kind: 'not_found' });
    }
    assert.deepEqual(await liveOf(models, 'acme/fast'), ['model_1']);
    for (const id of ['model_1', 'model_2', 'model_2']) await models.forget(id);
    assert.deepEqual(
      (await models.list('acme/fast')).map(({ id }) => id),
      ['model_1'],
    );
    await models.enforce('acme/fast', null);
    await models.enforce('acme/fast', null);
    assert.deepEqual(await liveOf(models, 'acme/fast'), []);
    assert.deepEqual(await liveOf(models, 'acme/auto'), ['model_3']);
  });

  contract(
    'rows are read back in batches as they were, and a row of the same name takes its place',
    async ({ models }) => {
      const rows = Array.from({ length: 1_001 }, (_, index) => ({
        ...ROW,
        id: `row_${String(index).padStart(4, '0')}`,
      }));
      await models.addRows('acme/fast', rows);
      await models.addRows('acme/auto', [ROW]);
      const newer = {
        ...rows[500]!,
        origin: 'feedback',
        at: NOON + 1,
        scores: { small: 1 },
        propensity: 0.025,
        features: '',
      };
      // Twice in one call: the last one stays.
      await models.addRows('acme/fast', [rows[500]!, newer]);
      await models.addRows('acme/fast', []);
      const read: TrainingRow[] = [];
      let batches = 0;
      for await (const batch of models.rows('acme/fast')) {
        read.push(...batch);
        batches += 1;
      }
      assert.deepEqual(read, rows.with(500, newer));
      assert.ok(batches > 1);
    },
  );
});

storageContract('feedback', (contract) => {
  contract('feedback is one to a call, and goes with it', async (storage) => {
    await settleAll(storage, [intent(1)]);
    const given = { callId: intent(1).id, organizationId: 'org_1', keyId: 'key_1', score: 1, note: null, at: NOON };
    assert.equal(await storage.feedback.find(given.callId), null);
    await storage.feedback.put(given);
    assert.deepEqual(await storage.feedback.find(given.callId), given);
    const later = { ...given, keyId: 'key_2', score: 0.1, note: 'not it', at: NOON + 1 };
    await storage.feedback.put(later);
    assert.deepEqual(await storage.feedback.find(given.callId), later);
    await storage.purge(NOON + 2);
    assert.equal(await storage.feedback.find(given.callId), null);
  });
});

async function liveOf(models: ModelStore, routeId: string): Promise<string[]> {
  return (await models.list(routeId)).flatMap(({ id, live }) => (live ? [id] : []));
}
