import assert from 'node:assert/strict';
import type { Storage } from '../core/ports.ts';
import { placeText, readPlace, type SettledPlace } from '../core/settled.ts';
import { settleAll, storageContract } from './contract.test.ts';
import { intentAt, NOON, settlement } from './fixtures.test.ts';
import { KEPT_BATCHES } from './kept-batches.ts';
import { MAX_LOOKED_AT } from './settled-calls.ts';

const FIRST = { organizationId: 'org_1' };

storageContract('calls as they are settled', (contract) => {
  contract(
    'each is told once, in the order in which they were settled, and to its organization alone',
    async (storage) => {
      const start = await storage.settled.newest();
      const [one, two, three] = [0, 1, 2].map((number) => intentAt(NOON + number, number));
      const other = intentAt(NOON + 9, 9, { organizationId: 'org_2' });
      for (const call of [one!, two!, three!, other]) await storage.ledger.intend(call);
      await storage.check();
      assert.deepEqual(await idsSince(storage, start), [[], start]);
      for (const call of [three!, one!, other]) {
        await storage.ledger.settle(settlement(call));
        await storage.check();
      }
      const [ids, place] = await idsSince(storage, start);
      assert.deepEqual(ids, [three!.id, one!.id]);
      await storage.ledger.settle(settlement(two!));
      await storage.check();
      assert.deepEqual((await idsSince(storage, place))[0], [two!.id]);
    },
  );

  contract('whoever comes back with the place of a call goes on behind it', async (storage) => {
    const start = await storage.settled.newest();
    const calls = Array.from({ length: 7 }, (_, number) => intentAt(NOON + number, number));
    await settleAll(storage, calls);
    await storage.check();
    const { calls: told } = await storage.settled.since(FIRST, start, 100);
    assert.deepEqual(
      told.map(({ id }) => id),
      calls.map(({ id }) => id),
    );
    for (const [index, { place }] of told.entries()) {
      const back = readPlace(placeText(place))!;
      assert.deepEqual(
        (await idsSince(storage, back))[0],
        calls.slice(index + 1).map(({ id }) => id),
      );
    }
  });

  contract(
    'what is asked for is told alone, and of more than are wanted the last, with how many came before',
    async (storage) => {
      const start = await storage.settled.newest();
      const calls = Array.from({ length: 30 }, (_, number) =>
        intentAt(NOON + number, number, { keyId: number % 2 === 0 ? 'key_1' : 'key_2' }),
      );
      await settleAll(storage, calls, (call) =>
        settlement(call, call === calls[4] ? { status: 'failed', errorKind: 'upstream_error' } : {}),
      );
      await storage.check();
      const of = async (query: object, limit: number) => {
        const { calls: told, earlier } = await storage.settled.since({ ...FIRST, ...query }, start, limit);
        return [told.map(({ id }) => id), earlier];
      };
      assert.deepEqual(await of({ status: 'failed' }, 5), [[calls[4]!.id], 0]);
      assert.deepEqual(await of({ keyId: 'key_2' }, 2), [[calls[27]!.id, calls[29]!.id], 13]);
      assert.deepEqual(await of({ from: NOON + 28 }, 5), [[calls[28]!.id, calls[29]!.id], 0]);
      assert.deepEqual(await of({ model: 'none' }, 5), [[], 0]);
    },
  );

  contract(
    'who has been away for too long is told that there was more, and who names no place of this data, too',
    async (storage) => {
      const start = await storage.settled.newest();
      let second = start;
      for (let number = 0; number <= KEPT_BATCHES; number += 1) {
        const call = intentAt(NOON + number, number);
        await settleAll(storage, [call]);
        await storage.check();
        if (number === 0) second = await storage.settled.newest();
      }
      assert.equal((await storage.settled.since(FIRST, start, 1)).earlier, null);
      const { upTo, ...ahead } = await storage.settled.since(FIRST, { batch: 1_000_000, index: null }, 1);
      assert.deepEqual(ahead, { calls: [], earlier: null });
      assert.deepEqual(upTo, await storage.settled.newest());
      assert.equal((await storage.settled.since(FIRST, upTo, 1)).earlier, 0);
      const kept = await storage.settled.since(FIRST, second, 1);
      assert.equal(kept.earlier, KEPT_BATCHES - 1);
    },
  );

  contract('no more calls are looked at for one answer than are allowed', async (storage) => {
    const start = await storage.settled.newest();
    const calls = Array.from({ length: MAX_LOOKED_AT + 6_000 }, (_, number) => intentAt(NOON + number, number));
    await settleAll(storage, calls);
    await storage.check();
    const { calls: told, earlier } = await storage.settled.since({ ...FIRST, keyId: 'key_1' }, start, 2);
    assert.deepEqual([told.at(-1)?.id, earlier], [calls.at(-1)!.id, null]);
  });

  contract('calls are read whole, many at once', async (storage) => {
    const calls = [0, 1].map((number) => intentAt(NOON + number, number));
    await settleAll(storage, calls);
    await storage.check();
    const ids = calls.map(({ id }) => id);
    const found = await storage.calls.findAll('org_1', [...ids, 'usage_none']);
    assert.deepEqual(found, await Promise.all(ids.map((id) => storage.calls.find('org_1', id))));
    assert.deepEqual(await storage.calls.findAll('org_2', ids), []);
    assert.deepEqual(await storage.calls.findAll('org_1', []), []);
  });
});

/** The ids of the organization's calls behind a place, and the place behind them. */
async function idsSince({ settled }: Storage, after: SettledPlace): Promise<[string[], SettledPlace]> {
  const { calls, earlier, upTo } = await settled.since(FIRST, after, 100);
  assert.equal(earlier, 0);
  return [calls.map(({ id }) => id), upTo];
}
