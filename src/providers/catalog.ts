import { readFileSync } from 'node:fs';
import { type Price, type PriceComponent, picoPerToken, type Rates } from '../core/money.ts';
import type { Model } from '../core/provider.ts';
import {
  type CatalogCost,
  type CatalogFile,
  type CatalogRates,
  type CatalogRow,
  parseCatalog,
  RATE_NAMES,
} from './catalog-file.ts';
import { brandOf, dialectsOf } from './known-models.ts';

/** What is known of vendors' models without asking them. Immutable. */
export type Catalog = {
  vendors: readonly string[];
  /** Facts about a vendor's model under the vendor's name for it; only of models that can be served here. */
  lookup(vendor: string, model: string): Model | undefined;
  /** All of a vendor's models that can be served here; none where the vendor is not in the catalog. */
  modelsOf(vendor: string): readonly Model[];
};

const COMPONENTS: Readonly<Record<keyof CatalogRates, PriceComponent>> = {
  input: 'input',
  output: 'output',
  cache_read: 'cache_read',
  cache_write: 'cache_write',
  reasoning: 'reasoning',
  input_audio: 'audio_input',
  output_audio: 'audio_output',
};

/** The text of the catalog that ships. */
export function shippedCatalogText(): string {
  return readFileSync(new URL('./catalog.json', import.meta.url), 'utf8');
}

/**
 * Reads catalog files into one catalog. A vendor that a later file speaks of is wholly as that file says; the others stay.
 * Throws an `Error` that names the place of a file that cannot be read.
 */
export function loadCatalog(files: readonly { text: string; place: string }[]): Catalog {
  return openCatalog(files.map(({ text, place }) => parseCatalog(text, place)).reduce(overlay, new Map()));
}

/** One catalog over another: a vendor that `above` speaks of is wholly as `above` says, the others are as below. */
export function overlay(below: CatalogFile, above: CatalogFile): CatalogFile {
  return new Map([...below, ...above]);
}

/** A vendor's rows become models when it is first asked about: most of the vendors never are. */
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
    contextWindow: row.limit?.context || null,
    // models.dev keeps something else there for models that only embed.
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
  };
}

function priceOf(cost: CatalogCost, { source, date }: { source: string; date: string }): Price {
  const tiers = (cost.tiers ?? []).map(({ above, ...rates }) => ({ abovePromptTokens: above, rates: ratesOf(rates) }));
  return { rates: ratesOf(cost), tiers, source, date };
}

function ratesOf(cost: CatalogRates): Rates {
  const rates: Rates = {};
  for (const name of RATE_NAMES) {
    const dollars = cost[name];
    if (dollars !== undefined) rates[COMPONENTS[name]] = picoPerToken(dollars);
  }
  return rates;
}
