import { dollarsText, type NanoDollars } from '../../core/money.ts';
import type { SummaryDimension, SummaryRow, UsageSummary, UsageSums } from '../../core/usage-summary.ts';

/** The numbers of a row by their JSON names. */
const NUMBERS: Readonly<Record<string, (sums: UsageSums) => string>> = {
  calls: ({ calls }) => `${calls}`,
  failed_calls: ({ failed }) => `${failed}`,
  estimated_calls: ({ estimated }) => `${estimated}`,
  input_tokens: ({ inputTokens }) => `${inputTokens}`,
  cached_tokens: ({ cachedTokens }) => `${cachedTokens}`,
  output_tokens: ({ outputTokens }) => `${outputTokens}`,
  cost_usd: ({ calls, withoutCost, cost }) => costText(calls, withoutCost, cost),
  calls_without_cost: ({ withoutCost }) => `${withoutCost}`,
  vendor_cost_usd: ({ calls, withoutVendorCost, vendorCost }) => costText(calls, withoutVendorCost, vendorCost),
  calls_without_vendor_cost: ({ withoutVendorCost }) => `${withoutVendorCost}`,
  retried_calls: ({ retried }) => `${retried}`,
};

/** A summary as CSV (RFC 4180): one line per row, including the rest, without totals. Amounts are exact dollars. */
export function summaryCsv({ rows, rest }: UsageSummary, by: readonly SummaryDimension[]): string {
  const names = by.flatMap((each) => (each === 'key' ? ['api_key_id', 'api_key_name'] : [each]));
  const numbers = Object.keys(NUMBERS);
  const head = [...names, ...numbers, ...numbers.map((name) => `previous_${name}`)];
  const told = (row: Pick<SummaryRow, 'sums' | 'previous'>) =>
    [row.sums, row.previous].flatMap((sums) => Object.values(NUMBERS).map((number) => number(sums)));
  const lines = rows.map((row) => [...by.flatMap((each) => valuesOf(row, each, by)), ...told(row)]);
  if (rest !== null)
    lines.push([...names.map((_, index) => (index === 0 ? `(${rest.rows} more)` : '')), ...told(rest)]);
  return [head, ...lines].map((cells) => cells.map(cell).join(',')).join('\n');
}

/** What stands in the place of names in a row beyond `--top`. */
export function othersText(restOf: number): string {
  return `(${restOf} others)`;
}

function valuesOf(
  { values, keyName, restOf }: SummaryRow,
  dimension: SummaryDimension,
  by: readonly SummaryDimension[],
): string[] {
  const isOfOthers = restOf !== undefined && dimension === by.find((each) => each !== 'day');
  const value = isOfOthers ? othersText(restOf) : (values[dimension] ?? '');
  return dimension === 'key' ? [value, keyName ?? ''] : [value];
}

/** Empty if no cost is known. */
function costText(calls: number, without: number, amount: NanoDollars): string {
  return calls > 0 && calls === without ? '' : dollarsText(amount);
}

/** Names come from callers. An apostrophe keeps a spreadsheet from reading one as a formula. */
function cell(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
