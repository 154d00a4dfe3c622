import { GatewayError } from '../core/errors.ts';
import { picoPerToken } from '../core/money.ts';
import type { CallSummary, Steering } from '../core/route.ts';
import type { Candidates, Place } from './candidates.ts';

/** The most names in a list. */
const MAX_NAMES = 100;
const MAX_NAME_LENGTH = 200;
const MEMBERS = ['order', 'only', 'ignore', 'sort', 'max_price', 'allow_fallbacks'] as const;
const SORTS = ['price', 'throughput', 'latency'] as const;
const PRICES = ['prompt', 'completion'] as const;

type SteeringMembers = Readonly<Record<string, unknown>>;

/**
 * Reads `models` and `provider` as OpenRouter's clients send them
 * (https://openrouter.ai/docs/features/provider-routing); `null` if the caller sent neither. `null` values and empty
 * lists count as not sent. Throws `GatewayError` (400) that names the member (`provider.zdr`): an unknown one could not
 * be obeyed.
 */
export function readSteering({ models, provider }: Pick<CallSummary, 'models' | 'provider'>): Steering | null {
  const names = readNames(models, 'models');
  const said = readMembers(provider, 'provider', MEMBERS);
  if (names === null && said === null) return null;
  const { order, only, ignore, sort, max_price, allow_fallbacks } = said ?? {};
  return {
    models: names,
    order: lower(readNames(order, 'provider.order')),
    only: lower(readNames(only, 'provider.only')),
    ignore: lower(readNames(ignore, 'provider.ignore')) ?? [],
    sort: readSort(sort),
    maxPrice: readMaxPrice(max_price),
    allowFallbacks: readAllowed(allow_fallbacks),
  };
}

/**
 * The indices of a route's targets and fallbacks that a caller's `models` name, in the caller's order; `null` if it
 * names none. Throws `GatewayError` (400, `models[1]`) for a name that is not in the route.
 */
export function namedPlaces(steering: Steering | null, { places, routeNames }: Candidates): readonly number[] | null {
  if (steering === null || steering.models === null) return null;
  const named = new Set<number>();
  for (const [at, name] of steering.models.entries()) {
    // The route's own name stands for its normal choice.
    if (routeNames.includes(name)) continue;
    const found = placesNamed(name, places);
    if (found.length === 0) throw notInRoute(name, at, places);
    for (const { index } of found) named.add(index);
  }
  return named.size === 0 ? null : [...named];
}

/** True if a caller may name it in `models`. */
export function isInRoute(name: string, { places, routeNames }: Candidates): boolean {
  return routeNames.includes(name) || placesNamed(name, places).length > 0;
}

/** The rank of a target in the caller's order of providers, lowest first. */
export function placeRank(steering: Steering, { members }: Place): number {
  const { order } = steering;
  if (order === null) return 0;
  const names = members[0]?.facts.providerNames ?? [];
  const rank = order.findIndex((name) => names.includes(name));
  return rank < 0 ? order.length : rank;
}

function isTried({ role }: Place): boolean {
  return role === 'target' || role === 'fallback';
}

function placesNamed(name: string, places: readonly Place[]): Place[] {
  return places.filter((place) => isTried(place) && isNamed(place, name));
}

function isNamed({ model, members }: Place, name: string): boolean {
  return model === name || members.some(({ facts }) => facts.names.includes(name));
}

function notInRoute(name: string, at: number, places: readonly Place[]): GatewayError {
  const known = [...new Set(places.filter(isTried).map(({ model }) => `\`${model}\``))].slice(0, 10).join(', ');
  return refused(`models[${at}]`, `\`${name.slice(0, MAX_NAME_LENGTH)}\` is not in this route, which has ${known}.`);
}

function readMembers<Name extends string>(
  value: unknown,
  param: string,
  known: readonly Name[],
): Partial<Record<Name, unknown>> | null {
  if (value === undefined || value === null) return null;
  if (!isMembers(value)) throw refused(param, `\`${param}\` must be an object.`, 'invalid_type');
  for (const name of Object.keys(value)) {
    if ((known as readonly string[]).includes(name)) continue;
    const shown = name.slice(0, MAX_NAME_LENGTH);
    throw refused(`${param}.${shown}`, `\`${param}.${shown}\` is not known here: ${param} has ${known.join(', ')}.`);
  }
  return value as Partial<Record<Name, unknown>>;
}

function readNames(value: unknown, param: string): string[] | null {
  if (value === undefined || value === null) return null;
  if (!Array.isArray(value)) throw refused(param, `\`${param}\` must be a list of names.`, 'invalid_type');
  if (value.length === 0) return null;
  if (value.length > MAX_NAMES) throw refused(param, `\`${param}\` may have ${MAX_NAMES} names at most.`);
  return value.map((name: unknown, at) => {
    if (typeof name !== 'string')
      throw refused(`${param}[${at}]`, `\`${param}[${at}]\` must be a text.`, 'invalid_type');
    return name.slice(0, MAX_NAME_LENGTH);
  });
}

function readSort(value: unknown): Steering['sort'] {
  if (value === undefined || value === null) return null;
  const known = SORTS.find((sort) => sort === value);
  if (known === undefined) throw refused('provider.sort', `\`provider.sort\` must be one of ${SORTS.join(', ')}.`);
  return known;
}

function readMaxPrice(value: unknown): Steering['maxPrice'] {
  const said = readMembers(value, 'provider.max_price', PRICES);
  return said === null ? null : { input: readPrice(said, 'prompt'), output: readPrice(said, 'completion') };
}

/** Reads dollars per million tokens. Some clients send numbers as strings. */
function readPrice(said: SteeringMembers, name: (typeof PRICES)[number]): number | null {
  const value = said[name];
  if (value === undefined || value === null) return null;
  const dollars = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof dollars === 'number' && dollars >= 0 && dollars <= 1e9) return Number(picoPerToken(dollars));
  const param = `provider.max_price.${name}`;
  throw refused(param, `\`${param}\` must be a number of dollars per million tokens, 0 or more.`);
}

function readAllowed(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === 'boolean') return value;
  throw refused('provider.allow_fallbacks', '`provider.allow_fallbacks` must be true or false.', 'invalid_type');
}

function lower(names: readonly string[] | null): readonly string[] | null {
  return names?.map((name) => name.toLowerCase()) ?? null;
}

function isMembers(value: unknown): value is SteeringMembers {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refused(param: string, message: string, code?: string): GatewayError {
  return new GatewayError('invalid_request', message, { param, ...(code === undefined ? {} : { code }) });
}
