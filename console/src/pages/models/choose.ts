import type { Answer } from '../../api/call.ts';
import { exact, money, short } from '../../parts/format.ts';
import type { Filters } from '../../shell/address.ts';

export type Model = Answer<'listCatalog'>['data'][number];
/** A model, with all that it is found by in small letters: made once, since each letter that is typed looks through all. */
export type Findable = { model: Model; words: string };

/** How often what was set up of a model is read again: it is in force a moment after it was set up. */
export const EVERY_MS = 3_000;

export const ORIGINS = { vendor: 'Vendors’ models', smart_route: 'Routes', system_route: 'System routes' } as const;
export const ABILITIES = {
  tools: 'tools',
  reasoning: 'reasoning',
  structured_output: 'structured output',
  attachment: 'attachments',
} as const;
export const SORTS = {
  '': 'By name',
  newest: 'Newest first',
  cheapest: 'Cheapest input first',
  context: 'Longest context first',
} as const;
/** Filters by name, as they stand in the address. */
export const FILTERS = [
  'provider',
  'brand',
  'input',
  'output',
  'ability',
  'context',
  'price',
  'region',
  'origin',
  'gone',
] as const;

export function findable(models: readonly Model[]): Findable[] {
  return models.map((model) => {
    const { id, name, aliases, brand, provider_label } = model;
    return { model, words: [id, name, ...aliases, brand ?? '', provider_label].join(' ').toLowerCase() };
  });
}

/** Those that have each of the words that were typed, and pass the filters of the address; in the order that it asks for. */
export function chosen(all: readonly Findable[], typed: string, wanted: Filters): Model[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const found = all.filter((one) => words.every((word) => one.words.includes(word)) && passes(one.model, wanted));
  const models = found.map(({ model }) => model);
  const order = ORDERS.get(wanted.sort ?? '');
  return order === undefined ? models : models.sort(order);
}

function passes(model: Model, wanted: Filters): boolean {
  const { provider, brand, input, output, ability, context, price, region, origin, gone } = wanted;
  return (
    (provider === undefined || model.provider === provider) &&
    (brand === undefined || model.brand === brand) &&
    (input === undefined || model.modalities?.input.includes(input) === true) &&
    (output === undefined || model.modalities?.output.includes(output) === true) &&
    (ability === undefined || model.capabilities?.[ability as keyof typeof ABILITIES] === true) &&
    (context === undefined || (model.context_window ?? 0) >= Number(context)) &&
    (price === undefined || (model.pricing.input_per_1m ?? Number.POSITIVE_INFINITY) <= Number(price)) &&
    (region === undefined || model.region === region) &&
    (origin === undefined || model.origin === origin) &&
    (gone !== undefined || !isGone(model))
  );
}

/** Whether its vendor has shut it down, or lists it no more. */
function isGone({ shut_down_at, unlisted_since }: Model): boolean {
  return unlisted_since !== null || (shut_down_at !== null && shut_down_at <= new Date().toISOString().slice(0, 10));
}

/** Small letters beside capitals; `gpt-5` before `gpt-10`. */
const BY_NAME = new Intl.Collator('en', { numeric: true });

type Order = (one: Model, other: Model) => number;
const byNumber = (of: (model: Model) => number): Order => {
  return (one, other) => of(one) - of(other) || BY_NAME.compare(one.id, other.id);
};

const ORDERS = new Map<string, Order>([
  ['', (one, other) => BY_NAME.compare(one.id, other.id)],
  ['newest', (one, other) => (other.released_at ?? '').localeCompare(one.released_at ?? '')],
  ['cheapest', byNumber(({ pricing }) => pricing.input_per_1m ?? Number.MAX_SAFE_INTEGER)],
  ['context', byNumber(({ context_window }) => -(context_window ?? 0))],
]);

/** `$2.50`, for a million tokens; where a route costs what its target costs, from where to where that may be. */
export function priceText({ pricing }: Model, of: 'input_per_1m' | 'output_per_1m'): string {
  const range = pricing.range?.[of];
  if (range != null) return range.min === range.max ? money(range.min) : `${money(range.min)} – ${money(range.max)}`;
  return money(pricing[of]);
}

/** Whose price it is, and of which day. */
export function priceSource({ pricing: { source, date, inferred_from } }: Model): string {
  if (source === null) return 'No price is known.';
  const of = inferred_from === undefined ? '' : `, as of ${inferred_from}`;
  return `${source}${date === null ? '' : `, ${date}`}${of}`;
}

/** `128K`, `1.05M`. */
export function contextText(tokens: number | null): string {
  return tokens === null || tokens < 10_000 ? (tokens === null ? '—' : exact(tokens)) : short(tokens);
}

export function abilitiesOf({ capabilities }: Model): string[] {
  return Object.entries(ABILITIES).flatMap(([name, words]) =>
    capabilities?.[name as keyof typeof ABILITIES] ? [words] : [],
  );
}

/** What is to be known of a model that its vendor ends. */
export function endOf({ shut_down_at: day, unlisted_since: since }: Model, today = new Date()): string | null {
  if (day !== null) return `${day <= today.toISOString().slice(0, 10) ? 'shut down' : 'ends'} ${day}`;
  return since === null ? null : `not listed since ${since}`;
}
