import { type JournalRecord, type SettlementRecord, writeIntent, writeSettlement } from './record-json.ts';

export type IntentRecord = Extract<JournalRecord, { intent: unknown }>;

/** What becomes one change of the tables. */
export type TakeOverStep =
  | { intent: IntentRecord; settlement: SettlementRecord | null }
  | { intent: null; settlement: SettlementRecord };

/** With how many open calls of a batch an end is compared, the newest. Calls that are older than those are opened first and settled then. */
const MAX_COMPARED = 1_000;

/**
 * A call that was settled within the batch is written once, as settled, at the place of its intent. The oldest open ones are looked
 * at first: mostly it is one of them, and to compare a few ids costs less than to put each into a map.
 */
export function stepsOf(records: readonly JournalRecord[]): TakeOverStep[] {
  const steps: TakeOverStep[] = [];
  const open: Extract<TakeOverStep, { intent: IntentRecord }>[] = [];
  for (const record of records) {
    if ('intent' in record) {
      const step = { intent: record, settlement: null };
      steps.push(step);
      open.push(step);
      if (open.length > MAX_COMPARED) open.shift();
      continue;
    }
    const { id } = record.settlement;
    const at = open.findIndex((step) => step.intent.intent.id === id);
    if (at < 0) steps.push({ intent: null, settlement: record });
    else open.splice(at, 1)[0]!.settlement = record;
  }
  return steps;
}

/** A refused record in words, whole: it is nowhere else. */
export function refusalOf(record: JournalRecord): string {
  const text =
    'intent' in record
      ? writeIntent(record.intent, record.priceVersion)
      : writeSettlement(record.settlement, record.priceVersion);
  return `A record could not be kept: ${text}`;
}
