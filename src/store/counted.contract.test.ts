import assert from 'node:assert/strict';
import type { EarlierSpend } from '../core/settings.ts';
import { usageOf } from '../core/usage.ts';
import { leasedSpending, storageContract } from './contract.test.ts';
import { intent, key, NOON, settlement } from './fixtures.test.ts';
import { recoverOthers } from './recover.ts';

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
          const leased = await leasedSpending(each, id, '2026-11-21');
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

  contract('what a key has spent is added up from one day through another', async (own) => {
    for (const day of [0, 1, 2]) {
      const call = intent(day, { createdAt: NOON + day * 86_400_000 });
      await own.ledger.intend(call);
      await own.ledger.settle(settlement(call, { counted: 10n ** BigInt(day) }));
    }
    const [first, second] = ['2026-11-21', '2026-11-22'];
    const spent = (sinceDay: string | null, throughDay?: string) => own.spend.spent('key_1', sinceDay, throughDay);
    assert.deepEqual(
      [await spent(null), await spent(second), await spent(null, second), await spent(second, second)],
      [111n, 110n, 11n, 10n],
    );
    assert.equal(await spent(first, first), 1n);
  });

  contract('what was held for a call that is interrupted counts, and its prompt is billed', async (dead, open) => {
    const reported = usageOf({ inputTokens: 1e12, outputTokens: 7, serviceTier: 'flex' });
    await dead.ledger.intend(intent(1, { held: 900_000n }));
    await dead.ledger.intend(intent(2, { held: 50n, price: null }));
    await dead.ledger.intend(intent(3, { held: 100n }));
    await dead.ledger.intend(intent(4));
    await dead.ledger.settle(settlement(intent(4), { reported }));
    const alive = await open('instance_2');
    assert.equal(await recoverOthers(alive, NOON), 3);
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

  contract('a budget is given what the keys of its holders have spent since a day, and nobody else’s', async (own) => {
    const ada = { type: 'user' as const, id: 'user_ada' };
    const keys = [
      key({ id: 'key_1', projectId: 'proj_1' }),
      key({ id: 'key_2', owner: ada, projectId: 'proj_2' }),
      key({ id: 'key_3', owner: ada, projectId: 'proj_2', organizationId: 'org_2' }),
      key({ id: 'key_4', owner: { type: 'service_account', id: ada.id } }),
    ];
    for (const each of keys) await own.keys.create(each, Buffer.from(each.id));
    for (const [index, each] of keys.entries()) {
      const call = intent(index + 1, { keyId: each.id, organizationId: each.organizationId });
      await own.ledger.intend(call);
      await own.ledger.settle(settlement(call, { counted: 10n ** BigInt(index) }));
    }
    const cases: [string, EarlierSpend['holders'], string, bigint][] = [
      ['by a person', [ada], '2026-11-21', 10n],
      ['by both', [ada, { type: 'project', id: 'proj_1' }], '2026-11-01', 11n],
      ['by a key, once', [ada, { type: 'api_key', id: 'key_2' }], '2026-11-01', 10n],
      ['of another', [{ type: 'api_key', id: 'key_3' }], '2026-11-01', 0n],
      ['by all', [{ type: 'organization', id: 'org_1' }], '2026-11-01', 1_011n],
      ['since tomorrow', [{ type: 'organization', id: 'org_1' }], '2026-11-22', 0n],
      ['by a group', [{ type: 'group', id: 'group_1' }], '2026-11-01', 0n],
    ];
    for (const [name, holders, sinceDay, spent] of cases) {
      const countEarlier = { budgetId: `budget_${name}`, holders, sinceDay };
      assert.equal(await own.settings.change('org_1', [{ countEarlier }], null), 'done');
      assert.equal(await own.spend.spent(`budget_${name}`, '2026-11-01'), spent, name);
    }
  });

  contract('what a call counts is added to each of its budgets once, whoever settles it', async (dead, open) => {
    const budgets = 'budget_pool budget_team';
    const whole = intent(1, { held: 700n, budgets });
    await dead.ledger.intend(whole);
    await dead.ledger.settle(settlement(whole, { counted: 500n }));
    // Open in the tables before it is settled.
    const later = intent(2, { held: null, budgets: 'budget_team', route: 'auto' });
    await dead.ledger.intend(later);
    await dead.check();
    await dead.ledger.settle(settlement(later, { counted: 30n }));
    await dead.ledger.intend(intent(3, { held: 9_000_000n, budgets }));
    const unbudgeted = intent(4, { held: 1n });
    await dead.ledger.intend(unbudgeted);
    const late = intent(5, { budgets: 'budget_pool' });
    await dead.ledger.intend(late);
    const alive = await open('instance_2');
    // Past the journal: it is settled by another than who opened it, and then once more.
    for (let time = 0; time < 2; time += 1) await alive.ledger.settle(settlement(late, { counted: 2n }));
    assert.equal(await recoverOthers(alive, NOON), 2);
    assert.equal(await recoverOthers(alive, NOON), 0);
    const day = '2026-11-21';
    for (const [id, spent] of [
      ['budget_pool', 500n + 9_000_000n + 2n],
      ['budget_team', 500n + 30n + 9_000_000n],
      ['budget_none', 0n],
    ] as const) {
      assert.equal(await alive.spend.spent(id, day, day), spent, id);
      const leased = await leasedSpending(alive, id, day);
      assert.equal(leased, spent, id);
    }
    assert.deepEqual(
      (await alive.keys.use(day)).filter(({ keyId }) => keyId.startsWith('budget')),
      [],
    );
  });
});
