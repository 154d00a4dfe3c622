import { namesOf } from '../core/access.ts';
import { GatewayError } from '../core/errors.ts';
import type { Limiter, LimitRequest, Reservation } from '../core/ports.ts';
import { rateFor } from '../core/project-rate.ts';
import type { ApiKey } from '../core/records.ts';
import type { ProjectRateLimit } from '../core/settings.ts';
import { LARGEST_RATE } from './bucket.ts';

/** How many rates of projects are known at once. */
const MAX_HOLDERS = 10_000;

/**
 * Holds what calls of a model may use in a project, all its keys together: for each call it takes from the project's rates as
 * if they were a key's, and settles both. Whatever name a call gives a model (its provider's before it, an alias), it is the
 * same model, but a rate of that very name goes first; a dated version without a rate of its own counts as the model whose name
 * it begins with.
 */
export function withProjectRates(limiter: Limiter): Limiter {
  /** The key that stands for rates of a project: for all its keys the same object as long as they hold, which limiters compare. */
  const holders = new Map<string, ApiKey>();

  // /!\ Hot path: for a key of a project without rates, this is one comparison.
  function reserve(key: ApiKey, call: LimitRequest): Reservation | Promise<Reservation> {
    const rates = key.inForce?.rates;
    if (rates === undefined || rates.size === 0) return limiter.reserve(key, call);
    const { tokens, model, called } = call;
    const rate = rateFor(called === undefined ? [model] : namesOf(called), rates);
    if (rate === undefined) return limiter.reserve(key, call);
    // The project first, because a call that it refuses must not use the key's rate.
    const ofProject = refusedByProject(model, () => limiter.reserve(holderOf(key, rate), { tokens, model, cost: 0n }));
    if (ofProject instanceof Promise) return ofProject.then((reserved) => reserveForKey(reserved, key, call));
    return reserveForKey(ofProject, key, call);
  }

  function reserveForKey(ofProject: Reservation, key: ApiKey, call: LimitRequest): Reservation | Promise<Reservation> {
    const giveBack = (error: unknown): never => {
      ofProject.cancel();
      throw error;
    };
    try {
      const ofKey = limiter.reserve(key, call);
      if (ofKey instanceof Promise) return ofKey.then((reserved) => both(reserved, ofProject), giveBack);
      return both(ofKey, ofProject);
    } catch (error) {
      return giveBack(error);
    }
  }

  function holderOf(key: ApiKey, rate: ProjectRateLimit): ApiKey {
    const id = `rate:${key.projectId} ${rate.model}`;
    const { requestsPerMinute, tokensPerMinute } = rate;
    const rates = {
      requestsPerMinute: requestsPerMinute ?? LARGEST_RATE,
      tokensPerMinute: tokensPerMinute ?? LARGEST_RATE,
    };
    const known = holders.get(id);
    if (known?.requestsPerMinute === rates.requestsPerMinute && known.tokensPerMinute === rates.tokensPerMinute) {
      return known;
    }
    const { inForce: _, ...plain } = key;
    const holder: ApiKey = { ...plain, ...rates, id, product: null, projectId: null, spendLimit: null };
    const [oldest] = holders.keys();
    if (known === undefined && oldest !== undefined && holders.size >= MAX_HOLDERS) holders.delete(oldest);
    holders.set(id, holder);
    return holder;
  }

  return { reserve, state: (key) => limiter.state(key) };
}

function both(ofKey: Reservation, ofProject: Reservation): Reservation {
  return {
    at: ofKey.at,
    settle(tokens, counted) {
      // Throws and changes nothing if it was already settled.
      ofKey.settle(tokens, counted);
      ofProject.settle(tokens, 0n);
    },
    cancel() {
      ofKey.cancel();
      ofProject.cancel();
    },
  };
}

/** A refusal speaks of the project, not of the key. */
function refusedByProject(
  model: string,
  reserve: () => Reservation | Promise<Reservation>,
): Reservation | Promise<Reservation> {
  const told = (error: unknown): never => {
    if (!(error instanceof GatewayError) || error.status !== 429) throw error;
    throw error.with({ message: `In this project, for the model \`${model}\`: ${error.message}` });
  };
  try {
    const reserved = reserve();
    return reserved instanceof Promise ? reserved.catch(told) : reserved;
  } catch (error) {
    return told(error);
  }
}
