import { sortingPart } from '../core/record-id.ts';
import { isWebhookEventType, type WebhookDelivery, type WebhookEvent } from '../core/webhooks.ts';
import type { AdminParts } from './administration.ts';

export type NotifyParts = Pick<AdminParts, 'settings' | 'webhooks' | 'clock' | 'ids'>;

/** What happened, in the organization that it happened in. */
export type WebhookNews = Pick<WebhookEvent, 'organizationId' | 'data'> & { type: string };

/**
 * Tells all endpoints that want to know: each is sent to from then on until it has it, for a day. A type that is not one of
 * `WEBHOOK_EVENT_TYPES` is nobody's.
 */
export async function notify(parts: NotifyParts, { data, ...news }: WebhookNews): Promise<void> {
  await notifyOfEach(parts, news, async function* () {
    yield [data];
  });
}

/** The same of many that one change was about, a page in each transaction; they are looked for only where somebody wants to know. */
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
