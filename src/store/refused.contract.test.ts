import assert from 'node:assert/strict';
import type { RefusedQuery, RefusedRecord } from '../core/refused-calls.ts';
import { storageContract } from './contract.test.ts';
import { key, NOON } from './fixtures.test.ts';

const BOUNDS = { inAll: 1_000, perKey: 100 };
const DAY_MS = 86_400_000;

/** The `number`-th refused call, by a key or without one. */
function refusal(number: number, changes: Partial<RefusedRecord> = {}): RefusedRecord {
  const suffix = String(number).padStart(4, '0');
  return {
    id: `refused_${suffix}`,
    requestId: `req_${suffix}`,
    clientRequestId: null,
    at: NOON + number,
    organizationId: 'org_1',
    keyId: 'key_1',
    sender: null,
    source: 'api_key',
    product: null,
    tool: null,
    model: 'small',
    httpStatus: 404,
    errorKind: 'model_not_found',
    message: 'No such model.',
    param: 'model',
    latencyMs: 3,
    shed: 0,
    ...changes,
  };
}

const KEYLESS = { organizationId: null, keyId: null, sender: { key: 'sk-…', address: '192.0.2.1' } };

storageContract('refused calls', (contract) => {
  contract('what is asked for by texts that no database keeps is not found', async ({ refused, settings, keys }) => {
    await keys.create(key(), Buffer.from('hash'));
    await refused.add([refusal(1, { model: 'a' })], BOUNDS);
    for (const odd of ['a\0', 'a\ud800', '\\\0']) {
      const page = await refused.list({ organizationId: 'org_1', limit: 10, model: odd });
      assert.deepEqual(page?.records, []);
      const { items } = await settings.projects('org_1', { limit: 10, ids: [odd] });
      assert.deepEqual(items, []);
    }
  });

  contract('a refused call comes back as it was stored, by its id and its request’s', async ({ refused, keys }) => {
    await keys.create(key(), Buffer.from('hash'));
    const full = refusal(1, {
      clientRequestId: 'mine',
      source: 'developer_tool',
      product: 'helpdesk',
      tool: { name: 'codex', version: '1.2' },
      message: 'a "quoted" message',
      shed: 7,
    });
    await refused.add([full, refusal(2, KEYLESS)], BOUNDS);
    assert.deepEqual(await refused.find('org_1', full.id), { record: full, keyName: 'ci' });
    assert.deepEqual(await refused.find(null, full.requestId), { record: full, keyName: 'ci' });
    assert.deepEqual(await refused.find('org_1', 'req_0002'), { record: refusal(2, KEYLESS), keyName: null });
    assert.equal(await refused.find('org_1', 'req_0003'), null);
  });

  contract('they are listed newest first, in pages, by what is asked for', async ({ refused, keys }) => {
    await keys.create(key(), Buffer.from('hash'));
    await keys.create(key({ id: 'key_2', projectId: 'proj_2' }), Buffer.from('hash 2'));
    await refused.add(
      [refusal(1), refusal(2, { model: 'large' }), refusal(3, { keyId: 'key_2', model: null })],
      BOUNDS,
    );
    const found = async (query: Partial<RefusedQuery>) => {
      const page = await refused.list({ organizationId: 'org_1', limit: 10, ...query });
      return page === null ? null : page.records.map(({ id }) => Number(id.slice('refused_'.length)));
    };
    assert.deepEqual(await found({}), [3, 2, 1]);
    assert.deepEqual(await found({ limit: 2 }), [3, 2]);
    assert.deepEqual(await found({ after: 'refused_0002' }), [1]);
    assert.deepEqual(await found({ model: 'large' }), [2]);
    assert.deepEqual(await found({ keyId: 'key_2' }), [3]);
    assert.deepEqual(await found({ projectId: 'proj_2' }), [3]);
    assert.deepEqual(await found({ from: NOON + 2, until: NOON + 3 }), [2]);
    assert.deepEqual(await found({ source: 'product' }), []);
    assert.equal(await found({ after: 'refused_9999' }), null);
    assert.equal(await found({ after: 'refused_0001', keyId: 'key_2' }), null);
    const page = await refused.list({ organizationId: 'org_1', limit: 2 });
    assert.deepEqual([page?.hasMore, page?.keyNames], [true, { key_1: 'ci', key_2: 'ci' }]);
  });

  contract('an organization reads its own, and the first one those without a key', async ({ refused }) => {
    await refused.add(
      [refusal(1), refusal(2, { organizationId: 'org_2', keyId: 'key_9' }), refusal(3, KEYLESS)],
      BOUNDS,
    );
    const ids = async (organizationId: string | null) =>
      (await refused.list({ organizationId, limit: 10 }))?.records.map(({ requestId }) => requestId);
    assert.deepEqual(await ids('org_1'), ['req_0003', 'req_0001']);
    assert.deepEqual(await ids('org_2'), ['req_0002']);
    assert.deepEqual(await ids(null), ['req_0003', 'req_0002', 'req_0001']);
    assert.equal(await refused.find('org_2', 'req_0003'), null);
    assert.equal(await refused.find('org_2', 'req_0001'), null);
    assert.equal(await refused.find('org_1', 'req_0003', { keyId: 'key_1' }), null);
  });

  contract('the oldest of a key go beyond its bound, and no others', async ({ refused }) => {
    await refused.add([refusal(1, { keyId: 'key_2' })], BOUNDS);
    await refused.add(
      Array.from({ length: 5 }, (_, index) => refusal(index + 2)),
      { inAll: 1_000, perKey: 3 },
    );
    const left = (await refused.list({ organizationId: 'org_1', limit: 10 }))!.records;
    assert.deepEqual(
      left.map(({ id }) => Number(id.slice(-1))),
      [6, 5, 4, 1],
    );
  });

  contract('the oldest of all go beyond the bound of all, some additions later', async ({ refused }) => {
    for (let number = 1; number <= 64; number += 1) {
      await refused.add([refusal(number, { keyId: `key_${number}` })], { inAll: 10, perKey: 100 });
    }
    const left = (await refused.list({ organizationId: 'org_1', limit: 100 }))!.records;
    assert.deepEqual([left.length, left.at(-1)?.id], [10, 'refused_0055']);
  });

  contract('those of before a time are deleted, those without a key of before another', async ({ refused }) => {
    const keyless = (number: number, at: number) => refusal(number, { ...KEYLESS, at });
    await refused.add([refusal(1, { at: NOON - 2 * DAY_MS }), keyless(2, NOON - 2 * DAY_MS), keyless(3, NOON)], BOUNDS);
    assert.equal(await refused.purge(NOON - 7 * DAY_MS, NOON - DAY_MS), 1);
    const left = (await refused.list({ organizationId: 'org_1', limit: 10 }))!.records;
    assert.deepEqual(
      left.map(({ id }) => Number(id.slice(-1))),
      [3, 1],
    );
    assert.equal(await refused.purge(NOON, NOON), 1);
    const many = Array.from({ length: 1_201 }, (_, index) => refusal(index + 10, { at: NOON - 1 }));
    await refused.add(many, { inAll: 10_000, perKey: 10_000 });
    assert.equal(await refused.purge(NOON, NOON), many.length);
    assert.equal((await refused.list({ organizationId: 'org_1', limit: 10 }))!.records.length, 1);
  });
});
