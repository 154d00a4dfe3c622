import { isDeepStrictEqual } from 'node:util';
import { undatedName } from '../../core/model-name.ts';
import { type CatalogCost, type CatalogRates, type CatalogRow, objectAt, readRow } from '../catalog-file.ts';
import { dimensionsOf } from '../known-models.ts';
import { type Import, inOrder, isKnownVendor, type Stamp } from './format.ts';

/** Where our name for a vendor is not LiteLLM's. */
const VENDORS: Readonly<Record<string, string>> = {
  together_ai: 'together',
  fireworks_ai: 'fireworks',
  cohere_chat: 'cohere',
  dashscope: 'alibaba',
  nvidia_nim: 'nvidia',
};

/** Vendors of whom LiteLLM has a row for each region, beside that of the model: `azure/eu/gpt-5`. */
const REGIONAL: ReadonlySet<string> = new Set(['azure']);

/** What is called on the surfaces that are served here. */
const MODES: ReadonlySet<unknown> = new Set(['chat', 'responses', 'embedding']);

/** LiteLLM's names of rates, and ours. */
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
 * A rate's name, how long a cache is kept that it is for, from how many thousand prompt tokens on it holds, and under which tier
 * of service.
 */
const RATE = new RegExp(
  `^(${Object.keys(RATES).join('|')})(?:_above_(\\d+)(hr|min))?(?:_above_(\\d+)k_tokens)?(?:_(?!above)([a-z]+))?$`,
);

/** What is billed beside tokens with every call: where one is there, a price by tokens alone would be wrong. */
const BESIDE_TOKENS = ['citation_cost_per_token', 'input_cost_per_request', 'input_cost_per_query'];

/** Models of OpenAI's that search with every call: only of OpenAI itself it is known that each is one search (`Quirks.searches`). */
const SEARCHES = /-search-(preview|api)/;

/** The tools of vendors that LiteLLM has no price of because they cost nothing but tokens, each with the page that says so. */
const FREE_TOOLS: Readonly<Record<string, readonly string[]>> = {
  // https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-fetch-tool#usage-and-pricing
  anthropic: ['web_fetch'],
};

/** What LiteLLM calls a search by how much of what was found is read, and we: usage that names no size has one price for all. */
const SEARCH_SIZE = /^search_context_size_([a-z]+)$/;

/** Where LiteLLM's name for a tier of service is not the one that vendors answer with. */
const SERVICES: Readonly<Record<string, string>> = { batches: 'batch' };

/** Digits behind which a price per token has only what is left over of binary fractions. */
const DIGITS = 12;

/** Whether this is LiteLLM's list of prices: objects by the names of models, which say whose they are. */
export function isLiteLlm(top: Record<string, unknown>): boolean {
  return Object.values(top).some((value) => typeof objectAt(value)?.litellm_provider === 'string');
}

/** Reads LiteLLM's list. Models of one name are taken once: under their vendor's prefix where they stand under both. */
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

/** By how much the rates of a region may differ from one factor: vendors round what they publish. */
const ROUNDED = 0.02;

/** Notes by how much a model costs more in a region; not where its rates there are no multiple of those of the model. */
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

/** Dated names that cost what their model costs cost as much more in its regions: only some have rows of their own there. */
function takeRegions(rows: ReadonlyMap<string, CatalogRow>): void {
  for (const [id, { cost }] of rows) {
    const { regions, ...base } = rows.get(undatedName(id) ?? '')?.cost ?? {};
    if (cost === undefined || regions === undefined || cost.regions !== undefined) continue;
    if (isDeepStrictEqual(cost, base)) cost.regions = regions;
  }
}

/** Fine-tuned models are an account's own; LiteLLM's rows of classes (`together-ai-4.1b-8b`) and of Azure's regions name no model. */
function isModelOf(vendor: string, id: string): boolean {
  if (id.startsWith('ft:') || /^together-ai-|^fireworks-ai-/.test(id)) return false;
  return vendor !== 'azure' || !id.includes('/');
}

function rowOf(vendor: string, id: string, raw: Record<string, unknown>, stamp: Stamp): CatalogRow | null {
  const is = (name: string) => (typeof raw[name] === 'boolean' ? raw[name] : undefined);
  const embeds = raw.mode === 'embedding';
  const reasons = is('supports_reasoning');
  return readRow(id, {
    // LiteLLM does not say how long prompt and answer may be together.
    limit: { input: raw.max_input_tokens, output: embeds ? undefined : raw.max_output_tokens },
    dimensions: raw.output_vector_size ?? dimensionsOf(id) ?? undefined,
    modalities: embeds ? undefined : modalitiesOf(raw),
    attachment: embeds ? undefined : raw.supports_vision === true || raw.supports_pdf_input === true,
    reasoning: reasons,
    tool_call: is('supports_function_calling'),
    structured_output: is('supports_response_schema'),
    // OpenAI's models that reason refuse it, which LiteLLM does not say.
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

/** Dollars per million tokens; `undefined` where no rate is given, or where input and output are billed by something else. */
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

/** Dollars for a call of each tool that has a price, and of those that are known to be free. */
function toolsOf(vendor: string, raw: Record<string, unknown>): Record<string, number> | undefined {
  const sizes = Object.entries(objectAt(raw.search_context_cost_per_query) ?? {}).flatMap(([name, dollars]) => {
    const size = SEARCH_SIZE.exec(name)?.[1];
    return size === undefined || typeof dollars !== 'number' ? [] : [[size, dollars] as const];
  });
  if (sizes.length === 0) return undefined;
  const isOne = new Set(sizes.map(([, dollars]) => dollars)).size === 1;
  const ofAll = isOne ? [['web_search', sizes[0]![1]] as const] : [];
  // Who tells a size with each call tells it where all sizes cost the same, too.
  const bySize =
    isOne && vendor !== 'perplexity' ? [] : sizes.map(([size, cost]) => [`web_search_${size}`, cost] as const);
  const free = (FREE_TOOLS[vendor] ?? []).map((tool) => [tool, 0] as const);
  return Object.fromEntries([...ofAll, ...bySize, ...free]);
}

/** The rates of one tier of service, by the length of the prompt. */
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
