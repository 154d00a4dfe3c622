import assert from 'node:assert/strict';
import type { KeyPage } from '../core/ports.ts';
import type { Intent, UsageRecord } from '../core/records.ts';
import { usageOf } from '../core/usage.ts';
import { settleAll, storageContract } from './contract.test.ts';
import { attempt, intent, key, NOON, settlement } from './fixtures.test.ts';
import { recoverOthers } from './recover.ts';

storageContract('organizations, keys and calls', (contract) => {
  contract('organizations are listed oldest first', async ({ organizations }) => {
    await organizations.create({ id: 'org_0', name: 'Third', createdAt: NOON + 2 });
    const names = (await organizations.list()).map((organization) => organization.name);
    assert.deepEqual(names, ['First', 'Second', 'Third']);
  });

  contract('a key comes back as it was made, with its organization', async ({ keys }) => {
    const plain = key();
    const limited = key({
      id: 'key_2',
      source: 'product',
      expiresAt: NOON + 1,
      allowedModels: ['small', 'lab/large'],
      requestsPerMinute: 60,
      tokensPerMinute: 90_000,
      spendLimit: { amount: 9_007_199_254_740_993n, per: 'month' },
    });
    await keys.create(plain, Buffer.from('hash 1'));
    await keys.create(limited, Buffer.from('hash 2'));
    const organization = { id: 'org_1', name: 'First', createdAt: NOON };
    const inForce = { models: null, rates: new Map(), spendLimits: [], budgets: [] };
    assert.deepEqual(await keys.find(Buffer.from('hash 1')), { key: { ...plain, inForce }, organization });
    assert.deepEqual(await keys.find(Buffer.from('hash 2')), { key: { ...limited, inForce }, organization });
    assert.equal(await keys.find(Buffer.from('hash 3')), null);
    await assert.rejects(keys.create(key({ id: 'key_3' }), Buffer.from('hash 1')), { kind: 'storage_unavailable' });
    await assert.rejects(keys.create(key({ id: 'key_3', organizationId: 'org_9' }), Buffer.from('hash 3')));
  });

  contract('keys are listed oldest first, of one organization or of all', async ({ keys }) => {
    await keys.create(key({ id: 'key_b', createdAt: NOON + 1 }), Buffer.from('b'));
    await keys.create(key({ id: 'key_a', createdAt: NOON + 2, organizationId: 'org_2' }), Buffer.from('a'));
    await keys.create(key({ id: 'key_c', createdAt: NOON }), Buffer.from('c'));
    await keys.create(key({ id: 'key_bb', createdAt: NOON + 1 }), Buffer.from('bb'));
    const idsOf = async (organizationId: string | null, page: Partial<KeyPage> = {}) =>
      (await keys.list(organizationId, { after: null, limit: 9, ...page })).map(({ id }) => id);
    assert.deepEqual(await idsOf('org_1'), ['key_c', 'key_b', 'key_bb']);
    assert.deepEqual(await idsOf(null), ['key_c', 'key_b', 'key_bb', 'key_a']);
    assert.deepEqual(await idsOf(null, { limit: 2 }), ['key_c', 'key_b']);
    const after = { id: 'key_b', createdAt: NOON + 1 };
    assert.deepEqual(await idsOf(null, { after }), ['key_bb', 'key_a']);
    assert.deepEqual(await idsOf('org_1', { after }), ['key_bb']);
    assert.deepEqual(await idsOf('org_1', { after: { id: 'key_bb', createdAt: NOON + 1 } }), []);
  });

  contract('a key is found by its id, keys by an id or a name, and the one that was made first', async ({ keys }) => {
    assert.equal(await keys.oldest(), null);
    const [late, first, namesake] = [
      key({ id: 'key_b', name: 'ci', createdAt: NOON + 1 }),
      key({ id: 'key_c', name: 'web', createdAt: NOON, organizationId: 'org_2', revokedAt: NOON + 3 }),
      key({ id: 'key_a', name: 'key_b', createdAt: NOON + 2 }),
    ];
    for (const each of [late, first, namesake]) await keys.create(each, Buffer.from(each.id));
    assert.deepEqual(await keys.get('key_c'), first);
    assert.equal(await keys.get('web'), null);
    assert.deepEqual(await keys.named('key_b'), [late, namesake]);
    assert.deepEqual(await keys.named('web'), [first]);
    assert.deepEqual(await keys.named('Web'), []);
    assert.deepEqual(await keys.oldest(), first);
  });

  contract('a key is revoked once', async ({ keys }) => {
    await keys.create(key(), Buffer.from('hash'));
    assert.equal((await keys.revoke('key_1', NOON + 5))?.revokedAt, NOON + 5);
    const changes = await keys.changes();
    assert.equal((await keys.revoke('key_1', NOON + 9))?.revokedAt, NOON + 5);
    assert.equal(await keys.changes(), changes);
    assert.equal(await keys.revoke('key_9', NOON), null);
  });

  contract('a key’s last use is the latest that was noted, and is no change', async ({ keys }) => {
    await keys.create(key(), Buffer.from('hash'));
    const changes = await keys.changes();
    const uses = async () => (await keys.use('2026-11-21')).map(({ keyId, lastUsedAt }) => [keyId, lastUsedAt]);
    await keys.noteUse('key_1', NOON + 5);
    assert.deepEqual(await uses(), [['key_1', NOON + 5]]);
    await keys.noteUse('key_1', NOON + 1);
    assert.deepEqual(await uses(), [['key_1', NOON + 5]]);
    await keys.noteUse('key_1', NOON + 9);
    assert.deepEqual(await uses(), [['key_1', NOON + 9]]);
    assert.equal(await keys.changes(), changes);
  });

  contract('every change to keys and organizations counts, whoever makes it', async ({ keys }, open) => {
    const other = await open('instance_2');
    let seen = await keys.changes();
    const steps = [
      () => other.organizations.create({ id: 'org_3', name: 'Third', createdAt: NOON }),
      () => other.keys.create(key(), Buffer.from('hash')),
      () => other.keys.revoke('key_1', NOON),
    ];
    for (const step of steps) {
      await step();
      const now = await keys.changes();
      assert.ok(now > seen);
      seen = now;
    }
  });

  contract('a call is shown once it is settled, with all that is known of it', async ({ ledger, usage }) => {
    const opened = intent(1, { clientRequestId: 'mine', source: 'developer_tool', streamed: true });
    await ledger.intend(opened);
    assert.deepEqual(await usage.list({ organizationId: 'org_1', limit: 20 }), {
      records: [],
      keyNames: {},
      hasMore: false,
    });
    const counts = usageOf({ inputTokens: 9, cacheReadTokens: 1, cacheWriteTokens: 3, cacheWritesByLife: { '1h': 2 } });
    const closed = settlement(opened, {
      status: 'failed',
      httpStatus: 502,
      errorKind: 'upstream_error',
      usage: {
        ...counts,
        outputTokens: 8,
        reasoningTokens: 4,
        audioInputTokens: 5,
        audioOutputTokens: 6,
        serviceTier: 'flex',
      },
      usageSource: 'estimated',
      cost: 9_007_199_254_740_993n,
      timeToFirstTokenMs: 300,
      attempts: [attempt(opened), attempt(opened)],
      dropped: ['stop', 'a, "b"'],
    });
    await ledger.settle(closed);
    const { price: _price, estimatedInputTokens: _estimate, held: _held, budgets: _budgets, ...kept } = opened;
    const record: UsageRecord = {
      ...kept,
      status: 'failed',
      httpStatus: 502,
      errorKind: 'upstream_error',
      usage: closed.usage,
      usageSource: 'estimated',
      cost: 9_007_199_254_740_993n,
      vendorCost: 9_007_199_254_740_993n,
      counted: 9_007_199_254_740_993n,
      reported: null,
      latencyMs: 900,
      timeToFirstTokenMs: 300,
      attempts: 2,
      dropped: ['stop', 'a, "b"'],
    };
    assert.deepEqual(await usage.list({ organizationId: 'org_1', limit: 20 }), {
      records: [record],
      keyNames: {},
      hasMore: false,
    });
  });

  contract('a call that is settled twice counts once', async ({ ledger, usage, spend }) => {
    const opened = intent(1);
    await ledger.intend(opened);
    await Promise.all([ledger.settle(settlement(opened)), ledger.settle(settlement(opened))]);
    await ledger.settle(settlement(opened, { status: 'failed', cost: 5n }));
    const page = await usage.list({ organizationId: 'org_1', limit: 20 });
    assert.deepEqual(
      page?.records.map((record) => [record.status, record.attempts]),
      [['succeeded', 1]],
    );
    assert.equal(await spend.spent('key_1', null), 240_000n);
  });

  contract('a write at fault fails alone', async ({ ledger, usage }) => {
    const opened = [intent(1), intent(2), intent(1), intent(3)];
    const outcomes = await Promise.allSettled(opened.map((call) => ledger.intend(call)));
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
    );
    await assert.rejects(ledger.intend(intent(2)), { kind: 'storage_unavailable' });
    await assert.rejects(ledger.settle(settlement(intent(9))), { kind: 'storage_unavailable' });
    await Promise.all([1, 2, 3].map((number) => ledger.settle(settlement(intent(number)))));
    assert.equal((await usage.list({ organizationId: 'org_1', limit: 20 }))?.records.length, 3);
  });

  contract('pages go from the newest to the oldest and tell exactly whether there is more', async (storage) => {
    await settleAll(
      storage,
      [1, 2, 3, 4, 5].map((number) => intent(number)),
    );
    await storage.ledger.intend(intent(6));
    const page = async (limit: number, after?: string) => {
      const query = after === undefined ? { limit } : { limit, after };
      const found = await storage.usage.list({ organizationId: 'org_1', ...query });
      return [found?.records.map((record) => record.requestId).join(' '), found?.hasMore];
    };
    assert.deepEqual(await page(2), ['req_5 req_4', true]);
    assert.deepEqual(await page(3, intent(4).id), ['req_3 req_2 req_1', false]);
    assert.deepEqual(await page(5), ['req_5 req_4 req_3 req_2 req_1', false]);
    assert.deepEqual(await page(2, intent(1).id), ['', false]);
  });

  contract('a cursor that is no record of the organization gives no page', async (storage) => {
    await settleAll(storage, [intent(1), intent(2, { organizationId: 'org_2' })]);
    await storage.ledger.intend(intent(3));
    const pageAfter = (after: string) => storage.usage.list({ organizationId: 'org_1', limit: 20, after });
    assert.equal(await pageAfter('usage_unknown'), null);
    assert.equal(await pageAfter(intent(2).id), null);
    assert.equal(await pageAfter(intent(3).id), null);
    assert.notEqual(await pageAfter(intent(1).id), null);
  });

  contract('an organization sees its own records, the operator all of them', async (storage) => {
    await settleAll(
      storage,
      [1, 2, 3, 4].map((number) => intent(number, { organizationId: `org_${1 + (number % 2)}` })),
    );
    const list = async (organizationId: string | null, after: string) => {
      const page = await storage.usage.list({ organizationId, limit: 2, after });
      return [page?.records.map((record) => record.requestId).join(' '), page?.hasMore];
    };
    assert.deepEqual(await list('org_1', intent(4).id), ['req_2', false]);
    assert.deepEqual(await list(null, intent(4).id), ['req_3 req_2', true]);
    assert.deepEqual(await list(null, intent(3).id), ['req_2 req_1', false]);
  });

  contract('a model is found by its own name and by the name it was asked by, however rare', async (storage) => {
    const rare = new Map<number, Partial<Intent>>([
      [10, { model: 'rare' }],
      [20, { requestedModel: 'rare' }],
      [2_500, { model: 'rare', requestedModel: 'alias' }],
    ]);
    await settleAll(
      storage,
      Array.from({ length: 4_400 }, (_, number) => intent(number, rare.get(number))),
    );
    const list = async (model: string, limit: number, after?: string) => {
      const query = after === undefined ? { model, limit } : { model, limit, after };
      const page = await storage.usage.list({ organizationId: 'org_1', ...query });
      return [page?.records.map((record) => record.requestId).join(' '), page?.hasMore];
    };
    assert.deepEqual(await list('rare', 2), ['req_2500 req_20', true]);
    assert.deepEqual(await list('rare', 3), ['req_2500 req_20 req_10', false]);
    assert.deepEqual(await list('rare', 3, intent(2_500).id), ['req_20 req_10', false]);
    assert.deepEqual(await list('alias', 1), ['req_2500', false]);
    assert.deepEqual(await list('unknown', 1), ['', false]);
  });

  contract('spend is summed by key from a UTC day on', async (storage) => {
    const at = (number: number, createdAt: number, cost: bigint | null, keyId = 'key_1') => {
      const opened = intent(number, { createdAt, keyId });
      return storage.ledger.intend(opened).then(() => storage.ledger.settle(settlement(opened, { cost })));
    };
    await at(1, Date.UTC(2026, 10, 20, 23, 59, 59, 999), 1n);
    await at(2, Date.UTC(2026, 10, 21), 9_007_199_254_740_993n);
    await at(3, Date.UTC(2026, 11, 1), 100n);
    await at(4, Date.UTC(2026, 11, 1), null);
    await at(5, Date.UTC(2026, 11, 1), 7n, 'key_2');
    assert.equal(await storage.spend.spent('key_1', null), 9_007_199_254_741_094n);
    assert.equal(await storage.spend.spent('key_1', '2026-11-21'), 9_007_199_254_741_093n);
    assert.equal(await storage.spend.spent('key_1', '2026-12-01'), 100n);
    assert.equal(await storage.spend.spent('key_2', null), 7n);
    assert.equal(await storage.spend.spent('key_3', null), 0n);
  });

  contract(
    'what a dead instance left open is interrupted, billed by the estimate, and only once',
    async (dead, open) => {
      const calls = Array.from({ length: 620 }, (_, number) => intent(number));
      await Promise.all(calls.map((call) => dead.ledger.intend(call)));
      await dead.ledger.intend(intent(700, { price: null, keyId: 'key_2' }));
      await dead.ledger.settle(settlement(intent(0)));
      const alive = await open('instance_2');
      await alive.ledger.intend(intent(800));
      assert.equal(await recoverOthers(alive, NOON + 60_000), 620);
      assert.equal(await recoverOthers(alive, NOON + 90_000), 0);
      assert.equal(await alive.spend.spent('key_1', null), 240_000n + 619n * 150_000n);
      const page = await alive.usage.list({ organizationId: 'org_1', limit: 2 });
      const [unpriced, priced] = page?.records ?? [];
      assert.equal(unpriced?.cost, null);
      assert.equal(priced?.requestId, 'req_619');
      assert.equal(priced.status, 'interrupted');
      assert.deepEqual([priced.httpStatus, priced.errorKind, priced.attempts], [500, null, 1]);
      assert.deepEqual([priced.usage, priced.usageSource], [usageOf({ inputTokens: 1_000 }), 'estimated']);
      assert.deepEqual([priced.cost, priced.latencyMs], [150_000n, 60_000 - 619]);
    },
  );

  contract('what one dead instance left open is settled beside what others have open', async (dead, open) => {
    const [alive, dataOwner] = [await open('instance_2'), await open('instance_3')];
    await Promise.all([dead.ledger.intend(intent(1)), alive.ledger.intend(intent(2)), dead.ledger.intend(intent(3))]);
    await dead.ledger.settle(settlement(intent(3)));
    assert.deepEqual((await dataOwner.instances()).sort(), ['instance_1', 'instance_2']);
    assert.equal(await dataOwner.recover('instance_1', NOON), 1);
    assert.equal(await dataOwner.recover('instance_1', NOON), 0);
    assert.deepEqual(await dataOwner.instances(), ['instance_2']);
    await alive.ledger.settle(settlement(intent(2)));
    const page = await alive.usage.list({ organizationId: 'org_1', limit: 3 });
    assert.deepEqual(
      page?.records.map(({ status }) => status),
      ['succeeded', 'succeeded', 'interrupted'],
    );
  });

  contract('purging deletes settled records by age, and keeps what was spent', async (storage) => {
    const calls = Array.from({ length: 1_300 }, (_, number) => intent(number));
    await settleAll(storage, calls);
    const unsettled = intent(0, { id: 'usage_00001150_open' });
    await storage.ledger.intend(unsettled);
    await settleAll(storage, [intent(1, { organizationId: 'org_2', id: 'usage_other' })]);
    assert.equal(await storage.purge(NOON + 1_200), 1_201);
    assert.equal(await storage.purge(NOON + 1_200), 0);
    assert.equal((await storage.usage.list({ organizationId: null, limit: 1_300 }))?.records.length, 100);
    assert.equal(await storage.spend.spent('key_1', null), 1_301n * 240_000n);
    await storage.ledger.settle(settlement(unsettled));
  });

  contract('a closed store has written what was handed in, and then refuses', async (storage, open) => {
    await storage.check();
    const written = storage.ledger.intend(intent(1));
    await storage.close();
    await written;
    await assert.rejects(storage.ledger.intend(intent(2)), { kind: 'storage_unavailable' });
    await assert.rejects(storage.keys.oldest(), { kind: 'storage_unavailable' });
    await assert.rejects(storage.check(), { kind: 'storage_unavailable' });
    assert.equal(await recoverOthers(await open('instance_2'), NOON), 1);
  });
});
