import { type CatalogCost, type CatalogRow, objectAt, readRow } from '../catalog-file.ts';
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

/** What is called on the surfaces that are served here. */
const MODES: ReadonlySet<unknown> = new Set(['chat', 'responses', 'embedding']);

/** LiteLLM's names of rates, and ours. */
const RATES: Readonly<Record<string, string>> = {
  input_cost_per_token: 'input',
  output_cost_per_token: 'output',
  cache_read_input_token_cost: 'cache_read',
  cache_creation_input_token_cost: 'cache_write',
  cache_creation_input_token_cost_above_1hr: 'cache_write_1h',
  output_cost_per_reasoning_token: 'reasoning',
  input_cost_per_audio_token: 'input_audio',
  output_cost_per_audio_token: 'output_audio',
};

/** A rate's name, from how many thousand prompt tokens on it holds, and under which tier of service. */
const RATE = new RegExp(`^(${Object.keys(RATES).join('|')})(?:_above_(\\d+)k_tokens)?(?:_(?!above)([a-z]+))?$`);

/** What is billed beside tokens with every call: where one is there, a price by tokens alone would be wrong. */
const BESIDE_TOKENS = ['citation_cost_per_token', 'input_cost_per_request', 'input_cost_per_query'];

/** Vendors whose every call is a search that has a price of its own. */
const SEARCHES: ReadonlySet<string> = new Set(['perplexity']);

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
    if (!isModelOf(vendor, id)) continue;
    const rows = byVendor.get(vendor) ?? new Map<string, CatalogRow>();
    byVendor.set(vendor, rows);
    if (hasMore(vendor, raw)) result.unpriced.push(`${vendor}/${id}`);
    const row = rowOf(vendor, id, raw, stamp);
    if (row === null || (rows.has(id) && !isPrefixed)) continue;
    rows.set(id, row);
  }
  result.unknownVendors = [...unknown];
  result.file = inOrder(byVendor);
  return result;
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
    cost: hasMore(vendor, raw) ? undefined : costOf(raw),
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

function hasMore(vendor: string, raw: Record<string, unknown>): boolean {
  if (SEARCHES.has(vendor) && raw.search_context_cost_per_query !== undefined) return true;
  return BESIDE_TOKENS.some((name) => typeof raw[name] === 'number' && raw[name] > 0);
}

/** Dollars per million tokens; `undefined` where no rate is given, or where input and output are billed by something else. */
function costOf(raw: Record<string, unknown>): CatalogCost | undefined {
  if (typeof raw.input_cost_per_token !== 'number') return undefined;
  if (raw.mode !== 'embedding' && typeof raw.output_cost_per_token !== 'number') return undefined;
  const base = new TierRates();
  const services = new Map<string, TierRates>();
  for (const [name, value] of Object.entries(raw)) {
    const [, rate, above, service] = RATE.exec(name) ?? [];
    if (rate === undefined || typeof value !== 'number') continue;
    const group = service === undefined ? base : (services.get(service) ?? new TierRates());
    if (service !== undefined) services.set(service, group);
    group.put(RATES[rate]!, above === undefined ? 0 : Number(above) * 1000, perMillion(value));
  }
  if (services.size === 0) return base.cost();
  const named = [...services].map(([name, group]) => [SERVICES[name] ?? name, group.cost()] as const);
  return { ...base.cost(), services: Object.fromEntries(named) };
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
