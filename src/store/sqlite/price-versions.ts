import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { Price } from '../../core/money.ts';
import { writeRates, writeTiers } from '../price-json.ts';

type Version = { provider: string; upstreamModel: string; id: string; stored: boolean };

/**
 * Price versions are addressed by what they say: the same prices of the same model have one id for ever.
 * `use` belongs inside a transaction, and `committed` or `rolledBack` right after it.
 */
export type PriceVersions = {
  /** The version's id; stores the version if this process has not seen it stored. */
  use(price: Price, provider: string, upstreamModel: string): string;
  /** The id of a version that this process has seen stored, and committed; else `null`. */
  stored(price: Price, provider: string, upstreamModel: string): string | null;
  committed(): void;
  rolledBack(): void;
};

export function createPriceVersions(database: DatabaseSync): PriceVersions {
  const insert = database.prepare(
    `insert into price_versions (id, provider, upstream_model, rates, tiers, source, date)
     values (?, ?, ?, ?, ?, ?, ?) on conflict do nothing`,
  );
  const known = new WeakMap<Price, Version[]>();
  let uncommitted: Version[] = [];

  /** /!\ Hot path: hashed once per price object, not once per call. */
  function versionOf(price: Price, provider: string, upstreamModel: string): Version {
    const versions = known.get(price) ?? [];
    for (const version of versions) {
      if (version.provider === provider && version.upstreamModel === upstreamModel) return version;
    }
    const version = { provider, upstreamModel, id: idOf(price, provider, upstreamModel), stored: false };
    known.set(price, [...versions, version]);
    return version;
  }

  return {
    use(price, provider, upstreamModel) {
      const version = versionOf(price, provider, upstreamModel);
      if (!version.stored) {
        const { source, date } = price;
        insert.run(version.id, provider, upstreamModel, writeRates(price.rates), writeTiers(price.tiers), source, date);
        uncommitted.push(version);
      }
      return version.id;
    },
    stored(price, provider, upstreamModel) {
      const version = versionOf(price, provider, upstreamModel);
      return version.stored ? version.id : null;
    },
    committed() {
      if (uncommitted.length === 0) return;
      for (const version of uncommitted) version.stored = true;
      uncommitted = [];
    },
    rolledBack() {
      uncommitted = [];
    },
  };
}

/** 128 bits of SHA-256, in base64url. */
function idOf(price: Price, provider: string, upstreamModel: string): string {
  const said = [provider, upstreamModel, writeRates(price.rates), writeTiers(price.tiers), price.source, price.date];
  return createHash('sha256').update(JSON.stringify(said)).digest().subarray(0, 16).toString('base64url');
}
