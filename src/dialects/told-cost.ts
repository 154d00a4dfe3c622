import { objectOf } from './unchecked-json.ts';

/** Where vendors say in a usage object what the call cost. The vendors that are believed are named by the quirk `tellsCost`. */
type CostWire = {
  /** Dollars; or, at Perplexity, an object with their parts. */
  cost?: unknown;
  /** Ten billionths of a dollar, as xAI counts them. */
  cost_in_usd_ticks?: unknown;
  /** Dollars, as DeepInfra tells them. */
  estimated_cost?: unknown;
  /** At OpenRouter: the call went by the operator's own key, and what is charged there stands in `cost_details`. */
  is_byok?: unknown;
  cost_details?: unknown;
};

/** The members of a usage object that are read for it. */
export const TOLD_COST_MEMBERS = ['cost', 'cost_in_usd_ticks', 'estimated_cost', 'is_byok', 'cost_details'] as const;

/** The most dollars that one call is believed to cost. A vendor that tells more has made a mistake, which must empty no budget. */
const MAX_DOLLARS = 10_000;
const TICKS_OF_A_DOLLAR = 1e10;

/**
 * Dollars as decimal text; `undefined` where nothing is told, or nothing that can be believed. An amount may be a number
 * or decimal text.
 *
 * /!\ Hot path: a usage that tells nothing costs three looks.
 */
export function toldCostOf(usage: object): string | undefined {
  const { cost, cost_in_usd_ticks: ticks, estimated_cost: estimated } = usage as CostWire;
  if (ticks !== undefined && ticks !== null) return ticksOf(ticks);
  if (cost !== undefined && cost !== null)
    return textOf(withUpstream(amountOf(cost) ?? amountOf(objectOf(cost).total_cost), usage));
  return estimated === undefined ? undefined : textOf(amountOf(estimated));
}

function ticksOf(ticks: unknown): string | undefined {
  const amount = amountOf(ticks);
  const isWhole = amount !== undefined && Number.isSafeInteger(amount);
  return isWhole && amount <= MAX_DOLLARS * TICKS_OF_A_DOLLAR ? `${amount}e-10` : undefined;
}

function textOf(dollars: number | undefined): string | undefined {
  return dollars === undefined || dollars > MAX_DOLLARS ? undefined : String(dollars);
}

/** https://openrouter.ai/docs/use-cases/usage-accounting */
function withUpstream(cost: number | undefined, { is_byok: isByok, cost_details: details }: CostWire) {
  if (isByok !== true || cost === undefined) return cost;
  const upstream = amountOf(objectOf(details).upstream_inference_cost);
  return upstream === undefined ? undefined : cost + upstream;
}

const DECIMAL = /^\d{1,15}(?:\.\d{1,30})?(?:[eE]-?\d{1,2})?$/;

/** An amount that is not negative; `undefined` for anything else. */
function amountOf(value: unknown): number | undefined {
  const amount = typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value;
  return typeof amount === 'number' && amount >= 0 && Number.isFinite(amount) ? amount : undefined;
}
