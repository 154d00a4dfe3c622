import { dollarsText } from '../../core/money.ts';
import type { SummaryDimension } from '../../core/usage-summary.ts';
import { nanoOf } from '../spend-text.ts';
import type { ShownComparison, ShownRow, ShownSummary, ShownSums } from './answers.ts';

/** The numbers of a row, by their names in the API. */
const NUMBERS = [
  'calls',
  'failed_calls',
  'estimated_calls',
  'input_tokens',
  'cached_tokens',
  'output_tokens',
  'cost_usd',
  'calls_without_cost',
  'vendor_cost_usd',
  'calls_without_vendor_cost',
  'retried_calls',
] as const satisfies (keyof ShownSums)[];

/** A summary as CSV (RFC 4180): one line per row, including the rest, without totals. Amounts are exact dollars. */
export function summaryCsv({ data, rest }: ShownSummary, by: readonly SummaryDimension[]): string {
  const names = by.flatMap((each) => (each === 'key' ? ['api_key_id', 'api_key_name'] : [each]));
  const head = [...names, ...NUMBERS, ...NUMBERS.map((name) => `previous_${name}`)];
  const told = (row: ShownComparison) =>
    [row, row.previous].flatMap((sums) => NUMBERS.map((name) => numberText(name, sums[name])));
  const lines = data.map((row) => [...by.flatMap((each) => valuesOf(row, each, by)), ...told(row)]);
  if (rest !== null)
    lines.push([...names.map((_, index) => (index === 0 ? `(${rest.rows} more)` : '')), ...told(rest)]);
  return [head, ...lines].map((cells) => cells.map(cell).join(',')).join('\n');
}

/** Empty if a cost is not known. */
function numberText(name: (typeof NUMBERS)[number], value: number | null | undefined): string {
  if (value === null || value === undefined) return '';
  return name.endsWith('_usd') ? dollarsText(nanoOf(value)) : `${value}`;
}

/** What stands in the place of names in a row beyond `--top`. */
export function othersText(restOf: number): string {
  return `(${restOf} others)`;
}

function valuesOf(row: ShownRow, dimension: SummaryDimension, by: readonly SummaryDimension[]): string[] {
  const { rest_of: restOf } = row;
  const isOfOthers = restOf !== undefined && dimension === by.find((each) => each !== 'day');
  const value = isOfOthers ? othersText(restOf) : (dimensionValue(row, dimension) ?? '');
  return dimension === 'key' ? [value, row.api_key_name ?? ''] : [value];
}

/** The value of a dimension in a row; `null` if its calls have none. */
export function dimensionValue(row: ShownRow, dimension: SummaryDimension): string | null {
  return (dimension === 'key' ? row.api_key_id : row[dimension]) ?? null;
}

/** Names come from callers. An apostrophe keeps a spreadsheet from reading one as a formula. */
function cell(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
