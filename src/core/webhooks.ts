import type { Page, PageQuery } from './settings.ts';

/** What an organization can be told of. The list is closed: an endpoint names some of these. */
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

/** Something that happened in an organization. Nothing in it is a secret. */
export type WebhookEvent = {
  /** Sorts by time; it is the same in every attempt, so that a receiver can tell what came twice. */
  id: string;
  organizationId: string;
  type: WebhookEventType;
  /** Unix ms. */
  at: number;
  data: Readonly<Record<string, unknown>>;
};

/** One request to an address of an organization's own. */
export type WebhookRequest = { url: string; headers: Readonly<Record<string, string>>; body: string };

/** What it was answered; or why it could not be sent, in words that name no address within the gateway's own network. */
export type WebhookOutcome = { status: number } | { fault: string };

/** Sends a request to a public address alone. Never rejects. */
export type SendWebhook = (request: WebhookRequest) => Promise<WebhookOutcome>;

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** How long to wait after each attempt that failed, in ms: eleven more within a day. */
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

/** An event on its way to an endpoint. */
export type WebhookDelivery = {
  id: string;
  organizationId: string;
  endpointId: string;
  /** Unix ms. */
  createdAt: number;
  event: WebhookEvent;
  attempts: number;
  /** Unix ms of the next attempt; `null` once it was delivered or given up. */
  nextAt: number | null;
  deliveredAt: number | null;
  /** What came of the last attempt; `null` before it. */
  outcome: WebhookOutcome | null;
};

/** An endpoint that something is to be sent to. */
export type DueEndpoint = { organizationId: string; endpointId: string };

export type WebhookStore = {
  add(deliveries: readonly WebhookDelivery[]): Promise<void>;
  /** The endpoints that something is due for at `now` (Unix ms); the one that has waited longest first. */
  due(now: number): Promise<DueEndpoint[]>;
  /**
   * What is due for an endpoint and has waited longest; `null` if nothing is. Whoever takes it has it until `until`, so that
   * several processes send it once.
   */
  take(wanted: { endpointId: string; now: number; until: number }): Promise<WebhookDelivery | null>;
  /** What came of an attempt. */
  note(delivery: WebhookDelivery): Promise<void>;
  /** Newest first but where it is asked for otherwise. */
  list(organizationId: string, query: PageQuery & { endpointId: string }): Promise<Page<WebhookDelivery>>;
  /** Forgets what was made before a time (Unix ms), and all of an endpoint. */
  forget(what: { before: number } | { endpointId: string; organizationId: string }): Promise<void>;
};
