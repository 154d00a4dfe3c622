import { sortingPart } from '../../core/record-id.ts';
import { isWebhookEventType, type WebhookDelivery, type WebhookEvent } from '../../core/webhooks.ts';
import type { AdminParts } from '../administration.ts';

export type NotifyParts = Pick<AdminParts, 'settings' | 'webhooks' | 'clock' | 'ids'>;

/** An event of an organization. */
export type WebhookNews = Pick<WebhookEvent, 'organizationId' | 'data'> & { type: string };

/** Notifies all endpoints that want the event, for up to a day. Types outside `WEBHOOK_EVENT_TYPES` notify nobody. */
export async function notify(parts: NotifyParts, { data, ...news }: WebhookNews): Promise<void> {
  await notifyOfEach(parts, news, async function* () {
    yield [data];
  });
}

/**
 * The same for many subjects of one change, a page per transaction; they are read only if an endpoint wants the event.
 */
export async function notifyOfEach(
  parts: NotifyParts,
  { organizationId, type }: Omit<WebhookNews, 'data'>,
  pages: () => AsyncIterable<readonly WebhookEvent['data'][]>,
): Promise<void> {
  if (!isWebhookEventType(type)) return;
  const endpoints = await parts.settings.all(organizationId, 'webhook_endpoint');
  const wanting = endpoints.filter(({ value }) => value.eventTypes.includes(type));
  if (wanting.length === 0) return;
  for await (const page of pages()) {
    const events = page.map((data) => eventOf(parts, { organizationId, type, data }));
    await parts.webhooks.add(events.flatMap((event) => wanting.map(({ id }) => deliveryOf(parts, id, event))));
  }
}

function deliveryOf({ ids }: Pick<AdminParts, 'ids'>, endpointId: string, event: WebhookEvent): WebhookDelivery {
  return {
    id: `whd_${sortingPart(ids.recordId(event.at))}`,
    organizationId: event.organizationId,
    endpointId,
    createdAt: event.at,
    event,
    attempts: 0,
    nextAt: event.at,
    deliveredAt: null,
    outcome: null,
  };
}

/** An event that happens now. */
export function eventOf(
  { clock, ids }: Pick<AdminParts, 'clock' | 'ids'>,
  { organizationId, type, data }: Pick<WebhookEvent, 'organizationId' | 'type' | 'data'>,
): WebhookEvent {
  const at = clock.now();
  return { id: `evt_${sortingPart(ids.recordId(at))}`, organizationId, type, at, data };
}
