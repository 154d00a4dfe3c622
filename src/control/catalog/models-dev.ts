import {
  type CatalogFile,
  type CatalogRow,
  objectAt,
  parseJson,
  RATE_NAMES,
  readRow,
} from '../../providers/catalog-file.ts';
import { dimensionsOf } from '../../providers/known-models.ts';
import { PRESETS } from '../../providers/presets.ts';

/** What was read from a models.dev file, and what of it was left out. */
export type Import = {
  file: CatalogFile;
  /** Vendors that no preset of ours stands for, and how many models they have together. */
  unknownVendors: string[];
  unknownModels: number;
  /** Models (`vendor/id`) whose price has a part that cannot be billed: they are kept without a price. */
  unpriced: string[];
};

/** Where our name for a vendor is not models.dev's. */
const VENDORS: Readonly<Record<string, string>> = {
  togetherai: 'together',
  'fireworks-ai': 'fireworks',
  google: 'gemini',
  moonshotai: 'moonshot',
  zhipuai: 'zhipu',
  'novita-ai': 'novita',
};

/** Spellings that have been seen beside the usual ones. */
const RATE_ALIASES: Readonly<Record<string, string>> = {
  cached_input: 'cache_read',
  cache_input: 'cache_read',
  cached_write: 'cache_write',
};

/** models.dev's older way to say that a long prompt costs more. */
const OLD_TIERS: Readonly<Record<string, number>> = { context_over_200k: 200_000 };

/**
 * Reads models in the shape of models.dev: either its `api.json` (vendors at the top) or the same under `providers`.
 * `stamp` says where the file is from and of which day (ISO). Throws an `Error` where it is neither shape.
 */
export function readModelsDev(text: string, stamp: { source: string; date: string }): Import {
  const top = objectAt(parseJson(text, 'The file'));
  const vendors = objectAt(top?.providers) ?? top ?? {};
  const byVendor = new Map<string, Map<string, CatalogRow>>();
  const result: Import = { file: byVendor, unknownVendors: [], unknownModels: 0, unpriced: [] };
  for (const [name, value] of Object.entries(vendors)) {
    const models = objectAt(objectAt(value)?.models);
    if (models === null) continue;
    const vendor = Object.hasOwn(VENDORS, name) ? VENDORS[name]! : name;
    if (!PRESETS.some(({ catalog }) => catalog === vendor)) {
      result.unknownVendors.push(name);
      result.unknownModels += Object.keys(models).length;
      continue;
    }
    byVendor.set(vendor, readVendor(vendor, models, stamp, result.unpriced));
  }
  if (byVendor.size === 0)
    throw new Error('The file has no models of a vendor that is known here, in the shape of models.dev.');
  result.file = inOrder(byVendor);
  return result;
}

function readVendor(
  vendor: string,
  models: Record<string, unknown>,
  stamp: { source: string; date: string },
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

/** A price in our words, or `null` where a part of it has no such words: a bill without that part would be wrong. */
function normalCost(value: unknown): Record<string, unknown> | null {
  const raw = objectAt(value);
  if (raw === null) return null;
  const cost: Record<string, unknown> = {};
  const tiers: unknown[] = [];
  for (const [name, part] of Object.entries(raw)) {
    const rate = RATE_ALIASES[name] ?? name;
    if (RATE_NAMES.some((known) => known === rate)) cost[rate] = part;
    else if (name === 'tiers' && Array.isArray(part)) tiers.push(...part.map(normalTier));
    else if (Object.hasOwn(OLD_TIERS, name)) {
      if (raw.tiers === undefined) tiers.push({ above: OLD_TIERS[name], ...objectAt(part) });
    } else if (part !== 0) return null;
  }
  return tiers.length === 0 ? cost : { ...cost, tiers };
}

/** `null` for a tier by anything but the length of the prompt, which then leaves the model without a price. */
function normalTier(value: unknown): Record<string, unknown> | null {
  const { tier, ...rates } = objectAt(value) ?? {};
  const { type, size } = objectAt(tier) ?? {};
  return type === undefined || type === 'context' ? { above: size, ...rates } : null;
}

/** The vendors in the order of the presets, so that files of different days compare well. */
function inOrder(byVendor: ReadonlyMap<string, ReadonlyMap<string, CatalogRow>>): CatalogFile {
  return new Map(
    PRESETS.flatMap(({ catalog }) => {
      const rows = catalog === null ? undefined : byVendor.get(catalog);
      return catalog === null || rows === undefined ? [] : [[catalog, rows] as const];
    }),
  );
}
