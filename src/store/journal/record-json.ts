import type { LineItem, Price } from '../../core/money.ts';
import type { Intent, Settlement } from '../../core/records.ts';
import { readPrice, writeLineItems, writeRates, writeTiers } from '../price-json.ts';

/** What a journal holds: the beginning of a call, or its end. */
export type JournalRecord = { intent: Intent } | { settlement: Settlement };

type PriceJson = { rates: string; tiers: string; source: string; date: string };
type IntentJson = { intent: Omit<Intent, 'price'>; price: PriceJson | null };
type SettlementJson = {
  settlement: Omit<Settlement, 'cost' | 'lineItems'> & { cost: string | null };
  lineItems: (Omit<LineItem, 'rate' | 'amount'> & { rate: string; amount: string })[];
};

/** /!\ Hot path: many calls have the same price object, and its text is made once. */
const priceTexts = new WeakMap<Price, string>();

/** A record as JSON on one line, in which money is a string. What one version wrote, all later ones must read. */
export function writeIntent(intent: Intent): string {
  return `{"intent":${JSON.stringify({ ...intent, price: undefined })},"price":${priceText(intent.price)}}`;
}

export function writeSettlement(settlement: Settlement): string {
  const cost = settlement.cost === null ? null : settlement.cost.toString();
  const plain = JSON.stringify({ ...settlement, lineItems: undefined, cost });
  return `{"settlement":${plain},"lineItems":${writeLineItems(settlement.lineItems)}}`;
}

/** Reads back the records of a JSON array. */
export function readRecords(json: string): JournalRecord[] {
  return (JSON.parse(json) as (IntentJson | SettlementJson)[]).map(readRecord);
}

function readRecord(json: IntentJson | SettlementJson): JournalRecord {
  if ('intent' in json) {
    return { intent: { ...json.intent, price: json.price === null ? null : readPrice(json.price) } };
  }
  const { settlement, lineItems } = json;
  const cost = settlement.cost === null ? null : BigInt(settlement.cost);
  const items = lineItems.map((item) => ({ ...item, rate: BigInt(item.rate), amount: BigInt(item.amount) }));
  return { settlement: { ...settlement, cost, lineItems: items } };
}

function priceText(price: Price | null): string {
  if (price === null) return 'null';
  let text = priceTexts.get(price);
  if (text === undefined) {
    const { source, date } = price;
    text = JSON.stringify({ rates: writeRates(price.rates), tiers: writeTiers(price.tiers), source, date });
    priceTexts.set(price, text);
  }
  return text;
}
