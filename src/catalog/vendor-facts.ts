import { picoPerCall, picoPerToken, type Rates, VENDOR_PRICE } from '../core/money.ts';
import { type Model, type Provider, VENDOR_FACTS, type VendorFact } from '../core/provider.ts';
import type { ListPrices } from '../core/quirks.ts';
import { PRICES_PER_TOKEN } from '../providers/list-prices.ts';
import { objectAt } from './catalog-file.ts';
import { valueAtPath } from './value-at-path.ts';

type Abilities = NonNullable<Model['capabilities']>;
type Ability = keyof Abilities;

/** The facts of a model in a vendor's own list. Unknown facts are absent. Stored as JSON for the next start. */
export type VendorFacts = {
  contextWindow?: number;
  maxOutputTokens?: number;
  modalities?: { input: readonly string[]; output: readonly string[] };
  capabilities?: Readonly<Partial<Record<Ability, boolean>>>;
  /** Pico-dollars per token by component, and per web search, as text. `date` (ISO): when the price was first seen. */
  price?: { rates: Readonly<Record<string, string>>; search?: string; date?: string };
};

/** The places of a fact in lists, in order of precedence, each with a vendor that uses it. */
export const FACT_PLACES = {
  context_window: [
    ['max_model_len', 'vLLM, SGLang'],
    ['default_generation_settings.n_ctx', 'llama.cpp'],
    ['max_total_tokens', 'text-generation-inference'],
    ['parameters.num_ctx', 'Ollama'],
    ['model_info.context_length', 'Ollama'],
    ['context_length', 'OpenRouter, Together AI, Fireworks AI, Moonshot AI, Cohere'],
    ['context_window', 'Groq, Vercel'],
    // The loaded context length takes precedence over the model's maximum.
    ['loaded_context_length', 'LM Studio'],
    ['meta.n_ctx', 'llama.cpp'],
    ['meta.n_ctx_train', 'llama.cpp'],
    ['max_context_length', 'Mistral, LM Studio'],
    ['max_input_tokens', 'Anthropic, LiteLLM'],
    ['inputTokenLimit', 'Google Gemini'],
    ['context_size', 'Novita AI'],
    ['top_provider.context_length', 'OpenRouter'],
    ['metadata.context_length', 'DeepInfra'],
  ],
  max_output_tokens: [
    ['max_completion_tokens', 'Groq'],
    ['top_provider.max_completion_tokens', 'OpenRouter'],
    ['max_output_tokens', 'LiteLLM, Novita AI'],
    ['outputTokenLimit', 'Google Gemini'],
    ['max_tokens', 'Anthropic, Vercel'],
    ['metadata.max_tokens', 'DeepInfra'],
  ],
} as const;

/** The places of abilities, as booleans or as `{ "supported": true }`. */
const ABILITY_PLACES: Readonly<Record<Ability, readonly string[]>> = {
  tools: ['capabilities.tools', 'capabilities.function_calling', 'supports_tools', 'chat_template_caps.supports_tools'],
  reasoning: ['capabilities.reasoning', 'capabilities.thinking', 'supports_reasoning'],
  structuredOutput: ['capabilities.structured_output', 'capabilities.structured_outputs'],
  attachment: [
    'capabilities.attachment',
    'capabilities.vision',
    'capabilities.image_input',
    'supports_image_input',
    'supports_image_in',
  ],
  temperature: ['capabilities.temperature'],
};

/**
 * Lists of words that name abilities. A missing word means nothing, with two exceptions: `supported_parameters`, and
 * tools, thinking and images in Ollama's lists.
 */
const WORD_PLACES = ['capabilities', 'tags', 'features'];
const ABILITY_WORDS: Readonly<Record<Ability, readonly string[]>> = {
  tools: ['tools', 'tool_use', 'tool-use', 'function-calling', 'function_calling'],
  reasoning: ['reasoning', 'thinking', 'reasoning_effort'],
  structuredOutput: ['structured_outputs', 'structured-outputs'],
  attachment: ['vision', 'file-input'],
  temperature: ['temperature'],
};
const OLLAMAS_WORD = 'completion';
const NAMED_BY_OLLAMA: ReadonlySet<Ability> = new Set(['tools', 'reasoning', 'attachment']);
const ABILITIES = Object.keys(ABILITY_WORDS) as Ability[];

const MODALITY_PLACES = [
  ['architecture.input_modalities', 'architecture.output_modalities'],
  ['modalities.input', 'modalities.output'],
  ['input_modalities', 'output_modalities'],
  ['supported_input_modalities', 'supported_output_modalities'],
] as const;
/** Further input kinds, and the place that says whether the model accepts them. */
const INPUT_PLACES = [
  ['image', 'capabilities.vision'],
  ['image', 'capabilities.image_input'],
  ['image', 'supports_image_input'],
  ['image', 'supports_image_in'],
  ['pdf', 'capabilities.pdf_input'],
  ['audio', 'capabilities.audio'],
  ['image', 'modalities.vision'],
  ['audio', 'modalities.audio'],
  ['image', 'has_image_understanding'],
  ['audio', 'has_audio_understanding'],
] as const;
const MODALITY = /^[a-z]{1,16}$/;
const MAX_MODALITIES = 8;
/** More tokens than any context window has. */
const MAX_TOKENS = 1_000_000_000;
/**
 * The highest plausible price of a token in pico-dollars: 10,000 dollars per million. Higher numbers must have another
 * unit.
 */
const MAX_RATE = 10n ** 10n;
/** The highest plausible price of a search in pico-dollars: 100 dollars. */
const MAX_SEARCH = 10n ** 14n;

/** Reads an entry of a vendor's list. Omits what is not as expected. */
export function readFacts(entry: unknown, { quirks }: Pick<Provider, 'quirks'>): VendorFacts {
  const told = objectAt(entry);
  if (told === null) return {};
  const item = asEntry(told);
  const modalities = modalitiesIn(item);
  const capabilities = abilitiesIn(item, modalities);
  const price = priceIn(item, quirks.listPrices ?? PRICES_PER_TOKEN);
  const [contextWindow, maxOutputTokens] = [tokensIn(item, 'context_window'), tokensIn(item, 'max_output_tokens')];
  return {
    ...(contextWindow !== undefined && { contextWindow }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(modalities !== undefined && { modalities }),
    ...(capabilities !== undefined && { capabilities }),
    ...(price !== undefined && { price }),
  };
}

/**
 * Ollama's parameters are lines of a text, and the members of `model_info` have the architecture as prefix:
 * https://github.com/ollama/ollama/blob/main/docs/api.md
 */
function asEntry(item: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const info = objectAt(item.model_info);
  const window = info?.[`${info['general.architecture']}.context_length`];
  const limit =
    typeof item.parameters === 'string' ? /^num_ctx\s+(\d{1,10})\s*$/m.exec(item.parameters)?.[1] : undefined;
  return {
    ...item,
    ...(window !== undefined && { model_info: { context_length: window } }),
    ...(limit !== undefined && { parameters: { num_ctx: Number(limit) } }),
  };
}

/** Adds the facts that only the vendor's list has to a model. Known facts stay. */
export function withVendorFacts(model: Model, facts: VendorFacts | undefined, bills: boolean): Model {
  if (facts === undefined) return model;
  const { contextWindow, maxOutputTokens, modalities, capabilities, price } = facts;
  const fills: Partial<Record<VendorFact, Partial<Model>>> = {
    ...(model.contextWindow === null && contextWindow !== undefined && { context_window: { contextWindow } }),
    ...(model.maxOutputTokens === null && maxOutputTokens !== undefined && { max_output_tokens: { maxOutputTokens } }),
    ...(model.modalities === null && modalities !== undefined && { modalities: { modalities } }),
    ...(model.capabilities === null &&
      capabilities !== undefined && { capabilities: { capabilities: { ...NO_ABILITY_KNOWN, ...capabilities } } }),
    ...(bills && model.price === null && price !== undefined && { pricing: { price: priceOf(price) } }),
  };
  const names = VENDOR_FACTS.filter((name) => fills[name] !== undefined);
  return names.length === 0 ? model : { ...Object.assign({ ...model }, ...Object.values(fills)), fromVendor: names };
}

const NO_ABILITY_KNOWN: Abilities = {
  tools: null,
  reasoning: null,
  structuredOutput: null,
  attachment: null,
  temperature: null,
};

function priceOf({ rates, search, date = '' }: NonNullable<VendorFacts['price']>): NonNullable<Model['price']> {
  const each = Object.entries(rates).map(([component, rate]) => [component, BigInt(rate)] as const);
  return {
    rates: Object.fromEntries(each) as Rates,
    tiers: [],
    ...(search !== undefined && { tools: { web_search: BigInt(search) } }),
    source: VENDOR_PRICE,
    date,
  };
}

function tokensIn(item: object, fact: keyof typeof FACT_PLACES): number | undefined {
  for (const [place] of FACT_PLACES[fact]) {
    const value = valueAtPath(item, place);
    if (Number.isSafeInteger(value) && (value as number) > 0 && (value as number) <= MAX_TOKENS) return value as number;
  }
  return undefined;
}

function modalitiesIn(item: object): VendorFacts['modalities'] {
  for (const [inputs, outputs] of MODALITY_PLACES) {
    const input = kindsIn(valueAtPath(item, inputs));
    if (input !== undefined) return { input, output: kindsIn(valueAtPath(item, outputs)) ?? ['text'] };
  }
  const said = INPUT_PLACES.flatMap(([kind, place]) => {
    const takes = flagOf(valueAtPath(item, place));
    return takes === undefined ? [] : [{ kind, takes }];
  });
  if (said.length === 0) return imagesIn(item);
  const kinds = said.flatMap(({ kind, takes }) => (takes ? [kind] : []));
  return { input: ['text', ...new Set(kinds)], output: ['text'] };
}

/** Ollama lists all abilities of a model, so a missing one is absent. */
function imagesIn({ capabilities }: { capabilities?: unknown }): VendorFacts['modalities'] {
  if (!Array.isArray(capabilities) || !capabilities.includes(OLLAMAS_WORD)) return undefined;
  return { input: capabilities.includes('vision') ? ['text', 'image'] : ['text'], output: ['text'] };
}

/** OpenRouter's `file` is a PDF. */
function kindsIn(value: unknown): string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const kinds = value.flatMap((kind) => (typeof kind === 'string' ? kind.toLowerCase().replace(/^file$/, 'pdf') : []));
  const found = [...new Set(kinds)].filter((kind) => MODALITY.test(kind)).slice(0, MAX_MODALITIES);
  return found.length === 0 ? undefined : found;
}

function abilitiesIn(item: object, modalities: VendorFacts['modalities']): VendorFacts['capabilities'] {
  const parameters = valueAtPath(item, 'supported_parameters');
  const isWhole = Array.isArray(parameters);
  const lists = [...WORD_PLACES.map((place) => valueAtPath(item, place)), parameters];
  const words = new Set(lists.flatMap((list) => (Array.isArray(list) ? list.slice(0, 256) : [])));
  const abilities: Partial<Record<Ability, boolean>> = {};
  for (const ability of ABILITIES) {
    const flag = ABILITY_PLACES[ability]
      .map((place) => flagOf(valueAtPath(item, place)))
      .find((each) => each !== undefined);
    const isNamed = ABILITY_WORDS[ability].some((word) => words.has(word));
    if (flag !== undefined) abilities[ability] = flag;
    else if (isNamed) abilities[ability] = true;
    else if (isWhole && ability !== 'attachment') abilities[ability] = false;
    else if (words.has(OLLAMAS_WORD) && NAMED_BY_OLLAMA.has(ability)) abilities[ability] = false;
  }
  if (abilities.attachment === undefined && modalities !== undefined) {
    abilities.attachment = modalities.input.some((kind) => kind !== 'text');
  }
  return Object.keys(abilities).length === 0 ? undefined : abilities;
}

function flagOf(value: unknown): boolean | undefined {
  const flag = objectAt(value)?.supported ?? value;
  return typeof flag === 'boolean' ? flag : undefined;
}

/** A price by tokens and searches alone; otherwise none, since a wrong bill is worse than none. */
function priceIn(item: object, form: ListPrices): VendorFacts['price'] {
  const told = objectAt(valueAtPath(item, form.at));
  if (told === null) return undefined;
  const rates: Record<string, string> = {};
  let search: string | undefined;
  for (const [name, value] of Object.entries(told)) {
    if (form.beside?.includes(name) === true || value === null) continue;
    const amount = amountOf(value, form.perTokens === 1);
    const component = Object.hasOwn(form.rates, name) ? form.rates[name] : undefined;
    if (amount === null) return undefined;
    if (component !== undefined) {
      const rate = form.perTokens === 1 ? picoPerCall(amount) : picoPerToken(amount);
      if (rate > MAX_RATE) return undefined;
      if (rate > 0n || component === 'input' || component === 'output') rates[component] = rate.toString();
    } else if (name === form.search) {
      const each = picoPerCall(amount);
      if (each > MAX_SEARCH) return undefined;
      if (each > 0n) search = each.toString();
    } else if (amount !== 0) return undefined;
  }
  const { input, output } = rates;
  if (input === undefined || output === undefined) return undefined;
  if (input === '0' && output === '0' && form.hasFree !== true) return undefined;
  return { rates, ...(search !== undefined && { search }) };
}

/** Dollars; `null` if it is not a plausible amount. Amounts per token are text. */
function amountOf(value: unknown, isText: boolean): number | null {
  const amount = isText ? (typeof value === 'string' && value !== '' ? Number(value) : Number.NaN) : value;
  return typeof amount === 'number' && amount >= 0 && amount <= 1e6 ? amount : null;
}

/** Reads stored facts of a model. Omits what this program would not write. */
export function parseStoredFacts(value: unknown): VendorFacts | null {
  const kept = objectAt(value);
  if (kept === null) return null;
  const { contextWindow, maxOutputTokens, modalities, capabilities, price } = kept;
  const read = readFacts(
    {
      context_length: contextWindow,
      max_output_tokens: maxOutputTokens,
      modalities,
      capabilities: wireOf(capabilities),
    },
    { quirks: {} },
  );
  const rates = Object.entries(objectAt(objectAt(price)?.rates) ?? {});
  const { search, date } = objectAt(price) ?? {};
  const isPrice =
    rates.length > 0 && rates.every(([, rate]) => isPico(rate)) && (search === undefined || isPico(search));
  return {
    ...read,
    ...(isPrice && {
      price: {
        rates: Object.fromEntries(rates) as Record<string, string>,
        ...(search !== undefined && { search: search as string }),
        ...(typeof date === 'string' && { date }),
      },
    }),
  };
}

function wireOf(capabilities: unknown): unknown {
  const { structuredOutput, ...others } = objectAt(capabilities) ?? {};
  return { ...others, structured_output: structuredOutput };
}

function isPico(value: unknown): boolean {
  return typeof value === 'string' && /^\d{1,15}$/.test(value);
}
