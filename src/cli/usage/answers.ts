/** Usage as the HTTP API gives it: the members that commands show. Amounts are dollars, times Unix seconds. */
export type ShownCall = {
  id: string;
  request_id: string;
  organization_id?: string;
  created_at: number;
  api_key_id: string;
  api_key_name: string | null;
  source: string;
  product: string | null;
  tool: { name: string; version: string | null } | null;
  model: string;
  requested_model: string;
  provider: string | null;
  upstream_model: string | null;
  status: string;
  http_status: number;
  error: string | null;
  /** Of refused calls. */
  error_message?: string;
  error_param?: string | null;
  refused_caller?: { api_key: string | null; ip_address: string | null };
  not_stored_before?: number;
  input_tokens: number;
  output_tokens: number;
  usage_source: string;
  cost_usd: number | null;
  vendor_cost_usd?: number | null;
  counted_usd: number;
  latency_ms: number;
  time_to_first_token_ms: number | null;
  dropped: readonly string[];
  reported_usage: { input_tokens: number; output_tokens: number } | null;
};

export type ShownDetail = ShownCall & {
  object: string;
  line_items: readonly ShownLineItem[] | null;
  unpriced: readonly string[];
  service_tier: string | null;
  region: string | null;
  price_inferred_from: string | null;
  attempt_details: readonly ShownAttempt[];
  decision: ShownDecision | null;
};

export type ShownLineItem = { component: string; quantity: number; amount_usd: number };

/** An attempt. Times are Unix milliseconds. */
export type ShownAttempt = {
  number: number;
  provider: string | null;
  upstream_model: string | null;
  credential?: string;
  status: string;
  http_status: number | null;
  error: string | null;
  error_code: string | null;
  started_at_ms: number;
  ended_at_ms: number;
  possibly_billed: boolean;
};

export type ShownDecision = {
  route: string;
  route_version: string;
  model_version: string | null;
  because: readonly string[];
  explored: boolean;
  propensity: number;
  kept: boolean;
  candidates: readonly ShownCandidate[];
  /** Indexes in `candidates`. */
  order: readonly number[];
};

export type ShownCandidate = {
  model: string;
  provider: string;
  upstream_model: string;
  credential?: string;
  role: string;
  left_out: { reason: string; detail: string } | null;
  expected_cost_usd: number | null;
  chance: number | null;
  health: { circuit: string };
};

export type ShownSums = {
  calls: number;
  failed_calls: number;
  estimated_calls: number;
  input_tokens: number;
  cached_tokens: number;
  output_tokens: number;
  /** `null` if there are calls, but no cost is known. */
  cost_usd: number | null;
  calls_without_cost: number;
  vendor_cost_usd?: number | null;
  calls_without_vendor_cost?: number;
  retried_calls: number;
  calls_under_other: number;
};

/** Sums, and those of the previous period. */
export type ShownComparison = ShownSums & { previous: ShownSums };

/** A row has the names of its dimensions, too: `model`, `day` and others, and `api_key_id` with `api_key_name`. */
export type ShownRow = ShownComparison & {
  readonly [dimension in 'model' | 'product' | 'tool' | 'source' | 'route' | 'provider' | 'day']?: string | null;
} & { api_key_id?: string; api_key_name?: string | null; rest_of?: number };

export type ShownSummary = {
  start_time: number;
  end_time: number;
  previous_start_time: number;
  totals: ShownComparison;
  data: readonly ShownRow[];
  rest: (ShownComparison & { rows: number }) | null;
};
