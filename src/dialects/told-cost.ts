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

/**
 * Dollars as decimal text; `undefined` where nothing is told.
 *
 * /!\ Hot path: a usage that tells nothing costs three looks.
 */
export function toldCostOf(usage: object): string | undefined {
  const { cost, cost_in_usd_ticks: ticks, estimated_cost: estimated } = usage as CostWire;
  if (ticks !== undefined) return Number.isSafeInteger(ticks) && (ticks as number) >= 0 ? `${ticks}e-10` : undefined;
  if (cost !== undefined) return isAmount(cost) ? withUpstream(cost, usage) : totalOf(cost);
  return isAmount(estimated) ? String(estimated) : undefined;
}

/** https://openrouter.ai/docs/use-cases/usage-accounting */
function withUpstream(cost: number, { is_byok: isByok, cost_details: details }: CostWire): string | undefined {
  if (isByok !== true) return String(cost);
  const upstream = memberOf(details, 'upstream_inference_cost');
  return isAmount(upstream) ? String(cost + upstream) : undefined;
}

function totalOf(cost: unknown): string | undefined {
  const total = memberOf(cost, 'total_cost');
  return isAmount(total) ? String(total) : undefined;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && Number.isFinite(value);
}
