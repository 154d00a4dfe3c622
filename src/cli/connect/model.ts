import type { OfferedModel } from '../../core/operator.ts';
import type { DialectId } from '../../core/provider.ts';

/** The alias that sets the default model. */
const DEFAULT = 'default';
/** The built-in provider. It repeats its input and is useless for work. */
const ECHO = 'echo';
const CONVERSATIONS: readonly string[] = [
  'openai-chat',
  'openai-responses',
  'anthropic-messages',
] satisfies DialectId[];
const SMALL = /haiku|mini|flash|small|nano/;

/**
 * The model a tool uses by default: the alias `default`, else a route of the operator, else the newest model the tool
 * is made for, else the newest of any, else `echo`. `null` if there is none. `allowed`: the only names the key may use
 * (`null`: any).
 */
export function chooseModel(
  models: readonly OfferedModel[],
  prefers: readonly RegExp[],
  allowed: readonly string[] | null,
): string | null {
  const isNamed = models.some(({ aliases, provider }) => aliases.includes(DEFAULT) && provider !== ECHO);
  if (isNamed && isAllowed(DEFAULT, allowed)) return DEFAULT;
  const candidates = newestFirst(models.filter((model) => converses(model) && isAllowed(model.id, allowed)));
  const route = candidates.find(({ origin }) => origin === 'smart_route');
  if (route !== undefined) return route.id;
  const vendors = candidates.filter(({ origin, provider }) => origin === 'vendor' && provider !== ECHO);
  for (const pattern of prefers) {
    const found = vendors.find((model) => pattern.test(ownId(model)));
    if (found !== undefined) return found.id;
  }
  return vendors[0]?.id ?? allowed?.[0] ?? candidates[0]?.id ?? null;
}

/** The newest small model of the same maker, for minor tasks; else the same model. */
export function chooseSmallModel(
  models: readonly OfferedModel[],
  model: string,
  allowed: readonly string[] | null,
): string {
  const large = models.find(({ id, aliases }) => id === model || aliases.includes(model));
  if (large === undefined || SMALL.test(large.id)) return model;
  const small = newestFirst(models).find(
    (each) =>
      converses(each) &&
      isAllowed(each.id, allowed) &&
      each.provider === large.provider &&
      familyOf(each) === familyOf(large) &&
      SMALL.test(ownId(each)),
  );
  return small?.id ?? model;
}

/** Whether a coding tool can use it: it must support tools. */
function converses({ origin, dialects, dimensions, capabilities }: OfferedModel): boolean {
  return (
    origin !== 'system_route' &&
    dialects.some((dialect) => CONVERSATIONS.includes(dialect)) &&
    dimensions === null &&
    capabilities?.tools !== false
  );
}

function isAllowed(name: string, allowed: readonly string[] | null): boolean {
  return allowed === null || allowed.includes(name);
}

/** Of the same day, the shorter name first: suffixes usually mean a larger or special variant. */
function newestFirst(models: readonly OfferedModel[]): OfferedModel[] {
  return models.toSorted(
    (one, other) => (other.released_at ?? '').localeCompare(one.released_at ?? '') || one.id.length - other.id.length,
  );
}

/** `claude` of `claude-sonnet-5`. */
function familyOf(model: OfferedModel): string {
  return ownId(model).split('-')[0]!;
}

/** Its name without the prefix of its provider. */
function ownId({ id, provider }: OfferedModel): string {
  return id.startsWith(`${provider}/`) ? id.slice(provider.length + 1) : id;
}
