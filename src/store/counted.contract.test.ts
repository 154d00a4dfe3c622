import assert from 'node:assert/strict';
import { usageOf } from '../core/usage.ts';
import { storageContract } from './contract.test.ts';
import { intent, key, NOON, settlement } from './fixtures.test.ts';

storageContract('what counts against limits', (contract) => {
  contract(
    'a cost that nobody knows counts as what was held, by whatever way it comes into the books',
    async (own, open) => {
      await own.keys.create(key({ id: 'key_1', source: 'product', product: 'desk' }), Buffer.from('hash'));
      const held = intent(1, { held: 700n });
      const end = settlement(held, { cost: null, lineItems: [], counted: 700n });
      // One is written at once, as settled; the other is open in the tables before it is settled.
      await own.ledger.intend(held);
      await own.ledger.settle(end);
      const later = intent(2, { held: 30n });
      await own.ledger.intend(later);
      await own.check();
      await own.ledger.settle({ ...end, id: later.id, counted: 30n });
      const other = await open('instance_2');
      for (const each of [own, other]) {
        for (const id of ['key_1', 'product:desk']) {
          assert.equal(await each.spend.spent(id, null), 730n);
          const leased = await each.leases.exchange(id, ({ spentSince }) => ({
            shared: null,
            own: null,
            answer: () => spentSince('2026-11-21'),
          }));
          assert.equal(leased, 730n);
        }
        const page = await each.usage.list({ organizationId: 'org_1', limit: 2 });
        assert.deepEqual(
          page?.records.map(({ cost, counted }) => [cost, counted]),
          [
            [null, 30n],
            [null, 700n],
          ],
        );
      }
    },
  );

  contract('what was held for a call that is interrupted counts, and its prompt is billed', async (dead, open) => {
    const reported = usageOf({ inputTokens: 1e12, outputTokens: 7, serviceTier: 'flex' });
    await dead.ledger.intend(intent(1, { held: 900_000n }));
    await dead.ledger.intend(intent(2, { held: 50n, price: null }));
    await dead.ledger.intend(intent(3, { held: 100n }));
    await dead.ledger.intend(intent(4));
    await dead.ledger.settle(settlement(intent(4), { reported }));
    const alive = await open('instance_2');
    assert.equal(await alive.recover(NOON), 3);
    const page = await alive.usage.list({ organizationId: 'org_1', limit: 4 });
    assert.deepEqual(
      page?.records.map(({ cost, counted, reported: told }) => [cost, counted, told]),
      [
        [240_000n, 240_000n, reported],
        [150_000n, 150_000n, null],
        [null, 50n, null],
        [150_000n, 900_000n, null],
      ],
    );
    assert.equal(await alive.spend.spent('key_1', null), 240_000n + 150_000n + 50n + 900_000n);
  });
});
