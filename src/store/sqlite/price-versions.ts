import type { DatabaseSync } from 'node:sqlite';
import type { Price } from '../../core/money.ts';
import { writeRates, writeTiers } from '../price-json.ts';
import { priceVersionId } from '../price-version-ids.ts';

/** How many versions are known to be stored; past it all are forgotten, and stored again. */
const MAX_REMEMBERED = 20_000;

/** `use` belongs inside a transaction, and `committed` or `rolledBack` right after it. */
export type PriceVersions = {
  /** The version's id; stores the version if this connection has not seen it stored. */
  use(price: Price, provider: string, upstreamModel: string): string;
  committed(): void;
  rolledBack(): void;
  /** The ids of versions that were stored, and committed, since this was asked last. */
  news(): string[];
};

export function createPriceVersions(database: DatabaseSync): PriceVersions {
  const insert = database.prepare(
    `insert into price_versions (id, provider, upstream_model, rates, tiers, source, date)
     values (?, ?, ?, ?, ?, ?, ?) on conflict do nothing`,
  );
  const stored = new Set<string>();
  let uncommitted: string[] = [];
  let untold: string[] = [];

  return {
    use(price, provider, upstreamModel) {
      const id = priceVersionId(price, provider, upstreamModel);
      if (stored.has(id)) return id;
      const { source, date } = price;
      insert.run(id, provider, upstreamModel, writeRates(price.rates), writeTiers(price), source, date);
      // Dated names have versions of their own: whoever invents such fills no memory.
      if (stored.size >= MAX_REMEMBERED) stored.clear();
      stored.add(id);
      uncommitted.push(id);
      return id;
    },
    committed() {
      if (uncommitted.length === 0) return;
      untold.push(...uncommitted);
      uncommitted = [];
    },
    rolledBack() {
      for (const id of uncommitted) stored.delete(id);
      uncommitted = [];
    },
    news() {
      const ids = untold;
      untold = [];
      return ids;
    },
  };
}
