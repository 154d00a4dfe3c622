import { isDeepStrictEqual } from 'node:util';
import { undatedName } from '../../core/model-name.ts';
import { type CatalogCost, type CatalogRates, type CatalogRow, objectAt, readRow } from '../catalog-file.ts';
import { dimensionsOf } from '../known-models.ts';
import { type Import, inOrder, isKnownVendor, type Stamp } from './format.ts';

/** LiteLLM's names of vendors, where they differ. */
const VENDORS: Readonly<Record<string, string>> = {
  together_ai: 'together',
  fireworks_ai: 'fireworks',
  cohere_chat: 'cohere',
  dashscope: 'alibaba',
  nvidia_nim: 'nvidia',
};

/** Vendors with a row for each region of a model in LiteLLM: `azure/eu/gpt-5`. */
const REGIONAL: ReadonlySet<string> = new Set(['azure']);

/** The modes of models that can be served here. */
const MODES: ReadonlySet<unknown> = new Set(['chat', 'responses', 'embedding']);

/** LiteLLM's names of rates. */
const RATES: Readonly<Record<string, string>> = {
  input_cost_per_token: 'input',
  output_cost_per_token: 'output',
  cache_read_input_token_cost: 'cache_read',
  cache_creation_input_token_cost: 'cache_write',
  output_cost_per_reasoning_token: 'reasoning',
  input_cost_per_audio_token: 'input_audio',
  output_cost_per_audio_token: 'output_audio',
};

/**
 * The parts of a rate's name: the rate, the lifetime of a cache, the prompt length from which it applies (in thousand
 * tokens), and the service tier.
 */
const RATE = new RegExp(
  `^(${Object.keys(RATES).join('|')})(?:_above_(\\d+)(hr|min))?(?:_above_(\\d+)k_tokens)?(?:_(?!above)([a-z]+))?$`,
);

/** Charges that every call has beside tokens. A price by tokens alone would be wrong for these models. */
const BESIDE_TOKENS = ['citation_cost_per_token', 'input_cost_per_request', 'input_cost_per_query'];

/**
 * OpenAI's models that search in every call. Only for OpenAI itself is it known that each call has one search
 * (`Quirks.searches`).
 */
const SEARCHES = /-search-(preview|api)/;

/**
 * Tools of vendors that cost nothing beside tokens, so that LiteLLM has no price for them; with the page that documents
 * it.
 */
const FREE_TOOLS: Readonly<Record<string, readonly string[]>> = {
  // https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-fetch-tool#usage-and-pricing
  anthropic: ['web_fetch'],
};

/**
 * LiteLLM's names of search prices by context size. Usage does not report the size, so all sizes must have the same
 * price.
 */
const SEARCH_SIZE = /^search_context_size_([a-z]+)$/;

/** LiteLLM's names of service tiers, where they differ from those in vendors' answers. */
const SERVICES: Readonly<Record<string, string>> = { batches: 'batch' };

/** Prices per token are rounded to this many digits, which removes errors of binary fractions. */
const DIGITS = 12;

/** True if this is LiteLLM's price list: objects by model name, each with its vendor. */
export function isLiteLlm(top: Record<string, unknown>): boolean {
  return Object.values(top).some((value) => typeof objectAt(value)?.litellm_provider === 'string');
}

/** Reads LiteLLM's list. A model that is listed with and without its vendor's prefix is read once, with the prefix. */
export function readLiteLlm(top: Record<string, unknown>, stamp: Stamp): Import {
  const byVendor = new Map<string, Map<string, CatalogRow>>();
  const unknown = new Set<string>();
  const regional: RegionalRow[] = [];
  const result: Import = { file: byVendor, unknownVendors: [], unknownModels: 0, unpriced: [] };
  for (const [name, value] of Object.entries(top)) {
    const raw = objectAt(value);
    if (raw === null || typeof raw.litellm_provider !== 'string' || !MODES.has(raw.mode)) continue;
    const theirs = raw.litellm_provider;
    const vendor = Object.hasOwn(VENDORS, theirs) ? VENDORS[theirs]! : theirs;
    if (!isKnownVendor(vendor)) {
      unknown.add(theirs);
      result.unknownModels += 1;
      continue;
    }
    const isPrefixed = name.startsWith(`${theirs}/`);
    const id = isPrefixed ? name.slice(theirs.length + 1) : name;
    const [region, model, ...rest] = id.split('/');
    if (REGIONAL.has(vendor) && model !== undefined && rest.length === 0)
      regional.push({ vendor, region: region!, model, raw });
    if (!isModelOf(vendor, id)) continue;
    const rows = byVendor.get(vendor) ?? new Map<string, CatalogRow>();
    byVendor.set(vendor, rows);
    if (hasMore(vendor, id, raw)) result.unpriced.push(`${vendor}/${id}`);
    const row = rowOf(vendor, id, raw, stamp);
    if (row === null || (rows.has(id) && !isPrefixed)) continue;
    rows.set(id, row);
  }
  for (const row of regional) multiply(byVendor.get(row.vendor)?.get(row.model), row);
  for (const vendor of REGIONAL) takeRegions(byVendor.get(vendor) ?? new Map());
  result.unknownVendors = [...unknown];
  result.file = inOrder(byVendor);
  return result;
}

type RegionalRow = { vendor: string; region: string; model: string; raw: Record<string, unknown> };

/** The tolerated difference between the rates of a region and one multiplier, since vendors round published prices. */
const ROUNDED = 0.02;

/** Sets the price multiplier of a region, if its rates are a multiple of the model's. */
function multiply(row: CatalogRow | undefined, { vendor, region, raw }: RegionalRow): void {
  const cost = row?.cost;
  const there = costOf(vendor, raw);
  if (cost === undefined || there === undefined) return;
  const rates = Object.keys(there).filter(
    (name): name is keyof CatalogRates => typeof there[name as 'input'] === 'number',
  );
  const factors = rates
    .map((name) => (there[name] ?? 0) / (cost[name] ?? 0))
    .filter((factor) => Number.isFinite(factor));
  const factor = Number((there.output === undefined ? factors[0]! : there.output / cost.output!).toFixed(4));
  if (factor === 1 || factors.some((one) => !(Math.abs(one - factor) <= ROUNDED))) return;
  cost.regions = { ...cost.regions, [region]: factor };
}

/** Dated models with the price of their undated model get its multipliers: only some have rows for regions. */
function takeRegions(rows: ReadonlyMap<string, CatalogRow>): void {
  for (const [id, { cost }] of rows) {
    const { regions, ...base } = rows.get(undatedName(id) ?? '')?.cost ?? {};
    if (cost === undefined || regions === undefined || cost.regions !== undefined) continue;
    if (isDeepStrictEqual(cost, base)) cost.regions = regions;
  }
}

/** Excludes fine-tuned models of one account, and rows of model classes (`together-ai-4.1b-8b`) and Azure regions. */
function isModelOf(vendor: string, id: string): boolean {
  if (id.startsWith('ft:') || /^together-ai-|^fireworks-ai-/.test(id)) return false;
  return vendor !== 'azure' || !id.includes('/');
}

function rowOf(vendor: string, id: string, raw: Record<string, unknown>, stamp: Stamp): CatalogRow | null {
  const is = (name: string) => (typeof raw[name] === 'boolean' ? raw[name] : undefined);
  const embeds = raw.mode === 'embedding';
  const reasons = is('supports_reasoning');
  return readRow(id, {
    // LiteLLM does not list the combined length of prompt and output.
    limit: { input: raw.max_input_tokens, output: embeds ? undefined : raw.max_output_tokens },
    dimensions: raw.output_vector_size ?? dimensionsOf(id) ?? undefined,
    modalities: embeds ? undefined : modalitiesOf(raw),
    attachment: embeds ? undefined : raw.supports_vision === true || raw.supports_pdf_input === true,
    reasoning: reasons,
    tool_call: is('supports_function_calling'),
    structured_output: is('supports_response_schema'),
    // OpenAI's reasoning models refuse it, which LiteLLM does not list.
    temperature: is('supports_sampling_params') ?? (/^(openai|azure)$/.test(vendor) && reasons ? false : undefined),
    shut_down: raw.deprecation_date,
    cost: hasMore(vendor, id, raw) ? undefined : costOf(vendor, raw),
    ...stamp,
    source: typeof raw.source === 'string' ? `${stamp.source}: ${raw.source}` : stamp.source,
  });
}

function modalitiesOf(raw: Record<string, unknown>): { input: string[]; output: string[] } {
  const input = ['text'];
  if (raw.supports_vision === true) input.push('image');
  if (raw.supports_audio_input === true) input.push('audio');
  if (raw.supports_video_input === true) input.push('video');
  if (raw.supports_pdf_input === true) input.push('pdf');
  return { input, output: raw.supports_audio_output === true ? ['text', 'audio'] : ['text'] };
}

function hasMore(vendor: string, id: string, raw: Record<string, unknown>): boolean {
  if (vendor !== 'openai' && SEARCHES.test(id)) return true;
  return BESIDE_TOKENS.some((name) => typeof raw[name] === 'number' && raw[name] > 0);
}

/** Dollars per million tokens; `undefined` without rates, or if input and output are billed in another way. */
function costOf(vendor: string, raw: Record<string, unknown>): CatalogCost | undefined {
  if (typeof raw.input_cost_per_token !== 'number') return undefined;
  if (raw.mode !== 'embedding' && typeof raw.output_cost_per_token !== 'number') return undefined;
  const base = new TierRates();
  const services = new Map<string, TierRates>();
  for (const [name, value] of Object.entries(raw)) {
    const [, rate, long, unit, above, service] = RATE.exec(name) ?? [];
    if (rate === undefined || typeof value !== 'number') continue;
    const life = long === undefined ? '' : `_${long}${unit === 'hr' ? 'h' : 'm'}`;
    const group = service === undefined ? base : (services.get(service) ?? new TierRates());
    if (service !== undefined) services.set(service, group);
    group.put(RATES[rate]! + life, above === undefined ? 0 : Number(above) * 1000, perMillion(value));
  }
  const tools = toolsOf(vendor, raw);
  const cost = { ...base.cost(), ...(tools !== undefined && { per_call: tools }) };
  if (services.size === 0) return cost;
  const named = [...services].map(([name, group]) => [SERVICES[name] ?? name, group.cost()] as const);
  return { ...cost, services: Object.fromEntries(named) };
}

/** Dollars per call of each tool that has a price or is known to be free. */
function toolsOf(vendor: string, raw: Record<string, unknown>): Record<string, number> | undefined {
  const sizes = Object.entries(objectAt(raw.search_context_cost_per_query) ?? {}).flatMap(([name, dollars]) => {
    const size = SEARCH_SIZE.exec(name)?.[1];
    return size === undefined || typeof dollars !== 'number' ? [] : [[size, dollars] as const];
  });
  if (sizes.length === 0) return undefined;
  const isOne = new Set(sizes.map(([, dollars]) => dollars)).size === 1;
  const ofAll = isOne ? [['web_search', sizes[0]![1]] as const] : [];
  // Vendors that report a size with each call report it even if all sizes have the same price.
  const bySize =
    isOne && vendor !== 'perplexity' ? [] : sizes.map(([size, cost]) => [`web_search_${size}`, cost] as const);
  const free = (FREE_TOOLS[vendor] ?? []).map((tool) => [tool, 0] as const);
  return Object.fromEntries([...ofAll, ...bySize, ...free]);
}

/** The rates of one service tier, by prompt length. */
class TierRates {
  readonly #byLength = new Map<number, Record<string, number>>();

  put(rate: string, above: number, dollars: number): void {
    const rates = this.#byLength.get(above) ?? {};
    this.#byLength.set(above, rates);
    rates[rate] = dollars;
  }

  cost(): CatalogCost {
    const tiers = [...this.#byLength].filter(([above]) => above > 0).sort(([a], [b]) => a - b);
    const base = this.#byLength.get(0) ?? {};
    return { ...base, ...(tiers.length > 0 && { tiers: tiers.map(([above, rates]) => ({ above, ...rates })) }) };
  }
}

function perMillion(perToken: number): number {
  return Number((perToken * 1e6).toPrecision(DIGITS));
}
