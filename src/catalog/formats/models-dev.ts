import { type CatalogRow, isByLife, objectAt, RATE_NAMES, readRow } from '../catalog-file.ts';
import { dimensionsOf } from '../known-models.ts';
import { type Import, inOrder, isKnownVendor, type Stamp } from './format.ts';

/** models.dev's names of vendors, where they differ. */
const VENDORS: Readonly<Record<string, string>> = {
  togetherai: 'together',
  'fireworks-ai': 'fireworks',
  google: 'gemini',
  moonshotai: 'moonshot',
  zhipuai: 'zhipu',
  'novita-ai': 'novita',
};

/** Spellings that occur beside the usual ones. */
const RATE_ALIASES: Readonly<Record<string, string>> = {
  cached_input: 'cache_read',
  cache_input: 'cache_read',
  cached_write: 'cache_write',
};

/** models.dev's earlier form of prices for long prompts. */
const OLD_TIERS: Readonly<Record<string, number>> = { context_over_200k: 200_000 };

/**
 * Reads models in models.dev's format: its `api.json` (vendors at the top), or the same under `providers`. Throws an
 * `Error` if it has neither form.
 * @param stamp - the file's source and ISO date
 */
export function readModelsDev(top: Record<string, unknown>, stamp: Stamp): Import {
  const vendors = objectAt(top.providers) ?? top;
  const byVendor = new Map<string, Map<string, CatalogRow>>();
  const result: Import = { file: byVendor, unknownVendors: [], unknownModels: 0, unpriced: [] };
  for (const [name, value] of Object.entries(vendors)) {
    const models = objectAt(objectAt(value)?.models);
    if (models === null) continue;
    const vendor = Object.hasOwn(VENDORS, name) ? VENDORS[name]! : name;
    if (!isKnownVendor(vendor)) {
      result.unknownVendors.push(name);
      result.unknownModels += Object.keys(models).length;
      continue;
    }
    byVendor.set(vendor, readVendor(vendor, models, stamp, result.unpriced));
  }
  if (byVendor.size === 0)
    throw new Error(
      'The file has no models of a vendor that is known here, in the shape of models.dev, LiteLLM or OpenRouter.',
    );
  result.file = inOrder(byVendor);
  return result;
}

function readVendor(
  vendor: string,
  models: Record<string, unknown>,
  stamp: Stamp,
  unpriced: string[],
): Map<string, CatalogRow> {
  const rows = new Map<string, CatalogRow>();
  for (const id of Object.keys(models).sort()) {
    const raw = objectAt(models[id]);
    if (raw === null) continue;
    const cost = normalCost(raw.cost);
    const row = readRow(id, { ...raw, cost, dimensions: raw.dimensions ?? dimensionsOf(id) ?? undefined, ...stamp });
    if (row === null) continue;
    if (objectAt(raw.cost) !== null && row.cost === undefined) unpriced.push(`${vendor}/${id}`);
    rows.set(id, row);
  }
  return rows;
}

/**
 * A price in the format of the catalog; `null` if a part of it has no equivalent, because a bill without that part
 * would be wrong.
 */
function normalCost(value: unknown): Record<string, unknown> | null {
  const raw = objectAt(value);
  if (raw === null) return null;
  const cost: Record<string, unknown> = {};
  const tiers: unknown[] = [];
  for (const [name, part] of Object.entries(raw)) {
    const rate = RATE_ALIASES[name] ?? name;
    if (isByLife(rate) || RATE_NAMES.some((known) => known === rate)) cost[rate] = part;
    else if (name === 'tiers' && Array.isArray(part)) tiers.push(...part.map(normalTier));
    else if (Object.hasOwn(OLD_TIERS, name)) {
      if (raw.tiers === undefined) tiers.push({ above: OLD_TIERS[name], ...objectAt(part) });
    } else if (part !== 0) return null;
  }
  return tiers.length === 0 ? cost : { ...cost, tiers };
}

/** `null` for a tier that does not depend on prompt length; the model then has no price. */
function normalTier(value: unknown): Record<string, unknown> | null {
  const { tier, ...rates } = objectAt(value) ?? {};
  const { type, size } = objectAt(tier) ?? {};
  return type === undefined || type === 'context' ? { above: size, ...rates } : null;
}
