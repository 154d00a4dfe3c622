import type { Settlement, UsageRecord } from '../core/records.ts';
import type { UsageSums } from '../core/usage-summary.ts';
import { compiled } from './compiled.ts';

/** What of a settled call is added up. */
export type SummedUsage = Pick<Settlement, 'status' | 'usageSource' | 'cost' | 'timeToFirstTokenMs'> &
  Pick<UsageRecord, 'vendorCost' | 'attempts'> & {
    usage: Pick<Settlement['usage'], 'inputTokens' | 'cacheReadTokens' | 'outputTokens'>;
  };

/** The sums that are kept of a day; how many were told as `other` is found as they are read. */
export type DaySums = Omit<UsageSums, 'underOther'>;

type Sum<Value> = { column: string; of: (call: SummedUsage) => Value };

/**
 * The sums of a day, each written once: the member of `UsageSums`, its column in `usage_days`, and what one call adds to it. A
 * column that a database does not have yet is made at its start.
 */
const COLUMNS: { [Name in keyof DaySums]: Sum<DaySums[Name]> } = {
  calls: { column: 'calls', of: () => 1 },
  failed: { column: 'failed', of: ({ status }) => (status === 'failed' ? 1 : 0) },
  estimated: { column: 'estimated', of: ({ usageSource }) => (usageSource === 'estimated' ? 1 : 0) },
  inputTokens: { column: 'input_tokens', of: ({ usage }) => usage.inputTokens },
  cachedTokens: { column: 'cached_tokens', of: ({ usage }) => usage.cacheReadTokens },
  outputTokens: { column: 'output_tokens', of: ({ usage }) => usage.outputTokens },
  cost: { column: 'cost_nano', of: ({ cost }) => cost ?? 0n },
  withoutCost: { column: 'without_cost', of: ({ cost }) => (cost === null ? 1 : 0) },
  vendorCost: { column: 'vendor_cost_nano', of: ({ vendorCost }) => vendorCost ?? 0n },
  withoutVendorCost: { column: 'without_vendor_cost', of: ({ vendorCost }) => (vendorCost === null ? 1 : 0) },
  retried: { column: 'retried', of: ({ attempts }) => (attempts > 1 ? 1 : 0) },
};

const MEMBERS = Object.keys(COLUMNS) as (keyof DaySums)[];

/** Whether a sum is of money, and so a `bigint`. */
const isMoney = (member: keyof DaySums) => member === 'cost' || member === 'vendorCost';

export const SUM_COLUMNS = MEMBERS.map((member) => ({
  member,
  column: COLUMNS[member].column,
  isMoney: isMoney(member),
}));

/** Sums as they are read, by column. */
export type SumsRow = Record<string, number | bigint>;

export const noDaySums: () => DaySums = compiled(
  [],
  `return {${MEMBERS.map((member) => `${member}:${isMoney(member) ? '0n' : '0'}`)}};`,
);

/** /!\ Hot path of reports: some 100,000 rows. */
export const addDaySums: (to: DaySums, added: DaySums) => void = compiled(
  ['to', 'added'],
  MEMBERS.map((member) => `to.${member}+=added.${member};`).join(''),
);

/** The same of a row. */
export const addSumsRow: (to: DaySums, row: SumsRow) => void = compiled(
  ['to', 'row'],
  SUM_COLUMNS.map(({ member, column }) => `to.${member}+=row.${column};`).join(''),
);

/** What is left without others, and never less than nothing: what is taken away may have been read a moment before. */
export const takeDaySums: (from: DaySums, taken: DaySums) => void = compiled(
  ['from', 'taken'],
  MEMBERS.map((member) => {
    const none = isMoney(member) ? '0n' : '0';
    return `from.${member}=from.${member}>taken.${member}?from.${member}-taken.${member}:${none};`;
  }).join(''),
);

const addCall: (to: DaySums, call: SummedUsage, columns: typeof COLUMNS) => void = compiled(
  ['to', 'call', 'columns'],
  MEMBERS.map((member) => `to.${member}+=columns.${member}.of(call);`).join(''),
);

/** Adds one call. */
export function addUsage(to: DaySums, call: SummedUsage): void {
  addCall(to, call, COLUMNS);
}
