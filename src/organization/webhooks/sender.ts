import { setTimeout as wait } from 'node:timers/promises';
import { DAY_MS } from '../../core/utc-day.ts';
import {
  type DueEndpoint,
  RETRY_PAUSES_MS,
  type SendWebhook,
  type WebhookDelivery,
  type WebhookOutcome,
} from '../../core/webhooks.ts';
import type { AdminParts } from '../administration.ts';
import { requestFor } from './service.ts';

/** The most open requests: in total, per organization, and per endpoint. */
const MOST_LANES = 100;
const LANES_OF_ORGANIZATION = 20;
const LANES_TO_ENDPOINT = 5;
/** The pause between the starts of two requests, in ms, because sending is work for the thread that answers calls. */
const GAP_MS = 10;
/** After this time, in ms, a lane gives its place to the endpoint that has waited longest. */
const LANE_MS = 10_000;
/** How long a sender owns a delivery, in ms; a request takes less. */
const TAKEN_MS = 60_000;
/** The interval for looking for due deliveries, in ms. */
const EVERY_MS = 1_000;
/** How long sent deliveries are stored, in ms. */
export const KEPT_MS = 30 * DAY_MS;
const FORGET_EVERY_MS = 3_600_000;

export type WebhookSenderParts = Pick<AdminParts, 'settings' | 'webhooks' | 'pepper' | 'clock'> & {
  send: SendWebhook;
  onError(error: unknown): void;
};

/**
 * Sends deliveries to endpoints, and repeats failures with growing pauses for a day. Each endpoint has lanes that send
 * one request after the other, so a receiver that never answers delays only itself.
 */
export class WebhookSender {
  readonly #parts: WebhookSenderParts;
  /** The endpoint of each lane. */
  readonly #lanes = new Set<DueEndpoint>();
  /** The last lane of each endpoint with due deliveries, in the order of lanes. */
  #hadLane = new Map<string, number>();
  #opened = 0;
  #timer: NodeJS.Timeout | null = null;
  #forgotAt = Number.NEGATIVE_INFINITY;
  /** The start of the last or next request; monotonic ms. */
  #lastTurn = Number.NEGATIVE_INFINITY;
  #isStopped = false;

  constructor(parts: WebhookSenderParts) {
    this.#parts = parts;
  }

  start(): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => void this.#turn(), EVERY_MS).unref();
  }

  /** Open requests are sent again by the next process that serves. */
  stop(): void {
    this.#isStopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  async #turn(): Promise<void> {
    await this.look().catch(this.#parts.onError);
    this.start();
  }

  /** Opens one more lane for each endpoint with due deliveries, up to the limit. Does not wait for what they send. */
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

  /** The endpoint that has waited longest comes first, because receivers that never answer are always due. */
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

  /** Sends one after the other until nothing is due, or the lane's time is over. */
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

  /** Lanes send in the order of their requests. */
  async #turnToSend(): Promise<void> {
    const now = this.#parts.clock.monotonic();
    this.#lastTurn = Math.max(now, this.#lastTurn + GAP_MS);
    if (this.#lastTurn > now) await wait(this.#lastTurn - now, undefined, { ref: false });
  }

  async #deliver(delivery: WebhookDelivery): Promise<void> {
    const { settings, webhooks, clock, send } = this.#parts;
    const { organizationId, endpointId, event } = delivery;
    const endpoint = await settings.find(organizationId, 'webhook_endpoint', endpointId);
    // The endpoint was deleted with its deliveries.
    if (endpoint === null) return webhooks.forget({ organizationId, endpointId });
    const outcome = await send(requestFor(this.#parts, endpoint, event));
    await webhooks.note(afterAttempt(delivery, outcome, clock.now()));
  }
}

/** The delivery after one more attempt, with the time of the next. */
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
