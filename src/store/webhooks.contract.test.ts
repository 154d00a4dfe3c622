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
});
