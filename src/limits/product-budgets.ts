import type { Limiter, LimitRequest, Reservation } from '../core/ports.ts';
import { type ApiKey, budgetId, type SpendLimit } from '../core/records.ts';

/** Of requests and of tokens a minute: as many as a bucket counts exactly. Rates are for keys; a product has none. */
const NO_RATE = 100_000_000_000;

/**
 * Holds products to their budgets, each over all of its keys together: of a call it reserves for the product what it does
 * for the key, as if the product had a key of its own, and settles both.
 *
 * @param budgetOf asked on each call of a product, since the config can be reloaded; `null`: no budget
 */
export function withProductBudgets(limiter: Limiter, budgetOf: (product: string) => SpendLimit | null): Limiter {
  const holders = new Map<string, ApiKey>();

  // /!\ Hot path: for a key that belongs to no product, this is one comparison.
  function reserve(key: ApiKey, call: LimitRequest): Reservation | Promise<Reservation> {
    const budget = key.product === null ? null : budgetOf(key.product);
    if (key.product === null || budget === null) return limiter.reserve(key, call);
    // First, since a call that the product refuses must take nothing of its key's rate.
    const ofProduct = limiter.reserve(holderOf(key, key.product, budget), call);
    if (ofProduct instanceof Promise) return ofProduct.then((reserved) => reserveForKey(reserved, key, call));
    return reserveForKey(ofProduct, key, call);
  }

  function reserveForKey(ofProduct: Reservation, key: ApiKey, call: LimitRequest): Reservation | Promise<Reservation> {
    const giveBack = (error: unknown): never => {
      ofProduct.settle(0, 0n);
      throw error;
    };
    try {
      const ofKey = limiter.reserve(key, call);
      if (ofKey instanceof Promise) return ofKey.then((reserved) => both(reserved, ofProduct), giveBack);
      return both(ofKey, ofProduct);
    } catch (error) {
      return giveBack(error);
    }
  }

  /** The same one while the budget is the same: limiters tell by it whether anything has changed. */
  function holderOf(key: ApiKey, product: string, budget: SpendLimit): ApiKey {
    const known = holders.get(product);
    if (known?.spendLimit?.amount === budget.amount && known.spendLimit.per === budget.per) return known;
    const holder: ApiKey = {
      ...key,
      id: budgetId(product),
      name: product,
      requestsPerMinute: NO_RATE,
      tokensPerMinute: NO_RATE,
      spendLimit: budget,
    };
    holders.set(product, holder);
    return holder;
  }

  return { reserve, state: (key) => limiter.state(key) };
}

function both(ofKey: Reservation, ofProduct: Reservation): Reservation {
  return {
    settle(tokens, counted) {
      // Throws, and changes nothing, where it was settled before.
      ofKey.settle(tokens, counted);
      ofProduct.settle(tokens, counted);
    },
  };
}
