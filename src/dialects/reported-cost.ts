import { objectOf } from './unchecked-json.ts';

/**
 * Members of a usage object in which vendors report the cost of the call. The quirk `reportsCost` names the vendors
 * that are believed.
 */
type CostWire = {
  /** Dollars; or, at Perplexity, an object with their parts. */
  cost?: unknown;
  /** Ten-billionths of a dollar, at xAI. */
  cost_in_usd_ticks?: unknown;
  /** Dollars, at DeepInfra. */
  estimated_cost?: unknown;
  /**
   * At OpenRouter: the call used the operator's own key at the vendor, and `cost_details` has what the vendor charges.
   */
  is_byok?: unknown;
  cost_details?: unknown;
};

/** The members of a usage object that report a cost. */
export const REPORTED_COST_MEMBERS = [
  'cost',
  'cost_in_usd_ticks',
  'estimated_cost',
  'is_byok',
  'cost_details',
] as const;

/**
 * The reported cost in dollars as decimal text; `undefined` if there is none. Vendors send numbers or decimal text. How
 * much is believed is decided where usage is measured.
 *
 * /!\ Hot path: a usage without a cost takes three lookups.
 */
export function reportedCostOf(usage: object): string | undefined {
  const { cost, cost_in_usd_ticks: ticks, estimated_cost: estimated } = usage as CostWire;
  if (ticks !== undefined && ticks !== null) return ticksOf(ticks);
  if (cost !== undefined && cost !== null)
    return textOf(withUpstream(amountOf(cost) ?? amountOf(objectOf(cost).total_cost), usage));
  return estimated === undefined ? undefined : textOf(amountOf(estimated));
}

function ticksOf(ticks: unknown): string | undefined {
  const amount = amountOf(ticks);
  const isWhole = amount !== undefined && Number.isSafeInteger(amount);
  return isWhole ? `${amount}e-10` : undefined;
}

function textOf(dollars: number | undefined): string | undefined {
  return dollars === undefined ? undefined : String(dollars);
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
