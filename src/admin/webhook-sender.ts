import { setTimeout as wait } from 'node:timers/promises';
import { DAY_MS } from '../core/utc-day.ts';
import {
  type DueEndpoint,
  RETRY_PAUSES_MS,
  type SendWebhook,
  type WebhookDelivery,
  type WebhookOutcome,
} from '../core/webhooks.ts';
import type { AdminParts } from './administration.ts';
import { requestFor } from './webhooks.ts';

/** How many requests are on their way at once: in all, of one organization, and to one endpoint. */
const MOST_LANES = 100;
const LANES_OF_ORGANIZATION = 20;
const LANES_TO_ENDPOINT = 5;
/** Between the starts of two requests, in ms: what is sent is work for the thread that answers calls. */
const GAP_MS = 10;
/** A lane that has sent for so long gives its place to whoever has had none for longest, in ms. */
const LANE_MS = 10_000;
/** Who has taken a delivery has it for so long, in ms; a request takes less. */
const TAKEN_MS = 60_000;
/** How often it is looked whether something is due, in ms. */
const EVERY_MS = 1_000;
/** How long it is kept what was sent, in ms. */
export const KEPT_MS = 30 * DAY_MS;
const FORGET_EVERY_MS = 3_600_000;

export type WebhookSenderParts = Pick<AdminParts, 'settings' | 'webhooks' | 'pepper' | 'clock'> & {
  send: SendWebhook;
  onError(error: unknown): void;
};

/**
 * Sends what endpoints are to be told, again and again with growing pauses for a day. Each endpoint has lanes of its own, which
 * send one request after the other: a receiver that never answers keeps those alone busy, and all others are told meanwhile.
 */
export class WebhookSender {
  readonly #parts: WebhookSenderParts;
  /** Whom each lane sends to. */
  readonly #lanes = new Set<DueEndpoint>();
  /** When each endpoint that something is due for had a lane last, in the order of lanes. */
  #hadLane = new Map<string, number>();
  #opened = 0;
  #timer: NodeJS.Timeout | null = null;
  #forgotAt = Number.NEGATIVE_INFINITY;
  /** When the last request began, or is to begin; monotonic ms. */
  #lastTurn = Number.NEGATIVE_INFINITY;
  #isStopped = false;

  constructor(parts: WebhookSenderParts) {
    this.#parts = parts;
  }

  start(): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => void this.#turn(), EVERY_MS).unref();
  }

  /** What is under way is sent again by whoever serves next. */
  stop(): void {
    this.#isStopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  async #turn(): Promise<void> {
    await this.look().catch(this.#parts.onError);
    this.start();
  }

  /** Opens one more lane to each endpoint that something is due for, where it has not its most. Does not wait for what they send. */
  async look(): Promise<void> {
    const { webhooks, clock, onError } = this.#parts;
    const now = clock.now();
    if (now - this.#forgotAt >= FORGET_EVERY_MS) {
      await webhooks.forget({ before: now - KEPT_MS });
      this.#forgotAt = now;
    }
    for (const lane of this.#inTurn(await webhooks.due(now))) {
      if (this.#lanes.size >= MOST_LANES) return;
      if (!this.#hasRoom(lane)) continue;
      this.#lanes.add(lane);
      this.#opened += 1;
      this.#hadLane.set(lane.endpointId, this.#opened);
      this.#send(lane)
        .catch(onError)
        .finally(() => this.#lanes.delete(lane));
    }
  }

  /** Whoever has had no lane for longest comes first: those whose receivers never answer are due at all times. */
  #inTurn(due: readonly DueEndpoint[]): DueEndpoint[] {
    this.#hadLane = new Map(due.map(({ endpointId: id }) => [id, this.#hadLane.get(id) ?? 0]));
    const last = ({ endpointId }: DueEndpoint) => this.#hadLane.get(endpointId)!;
    return due.toSorted((one, other) => last(one) - last(other));
  }

  #hasRoom({ organizationId, endpointId }: DueEndpoint): boolean {
    let [ofOrganization, toEndpoint] = [0, 0];
    for (const lane of this.#lanes) {
      if (lane.organizationId === organizationId) ofOrganization += 1;
      if (lane.endpointId === endpointId) toEndpoint += 1;
    }
    return ofOrganization < LANES_OF_ORGANIZATION && toEndpoint < LANES_TO_ENDPOINT;
  }

  /** Sends one after the other until nothing is due, or it has had its time. */
  async #send({ endpointId }: DueEndpoint): Promise<void> {
    const { webhooks, clock } = this.#parts;
    const endsAt = clock.monotonic() + LANE_MS;
    for (;;) {
      await this.#turnToSend();
      if (this.#isStopped || clock.monotonic() >= endsAt) return;
      const now = clock.now();
      const delivery = await webhooks.take({ endpointId, now, until: now + TAKEN_MS });
      if (delivery === null) return;
      await this.#deliver(delivery);
    }
  }

  /** Lanes send in the order in which they ask. */
  async #turnToSend(): Promise<void> {
    const now = this.#parts.clock.monotonic();
    this.#lastTurn = Math.max(now, this.#lastTurn + GAP_MS);
    if (this.#lastTurn > now) await wait(this.#lastTurn - now, undefined, { ref: false });
  }

  async #deliver(delivery: WebhookDelivery): Promise<void> {
    const { settings, webhooks, clock, send } = this.#parts;
    const { organizationId, endpointId, event } = delivery;
    const endpoint = await settings.find(organizationId, 'webhook_endpoint', endpointId);
    // It was deleted, and what it was to be told goes with it.
    if (endpoint === null) return webhooks.forget({ organizationId, endpointId });
    const outcome = await send(requestFor(this.#parts, endpoint, event));
    await webhooks.note(afterAttempt(delivery, outcome, clock.now()));
  }
}

/** The delivery with what came of one more attempt, and when there is another. */
function afterAttempt(delivery: WebhookDelivery, outcome: WebhookOutcome, now: number): WebhookDelivery {
  const attempts = delivery.attempts + 1;
  const isDelivered = 'status' in outcome && outcome.status >= 200 && outcome.status < 300;
  const pause = isDelivered ? undefined : RETRY_PAUSES_MS[attempts - 1];
  return {
    ...delivery,
    attempts,
    outcome,
    nextAt: pause === undefined ? null : now + pause,
    deliveredAt: isDelivered ? now : null,
  };
}
