import { VENDOR_NAME } from '../core/usage.ts';

/** Dollars per million tokens, as vendors publish them. */
export type CatalogRates = {
  input?: number;
  output?: number;
  cache_read?: number;
  cache_write?: number;
  /** By the lifetime of the cache, in the vendor's terms: `cache_write_1h`. */
  [byLife: `cache_write_${string}`]: number | undefined;
  reasoning?: number;
  input_audio?: number;
  output_audio?: number;
};

/** A tier applies to the whole call if its prompt is longer than `above` tokens. */
export type CatalogTiers = { tiers?: (CatalogRates & { above: number })[] };

/** `services`: the cost under a service tier, by the vendor's name of the tier (`flex`, `priority`). */
export type CatalogCost = CatalogRates &
  CatalogTiers & {
    services?: Record<string, CatalogRates & CatalogTiers>;
    /** Dollars per call of a tool that the vendor runs. */
    per_call?: Record<string, number>;
    /** Price multipliers of regions. */
    regions?: Record<string, number>;
  };

/** A model in a catalog file, with the field names of models.dev. Unknown facts are absent. */
export type CatalogRow = {
  name: string;
  family?: string;
  release_date?: string;
  status?: string;
  /** The ISO date on which the vendor shuts it down, or did. */
  shut_down?: string;
  /** An import removed the model. The row has no other facts. */
  removed?: true;
  /** Tokens. */
  limit?: { context?: number; input?: number; output?: number };
  /** The length of an embedding model's vectors. */
  dimensions?: number;
  modalities?: { input?: string[]; output?: string[] };
  attachment?: boolean;
  reasoning?: boolean;
  tool_call?: boolean;
  structured_output?: boolean;
  temperature?: boolean;
  open_weights?: boolean;
  /** Absent: the price is unknown. */
  cost?: CatalogCost;
  /** The source of the row, and the ISO date from which it is valid. */
  source: string;
  date: string;
};

/** Rows by vendor (a preset's `catalog`), then by the vendor's name of the model. */
export type CatalogFile = ReadonlyMap<string, ReadonlyMap<string, CatalogRow>>;

export const RATE_NAMES = [
  'input',
  'output',
  'cache_read',
  'cache_write',
  'reasoning',
  'input_audio',
  'output_audio',
] as const satisfies readonly (keyof CatalogRates)[];

const BY_LIFE = 'cache_write_';

/** True for the rate of cache writes with a named lifetime. */
export function isByLife(name: string): name is `cache_write_${string}` {
  return name.startsWith(BY_LIFE) && VENDOR_NAME.test(name.slice(BY_LIFE.length));
}

const ABOUT =
  'What is known of models: limits, abilities, and prices in US dollars per 1,000,000 tokens. Every entry names its ' +
  'source and the day since when it holds. Written by `headgate catalog import`.';

const NOTICE =
  'Entries with the source "models.dev" are taken from https://models.dev, under the MIT License. Copyright (c) 2025 ' +
  'models.dev. Permission is hereby granted, free of charge, to any person obtaining a copy of this software and ' +
  'associated documentation files (the "Software"), to deal in the Software without restriction, including without ' +
  'limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the ' +
  'Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions: ' +
  'The above copyright notice and this permission notice shall be included in all copies or substantial portions of ' +
  'the Software. THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT ' +
  'NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO ' +
  'EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ' +
  'ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR ' +
  'OTHER DEALINGS IN THE SOFTWARE. Entries whose source begins with "litellm" have prices and limits from LiteLLM’s ' +
  'model_prices_and_context_window.json (https://github.com/BerriAI/litellm), under the same license, Copyright (c) 2023 ' +
  'Berri AI; the page that it names as its own source stands behind it.';

/** The highest plausible price, in dollars per million tokens. */
const MAX_RATE = 1_000_000;

/** The highest plausible price per call in dollars, and the highest plausible multiplier. */
const MAX_PER_CALL = 1000;
const MAX_FACTOR = 100;

/** Parses a catalog file. Throws an `Error` that names `place` (a path) if it is invalid. */
export function parseCatalog(text: string, place: string): CatalogFile {
  const vendors = objectAt(parseCatalogJson(text, place))?.vendors;
  const entries = objectAt(vendors);
  if (entries === null) throw new Error(`${place} is not a catalog: it has no \`vendors\`.`);
  return new Map(
    Object.entries(entries).map(([vendor, models]) => [vendor, parseVendor(models, `${place}: ${vendor}`)] as const),
  );
}

/** The text of a catalog file: one model per line, so that a change of a model is a change of one line. */
export function formatCatalog(file: CatalogFile): string {
  const vendors = [...file].map(([vendor, rows]) => {
    const lines = [...rows].map(([id, row]) => `${JSON.stringify(id)}: ${JSON.stringify(row)}`);
    return `${JSON.stringify(vendor)}: {\n${lines.join(',\n')}\n}`;
  });
  const head = `{\n"about": ${JSON.stringify(ABOUT)},\n"notice": ${JSON.stringify(NOTICE)},\n`;
  return `${head}"vendors": {\n${vendors.join(',\n')}\n}\n}\n`;
}

/** Reads a model leniently: fields of the wrong type count as absent. `null` if it is not a model. */
export function readRow(id: string, value: unknown): CatalogRow | null {
  const raw = objectAt(value);
  if (raw === null || typeof raw.source !== 'string' || typeof raw.date !== 'string') return null;
  const limit = objectAt(raw.limit);
  const modalities = objectAt(raw.modalities);
  return stated<CatalogRow>({
    name: textAt(raw.name) ?? id,
    family: textAt(raw.family),
    release_date: textAt(raw.release_date),
    status: textAt(raw.status),
    shut_down: dayAt(raw.shut_down),
    removed: raw.removed === true ? true : undefined,
    limit:
      limit === null
        ? undefined
        : stated({
            context: countAt(limit.context),
            input: countAt(limit.input),
            output: countAt(limit.output),
          }),
    dimensions: countAt(raw.dimensions),
    modalities:
      modalities === null
        ? undefined
        : stated({
            input: textsAt(modalities.input),
            output: textsAt(modalities.output),
          }),
    attachment: flagAt(raw.attachment),
    reasoning: flagAt(raw.reasoning),
    tool_call: flagAt(raw.tool_call),
    structured_output: flagAt(raw.structured_output),
    temperature: flagAt(raw.temperature),
    open_weights: flagAt(raw.open_weights),
    cost: readCost(raw.cost),
    source: raw.source,
    date: raw.date,
  });
}

/** The value as an object with unknown fields; `null` if it is not an object. */
export function objectAt(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}

/** `JSON.parse` with an `Error` that names the place. */
export function parseCatalogJson(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(`${place} is not JSON: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

function parseVendor(models: unknown, place: string): Map<string, CatalogRow> {
  const entries = objectAt(models);
  if (entries === null) throw new Error(`${place} is not an object of models.`);
  const rows = new Map<string, CatalogRow>();
  for (const [id, value] of Object.entries(entries)) {
    const row = readRow(id, value);
    if (row === null) throw new Error(`${place}/${id} is not a model with a \`source\` and a \`date\`.`);
    rows.set(id, row);
  }
  return rows;
}

/** A price that is only partly readable is unknown: a wrong bill is worse than none. */
function readCost(value: unknown): CatalogCost | undefined {
  const raw = objectAt(value);
  const base = readTieredRates(raw);
  if (raw === null || base === undefined) return base;
  const perCall = readNumbers(raw.per_call, MAX_PER_CALL);
  const regions = readNumbers(raw.regions, MAX_FACTOR);
  const services = readServices(raw.services);
  if (perCall === null || regions === null || services === null) return undefined;
  return {
    ...base,
    ...(services !== undefined && { services }),
    ...(perCall !== undefined && { per_call: perCall }),
    ...(regions !== undefined && { regions }),
  };
}

/** `undefined` if absent; `null` if invalid. */
function readServices(value: unknown): CatalogCost['services'] | null {
  if (value === undefined) return undefined;
  const entries = objectAt(value);
  if (entries === null) return null;
  const services: NonNullable<CatalogCost['services']> = {};
  for (const [name, entry] of Object.entries(entries)) {
    const rates = readTieredRates(objectAt(entry));
    if (rates === undefined) return null;
    services[name] = rates;
  }
  return services;
}

/** Numbers by a vendor's names; otherwise as `readServices`. */
function readNumbers(value: unknown, most: number): Record<string, number> | undefined | null {
  if (value === undefined) return undefined;
  const entries = objectAt(value);
  if (entries === null) return null;
  const numbers: Record<string, number> = {};
  for (const [name, number] of Object.entries(entries)) {
    if (!VENDOR_NAME.test(name) || typeof number !== 'number' || !(number >= 0 && number <= most)) return null;
    numbers[name] = number;
  }
  return numbers;
}

function readTieredRates(raw: Record<string, unknown> | null): (CatalogRates & CatalogTiers) | undefined {
  const rates = raw === null ? null : readRates(raw);
  if (raw === null || rates === null) return undefined;
  if (raw.tiers === undefined) return rates;
  if (!Array.isArray(raw.tiers)) return undefined;
  const tiers: (CatalogRates & { above: number })[] = [];
  for (const value of raw.tiers) {
    const tier = objectAt(value);
    const above = countAt(tier?.above);
    const tierRates = tier === null ? null : readRates(tier);
    if (above === undefined || tierRates === null) return undefined;
    tiers.push({ above, ...tierRates });
  }
  return { ...rates, tiers };
}

function readRates(raw: Record<string, unknown>): CatalogRates | null {
  const rates: CatalogRates = {};
  for (const name of [...RATE_NAMES, ...Object.keys(raw).filter(isByLife)]) {
    const rate = raw[name];
    if (rate === undefined || rate === null) continue;
    if (typeof rate !== 'number' || !(rate >= 0 && rate <= MAX_RATE)) return null;
    rates[name] = rate;
  }
  return rates;
}

function textAt(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function dayAt(value: unknown): string | undefined {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? value : undefined;
}

function textsAt(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : undefined;
}

function countAt(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined;
}

function flagAt(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

/** The object without its `undefined` members. */
function stated<T extends object>(fields: { [K in keyof T]: T[K] | undefined }): T {
  const kept: Partial<T> = {};
  for (const name of Object.keys(fields) as (keyof T)[]) if (fields[name] !== undefined) kept[name] = fields[name];
  return kept as T;
}
