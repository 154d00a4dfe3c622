import assert from 'node:assert/strict';
import type { WebhookDelivery } from '../core/webhooks.ts';
import { storageContract } from './contract.test.ts';
import { NOON } from './fixtures.test.ts';

storageContract('deliveries of webhooks', (check) => {
  check('old ones are forgotten, but for those that are still to be tried', async ({ webhooks }) => {
    const kept = {
      organizationId: 'org_1',
      endpointId: 'we_1',
      attempts: 1,
      deliveredAt: null,
      outcome: { status: 503 },
    };
    const event = { type: 'budget.reached' } as unknown as WebhookDelivery['event'];
    await webhooks.add([
      { ...kept, id: 'evt_1', event, createdAt: NOON, nextAt: null },
      { ...kept, id: 'evt_2', event, createdAt: NOON, nextAt: NOON + 60_000 },
      { ...kept, id: 'evt_3', event, createdAt: NOON + 2, nextAt: null },
    ]);
    await webhooks.forget({ before: NOON + 1 });
    const { items } = await webhooks.list('org_1', { endpointId: 'we_1', limit: 9 });
    assert.deepEqual(
      items.map(({ id }) => id),
      ['evt_3', 'evt_2'],
    );
  });

  check('endpoints that something is due for are told, the one that has waited longest first', async ({ webhooks }) => {
    await webhooks.add([
      delivery('evt_1', { endpointId: 'we_b', nextAt: NOON + 5 }),
      delivery('evt_2', { endpointId: 'we_a', nextAt: NOON + 9 }),
      delivery('evt_3', { endpointId: 'we_b', nextAt: NOON + 7 }),
      delivery('evt_4', { endpointId: 'we_c', organizationId: 'org_2', nextAt: NOON + 4 }),
      delivery('evt_5', { endpointId: 'we_d', nextAt: NOON + 10 }),
      delivery('evt_6', { endpointId: 'we_e', nextAt: null }),
    ]);
    assert.deepEqual(await webhooks.due(NOON + 3), []);
    assert.deepEqual(await webhooks.due(NOON + 9), [
      { endpointId: 'we_c', organizationId: 'org_2' },
      { endpointId: 'we_b', organizationId: 'org_1' },
      { endpointId: 'we_a', organizationId: 'org_1' },
    ]);
  });

  check('what is due is taken by one, the oldest first, and by another after a while', async ({ webhooks }) => {
    await webhooks.add([
      delivery('evt_1', { endpointId: 'we_a', nextAt: NOON + 2 }),
      delivery('evt_2', { endpointId: 'we_a', nextAt: NOON + 1 }),
      delivery('evt_3', { endpointId: 'we_b', nextAt: NOON }),
      delivery('evt_4', { endpointId: 'we_a', nextAt: NOON + 100 }),
    ]);
    const take = async (now: number) =>
      (await webhooks.take({ endpointId: 'we_a', now, until: now + 1_000 }))?.id ?? null;
    assert.deepEqual([await take(NOON + 2), await take(NOON + 3), await take(NOON + 3)], ['evt_2', 'evt_1', null]);
    assert.deepEqual(await Promise.all([take(NOON + 200), take(NOON + 200)]), ['evt_4', null]);
    assert.equal(await take(NOON + 1_002), 'evt_2');
  });

  check('all of an endpoint is forgotten, however much it is, and nothing of another', async ({ webhooks }) => {
    const ids = Array.from({ length: 2_500 }, (_, index) => `evt_${index}`);
    await webhooks.add(ids.map((id) => delivery(id, { endpointId: 'we_a', nextAt: NOON })));
    await webhooks.add([delivery('other', { endpointId: 'we_b', nextAt: NOON })]);
    await webhooks.forget({ organizationId: 'org_1', endpointId: 'we_a' });
    assert.deepEqual((await webhooks.list('org_1', { endpointId: 'we_a', limit: 9 })).items, []);
    assert.deepEqual(await webhooks.due(NOON), [{ endpointId: 'we_b', organizationId: 'org_1' }]);
  });
});

function delivery(id: string, given: Partial<WebhookDelivery>): WebhookDelivery {
  const event = { type: 'budget.reached' } as unknown as WebhookDelivery['event'];
  const fresh = { attempts: 0, nextAt: null, deliveredAt: null, outcome: null };
  return { id, organizationId: 'org_1', endpointId: 'we_1', createdAt: NOON, event, ...fresh, ...given };
}
