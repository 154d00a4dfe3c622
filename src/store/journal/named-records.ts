import type { LineItem } from '../../core/money.ts';
import type { Intent, Settlement } from '../../core/records.ts';
import { type PriceJson, readPrice } from '../price-json.ts';
import type { JournalRecord } from './record-json.ts';

/** Records as they were written before they became arrays. A journal of that time may still be there, left by a kill. */
export type NamedRecordJson =
  | { intent: Omit<Intent, 'price'>; price: PriceJson | null }
  | {
      settlement: Omit<Settlement, 'cost' | 'lineItems'> & { cost: string | null };
      lineItems: (Omit<LineItem, 'rate' | 'amount'> & { rate: string; amount: string })[];
    };

export function readNamedRecord(json: NamedRecordJson): JournalRecord {
  if ('intent' in json) {
    const price = json.price === null ? null : readPrice(json.price);
    return { intent: { ...json.intent, price }, priceVersion: null };
  }
  const { settlement, lineItems } = json;
  const cost = settlement.cost === null ? null : BigInt(settlement.cost);
  const items = lineItems.map((item) => ({ ...item, rate: BigInt(item.rate), amount: BigInt(item.amount) }));
  return { settlement: { ...settlement, cost, lineItems: items } };
}
