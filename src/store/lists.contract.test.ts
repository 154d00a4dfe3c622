import assert from 'node:assert/strict';
import { IS_NIGHTLY } from '../../tests/support/nightly.ts';
import type { Storage } from '../core/ports.ts';
import { CALL_STATUSES, type CallStatus, type Intent, type Source, type UsageQuery } from '../core/records.ts';
import { settleAll, storageContract } from './contract.test.ts';
import { intentAt, NOON, settlement } from './fixtures.test.ts';
import { MAX_KEY_DAY_GROUPS } from './usage-groups.ts';

const CALLS = 600;
const QUERIES = IS_NIGHTLY ? 300 : 100;
const MINUTE_MS = 60_000;

storageContract('lists of calls', (contract) => {
  contract('every combination of filters gives what a look at each call gives, on every page', async (storage) => {
    const random = randomFrom(1);
    const among = <Each>(...all: Each[]) => all[Math.floor(random() * all.length)]!;
    const calls = Array.from({ length: CALLS }, (_, number) => someCall(number, among));
    const [open, settled] = [calls.filter(isOpen), calls.filter((call) => !isOpen(call))];
    await settleAll(storage, settled, (call) => settlement(call, { status: statusOf(call) }));
    for (const call of open) await storage.ledger.intend(call);
    let [found, empty] = [0, 0];
    for (let number = 0; number < QUERIES; number += 1) {
      const query: UsageQuery = {
        organizationId: among('org_1', 'org_2', null),
        limit: among(1, 7, 100),
        ...(random() < 0.4 && { model: among('small', 'large', 'alias', 'none') }),
        ...(random() < 0.4 && { source: among<Source>('api_key', 'product', 'developer_tool') }),
        ...(random() < 0.2 && { product: among('helpdesk', 'none') }),
        ...(random() < 0.2 && { tool: among('codex', 'none') }),
        ...(random() < 0.4 && { keyId: among('key_1', 'key_2', 'key_3') }),
        ...(random() < 0.3 && { status: among(...CALL_STATUSES) }),
        ...(random() < 0.3 && { from: NOON + Math.floor(random() * CALLS) * MINUTE_MS }),
        ...(random() < 0.3 && { until: NOON + Math.floor(random() * CALLS) * MINUTE_MS }),
      };
      const expected = settled.filter((call) => isAskedFor(call, query)).map(({ id }) => id);
      assert.deepEqual(await allPages(storage, query), expected.sort().reverse(), JSON.stringify(query));
      if (expected.length > 0) found += 1;
      else empty += 1;
    }
    assert.ok(found > QUERIES / 6 && empty > QUERIES / 6, `${found} found something, ${empty} nothing`);
  });

  contract('calls that ended in a rare way are found among very many that did not', async (storage) => {
    const calls = Array.from({ length: 3_000 }, (_, number) => intentAt(NOON + number, number));
    const rare = [calls[1]!, calls[2]!, calls[1_500]!];
    await settleAll(storage, calls, (call) =>
      settlement(call, rare.includes(call) ? { status: 'failed', errorKind: 'upstream_error' } : {}),
    );
    const query: UsageQuery = { organizationId: 'org_1', limit: 2, status: 'failed' };
    assert.deepEqual(await allPages(storage, query), rare.map(({ id }) => id).reverse());
    assert.deepEqual(await allPages(storage, { ...query, model: rare[0]!.model, until: NOON + 1_000 }), [
      calls[2]!.id,
      calls[1]!.id,
    ]);
    assert.deepEqual(await allPages(storage, { ...query, status: 'interrupted' }), []);
  });

  contract('among thousands of groups, what is common and what is rare is found', async (storage) => {
    const calls = Array.from({ length: 5_000 }, (_, number) =>
      intentAt(NOON + number, number, {
        requestedModel: `asked-${number}`,
        ...(number === 3 && { source: 'product', product: 'rare' }),
      }),
    );
    await settleAll(storage, calls);
    const ids = calls.map(({ id }) => id).reverse();
    const first = await storage.usage.list({ organizationId: 'org_1', limit: 20, model: 'small' });
    assert.deepEqual(
      first?.records.map(({ id }) => id),
      ids.slice(0, 20),
    );
    assert.equal(first.hasMore, true);
    const rare = await storage.usage.list({ organizationId: 'org_1', limit: 20, product: 'rare' });
    assert.deepEqual([rare?.records.map(({ id }) => id), rare?.hasMore], [[calls[3]!.id], false]);
    const oldest = await storage.usage.list({
      organizationId: 'org_1',
      limit: 20,
      source: 'api_key',
      after: calls[2]!.id,
    });
    assert.deepEqual(
      oldest?.records.map(({ id }) => id),
      [calls[1]!.id, calls[0]!.id],
    );
    assert.deepEqual(await storage.usage.list({ organizationId: 'org_1', limit: 20, model: 'none' }), {
      records: [],
      keyNames: {},
      hasMore: false,
    });
  });

  contract('groups of many calls are listed to their end, the calls of all in one order', async (storage) => {
    const calls = Array.from({ length: 150 }, (_, number) =>
      intentAt(NOON + number, number, { keyId: number % 3 === 0 ? 'key_1' : 'key_2' }),
    );
    await settleAll(storage, calls);
    const ids = calls.map(({ id }) => id).reverse();
    for (const limit of [100, 7]) {
      assert.deepEqual(await allPages(storage, { organizationId: 'org_1', limit, model: 'small' }), ids);
    }
  });

  contract('what was purged is in no list, and its groups go on', async (storage) => {
    const calls = [0, 1, 2, 3].map((number) =>
      intentAt(NOON + number, number, { product: 'helpdesk', source: 'product' }),
    );
    await settleAll(storage, calls);
    assert.equal(await storage.purge(NOON + 2), 2);
    const query: UsageQuery = { organizationId: 'org_1', limit: 20, product: 'helpdesk' };
    assert.deepEqual(await allPages(storage, query), [calls[3]!.id, calls[2]!.id]);
    const next = intentAt(NOON + 9, 9, { product: 'helpdesk', source: 'product' });
    await settleAll(storage, [next]);
    assert.deepEqual(await allPages(storage, query), [next.id, calls[3]!.id, calls[2]!.id]);
  });

  contract('groups go with their last call, and come again with the next', async (storage) => {
    const query: UsageQuery = { organizationId: 'org_1', limit: 20, model: 'invented' };
    const invented = { model: 'invented', requestedModel: 'invented' };
    const summarize = () =>
      storage.usage.summarize({
        organizationId: 'org_1',
        by: ['model'],
        from: NOON,
        through: NOON,
        hidesTargets: false,
        limit: 10,
      });
    for (const number of [0, 1]) {
      const call = intentAt(NOON + number, number, invented);
      await settleAll(storage, [call]);
      assert.deepEqual(await allPages(storage, query), [call.id]);
      assert.deepEqual(
        (await summarize()).rows.map(({ values, sums }) => [values.model, sums.calls]),
        [['invented', 1]],
      );
      assert.equal(await storage.purge(NOON + 10), 1);
      assert.deepEqual(await allPages(storage, query), []);
      assert.equal((await summarize()).totals.sums.calls, 0);
    }
  });

  contract('models beyond those of a key’s day that are told apart are found all the same', async (storage) => {
    const named = (number: number) => ({ model: `invented-${number}`, requestedModel: `invented-${number}` });
    const calls = Array.from({ length: MAX_KEY_DAY_GROUPS + 3 }, (_, number) =>
      intentAt(NOON + number, number, named(number)),
    );
    await settleAll(storage, calls);
    for (const number of [0, MAX_KEY_DAY_GROUPS - 1, MAX_KEY_DAY_GROUPS, MAX_KEY_DAY_GROUPS + 2]) {
      const query: UsageQuery = { organizationId: 'org_1', limit: 20, model: `invented-${number}` };
      assert.deepEqual(await allPages(storage, query), [calls[number]!.id]);
    }
    await storage.purge(NOON + MAX_KEY_DAY_GROUPS + 2);
    const left: UsageQuery = { organizationId: 'org_1', limit: 20, keyId: calls[0]!.keyId };
    assert.deepEqual(await allPages(storage, left), [calls.at(-1)!.id]);
  });
});

function someCall(number: number, among: <Each>(...all: Each[]) => Each): Intent {
  const source = among<Source>('api_key', 'api_key', 'product', 'developer_tool');
  const model = among('small', 'small', 'large');
  return intentAt(NOON + number * MINUTE_MS, number, {
    organizationId: among('org_1', 'org_1', 'org_2'),
    keyId: among('key_1', 'key_2'),
    source,
    product: source === 'product' ? among('helpdesk', 'search') : null,
    tool: source === 'developer_tool' ? { name: among('codex', 'other'), version: null } : null,
    model,
    requestedModel: among(model, 'alias'),
  });
}

/** Some calls are not settled, and so in no list. */
function isOpen({ requestId }: Intent): boolean {
  return Number(requestId.slice('req_'.length)) % 9 === 4;
}

/** One call in three ended in another way than most do. */
function statusOf({ requestId }: Intent): CallStatus {
  const number = Number(requestId.slice('req_'.length));
  return number % 3 === 0 ? CALL_STATUSES[number % CALL_STATUSES.length]! : 'succeeded';
}

function isAskedFor(call: Intent, query: UsageQuery): boolean {
  const { organizationId, model, source, product, tool, keyId, status, from, until } = query;
  return (
    (organizationId === null || call.organizationId === organizationId) &&
    (model === undefined || call.model === model || call.requestedModel === model) &&
    (source === undefined || call.source === source) &&
    (product === undefined || call.product === product) &&
    (tool === undefined || call.tool?.name === tool) &&
    (keyId === undefined || call.keyId === keyId) &&
    (status === undefined || statusOf(call) === status) &&
    (from === undefined || call.createdAt >= from) &&
    (until === undefined || call.createdAt < until)
  );
}

/** The ids of all pages. None is empty but the only one. */
async function allPages({ usage }: Storage, query: UsageQuery): Promise<string[]> {
  const ids: string[] = [];
  for (let after: string | undefined; ; after = ids.at(-1)) {
    const page = await usage.list({ ...query, ...(after !== undefined && { after }) });
    ids.push(...page!.records.map(({ id }) => id));
    if (!page!.hasMore) return ids;
    assert.notEqual(page!.records.length, 0, 'an empty page says that there is more');
  }
}

/** Numbers in [0, 1) that are the same for the same seed (Marsaglia's xorshift32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
