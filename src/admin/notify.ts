import { sortingPart } from '../core/record-id.ts';
import { isWebhookEventType, type WebhookEvent } from '../core/webhooks.ts';
import type { AdminParts } from './administration.ts';

export type NotifyParts = Pick<AdminParts, 'settings' | 'webhooks' | 'clock' | 'ids'>;

/** What happened, in the organization that it happened in. */
export type WebhookNews = Pick<WebhookEvent, 'organizationId' | 'data'> & { type: string };

/**
 * Tells all endpoints that want to know: each is sent to from then on until it has it, for a day. A type that is not one of
 * `WEBHOOK_EVENT_TYPES` is nobody's.
 */
export async function notify(parts: NotifyParts, { organizationId, type, data }: WebhookNews): Promise<void> {
  if (!isWebhookEventType(type)) return;
  const endpoints = await parts.settings.all(organizationId, 'webhook_endpoint');
  const wanting = endpoints.filter(({ value }) => value.eventTypes.includes(type));
  if (wanting.length === 0) return;
  const event = eventOf(parts, { organizationId, type, data });
  await parts.webhooks.add(
    wanting.map(({ id: endpointId }) => ({
      id: `whd_${sortingPart(parts.ids.recordId(event.at))}`,
      organizationId,
      endpointId,
      createdAt: event.at,
      event,
      attempts: 0,
      nextAt: event.at,
      deliveredAt: null,
      outcome: null,
    })),
  );
}

/** An event that happens now. */
export function eventOf(
  { clock, ids }: Pick<AdminParts, 'clock' | 'ids'>,
  { organizationId, type, data }: Pick<WebhookEvent, 'organizationId' | 'type' | 'data'>,
): WebhookEvent {
  const at = clock.now();
  return { id: `evt_${sortingPart(ids.recordId(at))}`, organizationId, type, at, data };
}
