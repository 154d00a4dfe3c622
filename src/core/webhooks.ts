import type { Page, PageQuery } from './settings.ts';

/** The events that an organization can receive. Endpoints select from this closed list. */
export const WEBHOOK_EVENT_TYPES = [
  'spend_alert.triggered',
  'spend_limit.reached',
  'api_key.created',
  'api_key.rotated',
  'api_key.deleted',
  'project.created',
  'project.archived',
] as const;
export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];

export function isWebhookEventType(word: string): word is WebhookEventType {
  return (WEBHOOK_EVENT_TYPES as readonly string[]).includes(word);
}

/** An event of an organization. It contains no secret. */
export type WebhookEvent = {
  /** Sorts by time. All attempts have the same id, so that a receiver can detect duplicates. */
  id: string;
  organizationId: string;
  type: WebhookEventType;
  /** Unix ms. */
  at: number;
  data: Readonly<Record<string, unknown>>;
};

/** A request to an organization's endpoint. */
export type WebhookRequest = { url: string; headers: Readonly<Record<string, string>>; body: string };

/**
 * The status of the answer, or why the request could not be sent. `fault` names no address of the gateway's own
 * network.
 */
export type WebhookOutcome = { status: number } | { fault: string };

/** Sends a request, only to public addresses. Never rejects. */
export type SendWebhook = (request: WebhookRequest) => Promise<WebhookOutcome>;

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** The pauses after each failed attempt, in ms: eleven further attempts within a day. */
export const RETRY_PAUSES_MS: readonly number[] = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  3 * HOUR,
  4 * HOUR,
  6 * HOUR,
  7 * HOUR,
];

/** A delivery of an event to an endpoint. */
export type WebhookDelivery = {
  id: string;
  organizationId: string;
  endpointId: string;
  /** Unix ms. */
  createdAt: number;
  event: WebhookEvent;
  attempts: number;
  /** Unix ms of the next attempt; `null` after success or the last attempt. */
  nextAt: number | null;
  deliveredAt: number | null;
  /** The result of the last attempt; `null` before the first. */
  outcome: WebhookOutcome | null;
};

/** An endpoint with a pending delivery. */
export type DueEndpoint = { organizationId: string; endpointId: string };

export type WebhookStore = {
  add(deliveries: readonly WebhookDelivery[]): Promise<void>;
  /** The endpoints with a delivery due at `now` (Unix ms), longest waiting first. */
  due(now: number): Promise<DueEndpoint[]>;
  /**
   * Takes the delivery of an endpoint that has waited longest; `null` if none is due. It is reserved until `until`, so
   * that only one process sends it.
   */
  take(wanted: { endpointId: string; now: number; until: number }): Promise<WebhookDelivery | null>;
  /** Stores the result of an attempt. */
  note(delivery: WebhookDelivery): Promise<void>;
  /** Newest first by default. */
  list(organizationId: string, query: PageQuery & { endpointId: string }): Promise<Page<WebhookDelivery>>;
  /** Deletes deliveries created before a time (Unix ms), or all of an endpoint. */
  forget(what: { before: number } | { endpointId: string; organizationId: string }): Promise<void>;
};
