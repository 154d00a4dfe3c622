import { readFileSync } from 'node:fs';
import {
  millionths,
  type Price,
  picoPerCall,
  picoPerToken,
  type Rates,
  type TieredRates,
  type TokenComponent,
} from '../core/money.ts';
import type { Model } from '../core/provider.ts';
import {
  type CatalogCost,
  type CatalogFile,
  type CatalogRates,
  type CatalogRow,
  type CatalogTiers,
  isByLife,
  parseCatalog,
  RATE_NAMES,
} from './catalog-file.ts';
import { brandOf, dialectsOf } from './known-models.ts';

/** The facts of vendors' models that are known without asking the vendors. Immutable. */
export type Catalog = {
  vendors: readonly string[];
  /** The facts of a vendor's model, by the vendor's name; only of models that can be served here. */
  lookup(vendor: string, model: string): Model | undefined;
  /**
   * True if a vendor's model is known not to be served here: it does not read or write text, or it has its own kind of
   * endpoint.
   */
  isServedElsewhere(vendor: string, model: string): boolean;
  /** All models of a vendor that can be served here; empty if the vendor is not in the catalog. */
  modelsOf(vendor: string): readonly Model[];
};

const COMPONENTS: Readonly<Record<(typeof RATE_NAMES)[number], TokenComponent>> = {
  input: 'input',
  output: 'output',
  cache_read: 'cache_read',
  cache_write: 'cache_write',
  reasoning: 'reasoning',
  input_audio: 'audio_input',
  output_audio: 'audio_output',
};

/** The text of the catalog that is shipped. */
export function shippedCatalogText(): string {
  return readFileSync(new URL('./catalog.json', import.meta.url), 'utf8');
}

/**
 * Combines catalog files. If two files have a model, the newer row is used; for the same date, that of the later file.
 * Throws an `Error` that names the invalid file.
 */
export function loadCatalog(files: readonly { text: string; place: string }[]): Catalog {
  return openCatalog(files.map(({ text, place }) => parseCatalog(text, place)).reduce(overlay, new Map()));
}

/** Merges two catalogs by model: a row of `above` replaces that of `below`, unless the latter is newer. */
export function overlay(below: CatalogFile, above: CatalogFile): CatalogFile {
  const all = new Map(below);
  for (const [vendor, rows] of above) all.set(vendor, overlayRows(below.get(vendor), rows));
  return all;
}

function overlayRows(below: ReadonlyMap<string, CatalogRow> | undefined, above: ReadonlyMap<string, CatalogRow>) {
  const rows = new Map(below);
  for (const [id, row] of above) {
    if (row.date < (rows.get(id)?.date ?? '')) continue;
    if (row.removed) rows.delete(id);
    else rows.set(id, row);
  }
  return rows;
}

/** Rows become models at the first query of their vendor, since most vendors are never queried. */
function openCatalog(file: CatalogFile): Catalog {
  const opened = new Map<string, ReadonlyMap<string, Model>>();
  const open = (vendor: string): ReadonlyMap<string, Model> => {
    const known = opened.get(vendor);
    if (known !== undefined) return known;
    const models = new Map([...(file.get(vendor) ?? [])].map(([id, row]) => [id, modelOf(id, row)] as const));
    for (const { id, dialects } of models.values()) if (dialects.length === 0) models.delete(id);
    opened.set(vendor, models);
    return models;
  };
  return {
    vendors: [...file.keys()],
    lookup: (vendor, model) => open(vendor).get(model),
    isServedElsewhere: (vendor, model) => file.get(vendor)?.has(model) === true && !open(vendor).has(model),
    modelsOf: (vendor) => [...open(vendor).values()],
  };
}

function modelOf(id: string, row: CatalogRow): Model {
  const dialects = dialectsOf({ id, ...row });
  const embeds = dialects.includes('openai-embeddings');
  return {
    id,
    upstreamId: id,
    dialects,
    name: row.name,
    brand: brandOf(id, row.family),
    contextWindow: row.limit?.context || row.limit?.input || null,
    // For embedding models, models.dev's member has another meaning.
    maxOutputTokens: embeds ? null : row.limit?.output || null,
    dimensions: row.dimensions ?? null,
    capabilities: {
      tools: row.tool_call ?? false,
      reasoning: row.reasoning ?? false,
      structuredOutput: row.structured_output ?? false,
      attachment: row.attachment ?? false,
      temperature: row.temperature ?? !embeds,
    },
    modalities: { input: row.modalities?.input ?? ['text'], output: row.modalities?.output ?? ['text'] },
    price: row.cost === undefined ? null : priceOf(row.cost, row),
    releasedAt: row.release_date ?? null,
    ...(row.shut_down !== undefined && { shutDownAt: row.shut_down }),
  };
}

function priceOf(cost: CatalogCost, { source, date }: { source: string; date: string }): Price {
  const services = Object.entries(cost.services ?? {}).map(([name, rates]) => [name, tieredOf(rates)] as const);
  const { per_call: tools, regions } = cost;
  return {
    ...tieredOf(cost),
    services: Object.fromEntries(services),
    ...(tools !== undefined && { tools: mapped(tools, picoPerCall) }),
    ...(regions !== undefined && { regions: mapped(regions, millionths) }),
    source,
    date,
  };
}

function mapped(values: Readonly<Record<string, number>>, to: (value: number) => bigint): Record<string, bigint> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, to(value)]));
}

function tieredOf(cost: CatalogRates & CatalogTiers): TieredRates {
  const tiers = (cost.tiers ?? []).map(({ above, ...rates }) => ({ abovePromptTokens: above, rates: ratesOf(rates) }));
  return { rates: ratesOf(cost), tiers };
}

function ratesOf(cost: CatalogRates): Rates {
  const rates: Rates = {};
  for (const name of RATE_NAMES) {
    const dollars = cost[name];
    if (dollars !== undefined) rates[COMPONENTS[name]] = picoPerToken(dollars);
  }
  for (const name of Object.keys(cost).filter(isByLife)) rates[name] = picoPerToken(cost[name]!);
  return rates;
}
