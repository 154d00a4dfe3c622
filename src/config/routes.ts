import { createHash } from 'node:crypto';
import { PRODUCT_PRICE, picoPerToken } from '../core/money.ts';
import { withStoredTextPrintable } from '../core/printable-text.ts';
import {
  type Route,
  type RouteLimits,
  type RouteTarget,
  type SmartSettings,
  type Strategy,
  SYSTEM_ROUTE,
} from '../core/route.ts';
import { conditionOf } from './condition-schema.ts';
import { modelName } from './names.ts';
import { parametersIn } from './parameter-schema.ts';
import type { Path, Report } from './problems.ts';
import { productPrice } from './product-price.ts';
import {
  type LimitsEntry,
  type RouteDefinition,
  route,
  type StrategyEntry,
  systemRoute,
  type TargetEntry,
} from './route-schema.ts';
import { explain, sentence } from './sentences.ts';
import { suggestion } from './suggestion.ts';

/** The context for checking a route's definition. */
export type RouteContext = {
  /** Names that a target must not have: other routes, and aliases. */
  routes: readonly string[];
  aliases: ReadonlyMap<string, string>;
  /** The model of each bare name, if known: see `bareModels`. */
  models: ReadonlyMap<string, string>;
  /** The limit of targets plus fallbacks. */
  maxTargets: number;
  /** The stored definition of the route. Names that it already has are not checked again. */
  kept?: unknown;
};

/** A route, and its definition as canonical JSON, whose hash is `route.version`. */
export type ReadRoute = { route: Route; definition: string };

/** The settings of a route that list models. */
const LISTS = ['targets', 'fallbacks', 'context_window_fallbacks', 'content_policy_fallbacks'] as const;

const DIALS = ['quality', 'strong_share', 'max_cost_per_call'] as const;
const DEFAULT_QUALITY = 0.7;
const DEFAULT_EXPLORE = 0.05;

const VERSION_LENGTH = 16;

/**
 * Reads the definition of a route, whether from a file, the store or a draft. `id` may be `system`.
 * Problems are reported with paths within the definition; `null` if there are any.
 */
export function readRoute(id: string, definition: unknown, context: RouteContext, problem: Report): ReadRoute | null {
  let isGood = true;
  const report: Report = (path, message) => {
    isGood = false;
    problem(path, message);
  };
  const named = modelName.safeParse(id);
  for (const { message } of named.success ? [] : named.error.issues) report([], message);
  if (context.aliases.has(id)) report([], 'has the name of an alias');
  const shown = withStoredTextPrintable(definition, context.kept ?? null);
  const result = (id === SYSTEM_ROUTE ? systemRoute : route).safeParse(shown, { error: sentence });
  if (!result.success) {
    const around = id === SYSTEM_ROUTE ? [id] : ['routes', id];
    for (const { path, message } of explain(result.error.issues, around)) problem(path.slice(around.length), message);
    return null;
  }
  const read = buildRoute(id, { entry: result.data, definition }, context, report);
  return isGood ? read : null;
}

/**
 * Builds a route from a definition as written and as parsed by its schema (`entry`). The route may be used only if no problem
 * was reported.
 */
export function buildRoute(
  id: string,
  { entry, definition }: { entry: RouteDefinition; definition: unknown },
  context: RouteContext,
  problem: Report,
): ReadRoute {
  const json = canonicalJson(definition);
  const parameters = parametersIn(entry);
  const read: Route = {
    id,
    origin: id === SYSTEM_ROUTE ? 'system_route' : 'smart_route',
    version: createHash('sha256').update(json).digest('hex').slice(0, VERSION_LENGTH),
    name: entry.name ?? (id === SYSTEM_ROUTE ? 'System' : id),
    brand: entry.brand ?? null,
    description: entry.description ?? null,
    targets: targetsOf(entry.targets),
    strategy: (entry.strategy ?? ['priority']).map((each, index) => strategyOf(each, ['strategy', index], problem)),
    fallbacks: targetsOf(entry.fallbacks),
    contextFallbacks: targetsOf(entry.context_window_fallbacks),
    policyFallbacks: targetsOf(entry.content_policy_fallbacks),
    limits: limitsOf(entry.limits ?? {}),
    price: entry.price === undefined ? null : productPrice(entry.price, `${PRODUCT_PRICE}${id}`, problem),
    regions: entry.regions ?? null,
    unpriced: entry.unpriced ?? 'skip',
    affinity: entry.affinity ?? true,
    disclose: entry.disclose ?? true,
    smart: smartOf(entry, problem),
    ...(parameters !== undefined && { parameters }),
  };
  checkTargets(entry, context, problem);
  checkStrategies(read, problem);
  return { route: read, definition: json };
}

function targetsOf(entries: readonly TargetEntry[] = []): RouteTarget[] {
  return entries.map((entry) => {
    const { model, credential = null, weight = 1 } = typeof entry === 'string' ? { model: entry } : entry;
    return { model, credential, weight };
  });
}

function strategyOf(entry: StrategyEntry, path: Path, problem: Report): Strategy {
  if (typeof entry === 'string') {
    if (entry === 'weighted') return { kind: entry, sticky: false };
    return entry === 'cheapest' ? { kind: entry, within: 0 } : { kind: entry };
  }
  const { weighted, cheapest, rules = [] } = entry;
  if (weighted !== undefined) return { kind: 'weighted', sticky: weighted.sticky ?? false };
  if (cheapest !== undefined) return { kind: 'cheapest', within: cheapest.within ?? 0 };
  return {
    kind: 'rules',
    rules: rules.map(({ when, use, only = false }, index) => ({
      when: conditionOf(when, [...path, 'rules', index, 'when'], problem),
      use,
      only,
    })),
  };
}

function limitsOf(entry: LimitsEntry): RouteLimits {
  const { input_per_1m: input, output_per_1m: output } = entry.max_price ?? {};
  return {
    attempts: entry.attempts ?? null,
    total: entry.total ?? null,
    firstByte: entry.first_byte ?? null,
    maxPromptTokens: entry.max_prompt_tokens ?? null,
    maxOutputTokens: entry.max_output_tokens ?? null,
    maxInputRate: input === undefined ? null : picoPerToken(input),
    maxOutputRate: output === undefined ? null : picoPerToken(output),
  };
}

function smartOf(entry: RouteDefinition, problem: Report): SmartSettings | null {
  const isSmart = entry.strategy?.includes('smart') === true;
  const dials = DIALS.filter((dial) => entry[dial] !== undefined);
  for (const setting of isSmart ? [] : [...dials, 'explore' as const]) {
    if (entry[setting] !== undefined) problem([setting], 'needs the strategy smart, which this route does not use');
  }
  for (const dial of dials.slice(1)) problem([dial], `cannot be combined with ${dials[0]}`);
  if (!isSmart) return null;
  return { dial: dialOf(entry), explore: entry.explore ?? DEFAULT_EXPLORE };
}

function dialOf({ quality, strong_share: share, max_cost_per_call: perCall }: RouteDefinition): SmartSettings['dial'] {
  if (share !== undefined) return { kind: 'strong_share', share };
  if (perCall !== undefined) return { kind: 'max_cost', perCall };
  return { kind: 'quality', quality: quality ?? DEFAULT_QUALITY };
}

function checkTargets(
  entry: RouteDefinition,
  { routes, aliases, models, maxTargets }: RouteContext,
  problem: Report,
): void {
  const isRoute = (name: string) => name === SYSTEM_ROUTE || routes.includes(name);
  let count = 0;
  for (const list of LISTS) {
    const seen = new Map<string, string>();
    for (const [index, { model, credential }] of targetsOf(entry[list]).entries()) {
      const path = [list, index];
      const withIt = credential === null ? '' : ` with the credential ${credential}`;
      const full = `${models.get(model) ?? model}${withIt}`;
      const before = seen.get(full);
      if (before !== undefined) {
        const as = before === model ? '' : `, before as ${before}`;
        problem(path, `lists ${model}${withIt} a second time${as}`);
      }
      seen.set(full, model);
      count += 1;
      if (isRoute(model)) problem(path, `names the route ${model}; it must name a model`);
      const meant = aliases.get(model);
      if (meant === undefined) continue;
      const how = isRoute(meant) ? `an alias of the route ${meant}` : `the alias ${model}`;
      const such = isRoute(meant) ? '' : `, such as ${meant}`;
      problem(path, `names ${how}; it must name a model${such}`);
    }
  }
  if (count > maxTargets)
    problem(['targets'], `has ${count} items with all fallbacks; at most ${maxTargets} are allowed`);
  if (targetsOf(entry.targets).every(({ weight }) => weight === 0)) {
    problem(['targets'], 'must have one with a weight above 0');
  }
}

function checkStrategies({ strategy, targets }: Route, problem: Report): void {
  const names = targets.map(({ model }) => model);
  const kinds = new Set<string>();
  for (const [index, each] of strategy.entries()) {
    const path = ['strategy', index];
    if (each.kind !== 'rules') {
      if (kinds.has(each.kind)) problem(path, `names ${each.kind} a second time`);
      kinds.add(each.kind);
      continue;
    }
    for (const [at, { use }] of each.rules.entries()) {
      for (const [place, name] of use.entries()) {
        if (names.includes(name)) continue;
        problem([...path, 'rules', at, 'use', place], `is not a target of this route${suggestion(name, names)}`);
      }
    }
  }
}

/** JSON with sorted members, so that equal values give equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  // No prototype: a member may be called `__proto__`.
  const ordered: Record<string, unknown> = Object.create(null);
  for (const [name, each] of entries) ordered[name] = sorted(each);
  return ordered;
}
