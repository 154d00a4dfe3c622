import { RETRY_PAUSES_MS, type SendWebhook, type WebhookDelivery, type WebhookOutcome } from '../core/webhooks.ts';
import type { AdminParts } from './administration.ts';
import { requestFor } from './webhooks.ts';

/** How many are sent at once. */
const AT_ONCE = 20;
/** Who has taken a delivery has it for so long, in ms; a request takes less. */
const TAKEN_MS = 60_000;
/** How often it is looked whether something is due, in ms. */
const EVERY_MS = 1_000;
/** How long it is kept what was sent, in ms. */
export const KEPT_MS = 30 * 86_400_000;
const FORGET_EVERY_MS = 3_600_000;

export type WebhookSenderParts = Pick<AdminParts, 'settings' | 'webhooks' | 'pepper' | 'clock'> & {
  send: SendWebhook;
  onError(error: unknown): void;
};

/** Sends what endpoints are to be told, again and again with growing pauses for a day. */
export class WebhookSender {
  readonly #parts: WebhookSenderParts;
  #timer: NodeJS.Timeout | null = null;
  #forgotAt = Number.NEGATIVE_INFINITY;
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
    await this.round().catch(this.#parts.onError);
    this.start();
  }

  /** Sends all that is due now. */
  async round(): Promise<void> {
    const { webhooks, clock } = this.#parts;
    const now = clock.now();
    if (now - this.#forgotAt >= FORGET_EVERY_MS) {
      await webhooks.forget({ before: now - KEPT_MS });
      this.#forgotAt = now;
    }
    const due = await webhooks.take({ now, until: now + TAKEN_MS, limit: AT_ONCE });
    await Promise.all(due.map((delivery) => this.#deliver(delivery)));
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
