import { joinLosses } from '../../core/losses.ts';
import { countedCost, type LineItem } from '../../core/money.ts';
import { DEFAULT_CREDENTIAL } from '../../core/provider.ts';
import type { Attempt, Intent, Settlement } from '../../core/records.ts';
import { type PriceJson, readPrice } from '../price-json.ts';
import type { JournalRecord } from './record-json.ts';

/** What calls had then: no products, no tools, no routes, and one credential to a provider. */
type NamedIntent = Omit<Intent, 'price' | 'product' | 'tool' | 'held'>;
type NamedAttempt = Omit<Attempt, 'credential' | 'possiblyBilled'>;
type NamedSettlement = Omit<Settlement, 'cost' | 'counted' | 'reported' | 'lineItems' | 'attempts' | 'routed'> & {
  cost: string | null;
  attempts: readonly NamedAttempt[];
};

/** Records as they were written before they became arrays. A journal of that time may still be there, left by a kill. */
export type NamedRecordJson =
  | { intent: NamedIntent; price: PriceJson | null }
  | {
      settlement: NamedSettlement;
      lineItems: (Omit<LineItem, 'rate' | 'amount'> & { rate: string; amount: string })[];
    };

export function readNamedRecord(json: NamedRecordJson): JournalRecord {
  if ('intent' in json) {
    const price = json.price === null ? null : readPrice(json.price);
    return { intent: { ...json.intent, product: null, tool: null, price, held: null }, priceVersion: null };
  }
  const { settlement, lineItems } = json;
  const cost = settlement.cost === null ? null : BigInt(settlement.cost);
  const items = lineItems.map((item) => ({ ...item, rate: BigInt(item.rate), amount: BigInt(item.amount) }));
  const attempts = settlement.attempts.map((attempt) => ({
    ...attempt,
    credential: DEFAULT_CREDENTIAL,
    possiblyBilled: false,
  }));
  const counted = countedCost({ items, total: cost }, null);
  const dropped = joinLosses(settlement.dropped);
  const told = { cost, counted, reported: null, lineItems: items, attempts, dropped, routed: null };
  return { settlement: { ...settlement, ...told }, priceVersion: null };
}
