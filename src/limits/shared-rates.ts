import { LARGEST_RATE } from '../core/bucket.ts';
import { GatewayError } from '../core/errors.ts';
import type { HeldRate, OutgoingUse } from '../core/outgoing-rates.ts';
import type { Clock, Limiter, RatedCall, RateLimiter, Reservation } from '../core/ports.ts';
import { type ApiKey, type LimitSubject, rateSubject } from '../core/records.ts';
import type { ProjectRateLimit } from '../core/settings.ts';

/** The most cached rates. */
const MAX_RATES = 10_000;

/**
 * Holds the rates that keys share: what calls of a model may use in a project, and what may be sent to providers. A call takes
 * from such a rate as from a key's own. Which rates hold for a call is decided by the model that serves it
 * (`core/project-rate.ts`, `core/outgoing-rates.ts`).
 */
export class SharedRates implements RateLimiter {
  readonly #limiter: Pick<Limiter, 'reserve'>;
  /** The subject of a rate: for all keys the same object as long as the rate is the same. */
  readonly #subjects = new Map<string, LimitSubject>();
  readonly #outgoing = new Map<string, OutgoingUse>();
  readonly #clock: Pick<Clock, 'now'>;

  constructor(limiter: Pick<Limiter, 'reserve'>, clock: Pick<Clock, 'now'>) {
    this.#limiter = limiter;
    this.#clock = clock;
  }

  reserve(
    { projectId }: Pick<ApiKey, 'projectId'>,
    rate: ProjectRateLimit,
    call: RatedCall,
  ): Reservation | Promise<Reservation> {
    try {
      const reserved = this.#limiter.reserve(this.#subject(`rate:${projectId} ${rate.model}`, rate), {
        ...call,
        cost: 0n,
      });
      return reserved instanceof Promise ? reserved.catch((error) => ofProject(error, rate)) : reserved;
    } catch (error) {
      return ofProject(error, rate);
    }
  }

  reserveOutgoing(rate: HeldRate, call: RatedCall): Reservation | Promise<Reservation> {
    const refuse = (error: unknown) => {
      this.#noteFull(rate, error);
      return ofProvider(error, call);
    };
    try {
      const reserved = this.#limiter.reserve(this.#subject(`outgoing:${rate.id}`, rate), { ...call, cost: 0n });
      return reserved instanceof Promise ? reserved.catch(refuse) : reserved;
    } catch (error) {
      return refuse(error);
    }
  }

  outgoing(): ReadonlyMap<string, OutgoingUse> {
    return this.#outgoing;
  }

  #noteFull(rate: HeldRate, error: unknown): void {
    if (!(error instanceof GatewayError) || error.status !== 429) return;
    const fullAt = this.#clock.now();
    const passedOver = (this.#outgoing.get(rate.id)?.passedOver ?? 0) + 1;
    makeRoom(this.#outgoing, rate.id);
    this.#outgoing.set(rate.id, { rate, passedOver, fullAt, fullUntil: fullAt + (error.retryAfterMs ?? 0) });
  }

  #subject(id: string, rate: Pick<HeldRate, 'requestsPerMinute' | 'tokensPerMinute'>): LimitSubject {
    const { requestsPerMinute, tokensPerMinute } = rate;
    const rates = {
      requestsPerMinute: requestsPerMinute ?? LARGEST_RATE,
      tokensPerMinute: tokensPerMinute ?? LARGEST_RATE,
    };
    const subjects = this.#subjects;
    const known = subjects.get(id);
    if (known?.requestsPerMinute === rates.requestsPerMinute && known.tokensPerMinute === rates.tokensPerMinute) {
      return known;
    }
    const subject = rateSubject(id, rates);
    makeRoom(subjects, id);
    subjects.set(id, subject);
    return subject;
  }
}

/** Removes the oldest entry if the map is full. */
function makeRoom(known: Map<string, unknown>, id: string): void {
  const [oldest] = known.keys();
  if (oldest !== undefined && !known.has(id) && known.size >= MAX_RATES) known.delete(oldest);
}

/** Rewords a refusal for the project instead of the key. */
function ofProject(error: unknown, { model }: ProjectRateLimit): never {
  if (!(error instanceof GatewayError) || error.status !== 429) throw error;
  throw error.with({ message: `In this project, for the model \`${model}\`: ${error.message}` });
}

/** Rewords a refusal without provider names and numbers, which callers may not know. */
function ofProvider(error: unknown, { model }: RatedCall): never {
  if (!(error instanceof GatewayError) || error.status !== 429) throw error;
  const message = `All targets that serve \`${model}\` have reached their requests or tokens per minute; send the call again.`;
  throw error.with({ message });
}
