import type { Limiter, LimitRequest, Reservation } from '../core/ports.ts';
import { type ApiKey, budgetId, type SpendLimit } from '../core/records.ts';

/** The largest rate that a bucket counts exactly, in requests and tokens per minute. Products have no rate limits. */
const NO_RATE = 100_000_000_000;

/**
 * Applies budgets to products, each for all its keys together: for each call it reserves for the product the same as
 * for the key, as if the product had its own key, and settles both.
 *
 * @param budgetOf read on each call of a product, since the config can be reloaded; `null`: no budget
 */
export function withProductBudgets(limiter: Limiter, budgetOf: (product: string) => SpendLimit | null): Limiter {
  const holders = new Map<string, ApiKey>();

  // /!\ Hot path: for a key without a product, this is one comparison.
  function reserve(key: ApiKey, call: LimitRequest): Reservation | Promise<Reservation> {
    const budget = key.product === null ? null : budgetOf(key.product);
    if (key.product === null || budget === null) return limiter.reserve(key, call);
    // The product first, because a call that it refuses must not use the key's rate.
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

  /** The key that stands for the product: the same object while the budget is the same, which limiters compare. */
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
      // Throws and changes nothing if it was already settled.
      ofKey.settle(tokens, counted);
      ofProduct.settle(tokens, counted);
    },
  };
}
