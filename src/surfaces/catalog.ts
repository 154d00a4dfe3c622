import { z } from 'zod';
import { type HttpApi, operation } from '../api/operation.ts';
import { type PricingJson, pricing, pricingJson } from '../api/pricing.ts';
import { count, listOf, named, text, type Written } from '../api/schema.ts';
import { isWanted } from '../core/catalog-filter.ts';
import { dollarsPerMillion } from '../core/money.ts';
import type { Caller } from '../core/ports.ts';
import { type CatalogEntry, DIALECT_IDS, type Directory, ORIGINS } from '../core/provider.ts';
import type { ApiKey } from '../core/records.ts';
import type { Route, RouteTarget } from '../core/route.ts';
import { abilities, fromVendor } from './model-facts.ts';
import { knownModel, namesFor } from './models.ts';

/** `id` is the route's name for its target. */
const routeTarget = z.object({
  provider: text.nullable(),
  model: text.nullable(),
  id: text.exactOptional(),
  weight: count.exactOptional(),
});

export const catalogEntry = named(
  'CatalogEntry',
  z.object({
    id: text.describe('The value to send as `model`.'),
    object: z.literal('model'),
    name: text,
    provider: text.describe('Who serves it; the value for the filter `provider`.'),
    provider_label: text,
    region: text
      .nullable()
      .describe('Where its provider serves, as the configuration says; of a route `null`: it may have several.'),
    brand: text.nullable().describe('Its maker.'),
    origin: z.enum(ORIGINS),
    aliases: z.array(text),
    context_window: count.nullable(),
    max_output_tokens: count.nullable(),
    dimensions: count.nullable().describe('Dimensions of an embedding model’s vectors.'),
    dialects: z.array(z.enum(DIALECT_IDS)),
    routing: z.object({
      strategy: text,
      targets: z.array(routeTarget),
      fallbacks: z.array(routeTarget).exactOptional(),
    }),
    capabilities: abilities,
    modalities: z.object({ input: z.array(text), output: z.array(text) }).nullable(),
    released_at: text.nullable(),
    inferred_from: text
      .nullable()
      .describe('The model whose facts and price these are, if this is a dated name of it.'),
    listed_by: z
      .enum(['vendor'])
      .nullable()
      .describe('`vendor`: known only from its vendor’s list, not from the configuration or catalog.'),
    from_vendor: fromVendor,
    unlisted_since: text.nullable().describe('The day on which its vendor stopped listing it.'),
    shut_down_at: text.nullable().describe('The day of its shutdown by its vendor, past or future.'),
    pricing,
    description: text.nullable().exactOptional(),
  }),
);

type CatalogEntryJson = Written<typeof catalogEntry>;

/** The query that selects entries of the catalog. */
export const CATALOG_FILTER = z.object({
  provider: text.optional().describe('Only this provider’s, by id or label.'),
  search: text
    .optional()
    .describe('Only models with this in the id, a name, an alias or the provider’s label; case is ignored.'),
});

export const LIST_CATALOG = operation('listCatalog', 'GET /v1/models/catalog', {
  client: 'catalog.list',
  tag: 'Catalog',
  summary: 'List the models with their providers, targets and prices.',
  access: { people: 'api.projects.read', somewhere: true },
  query: CATALOG_FILTER,
  answer: { description: 'The catalog.', schema: named('Catalog', listOf(catalogEntry)) },
});

export const RETRIEVE_CATALOG_ENTRY = operation('retrieveCatalogEntry', 'GET /v1/models/catalog/{id}', {
  client: 'catalog.retrieve',
  tag: 'Catalog',
  summary: 'Get one model with its providers, targets and prices.',
  access: { people: 'api.projects.read', somewhere: true },
  idDescription: 'The value for `model`, or an alias. Slashes may be encoded or not.',
  answer: { description: 'The entry.', schema: catalogEntry },
  errors: ['model_not_found'],
});

export const LIST_ROUTES = operation('listRoutes', 'GET /v1/routes', {
  client: 'routes.list',
  tag: 'Catalog',
  summary: 'List the routes that the key may use, in the catalog’s format.',
  access: { people: 'api.projects.read', somewhere: true },
  answer: { description: 'The routes.', schema: named('RouteList', listOf(catalogEntry)) },
});

/** Models and routes with providers, targets and prices. */
export function serveCatalog(served: HttpApi, directory: () => Directory): void {
  LIST_CATALOG.serve(served, ({ query: { provider, search }, caller }) => {
    const present = directory();
    const data = present.entries
      .flatMap((entry) => usable(caller, entry, present))
      .filter((entry) => isWanted(entry, { provider, search }))
      .map((entry) => catalogEntryJson(entry, present.find, caller.key));
    return { object: 'list', data };
  });

  RETRIEVE_CATALOG_ENTRY.serve(served, ({ id: name, caller }) => {
    const present = directory();
    const entry = knownModel(caller, name, present);
    const [shown = { ...entry, id: name, aliases: [] }] = usable(caller, entry, present);
    return catalogEntryJson(shown, present.find, caller.key);
  });

  LIST_ROUTES.serve(served, ({ caller }) => {
    const present = directory();
    const data = present.entries
      .filter(({ origin }) => origin !== 'vendor')
      .flatMap((entry) => usable(caller, entry, present))
      .map((entry) => catalogEntryJson(entry, present.find, caller.key));
    return { object: 'list', data };
  });
}

/** The entry under the names that the caller may know; `undefined` if there is none. */
function usable(caller: Caller, entry: CatalogEntry, directory: Directory): CatalogEntry[] {
  const [id, ...aliases] = namesFor(caller, entry, directory);
  return id === undefined ? [] : [{ ...entry, id, aliases }];
}

/**
 * An entry as callers read it. Prices are dollars per million tokens, `null` if unknown or if a route costs what its
 * target costs; `pricing.range` then has the lowest and highest. Targets of a route that does not disclose them are
 * shown to administrators only.
 */
export function catalogEntryJson(
  entry: CatalogEntry,
  find: Directory['find'],
  { admin }: Pick<ApiKey, 'admin'>,
): CatalogEntryJson {
  const { id, origin, provider, model, aliases } = entry;
  const isTold = entry.origin === 'vendor' || entry.route.disclose || admin;
  return {
    id,
    object: 'model',
    name: model.name,
    provider: provider.id,
    provider_label: provider.label,
    region: entry.origin === 'vendor' ? entry.provider.region : null,
    brand: model.brand,
    origin,
    aliases,
    context_window: model.contextWindow,
    max_output_tokens: model.maxOutputTokens,
    dimensions: model.dimensions,
    dialects: model.dialects,
    routing: routingJson(entry, find, isTold),
    capabilities: model.capabilities && {
      tools: model.capabilities.tools,
      reasoning: model.capabilities.reasoning,
      structured_output: model.capabilities.structuredOutput,
      attachment: model.capabilities.attachment,
      temperature: model.capabilities.temperature,
    },
    modalities: model.modalities,
    released_at: model.releasedAt,
    inferred_from: model.inferredFrom ?? null,
    listed_by: model.known === 'listed' ? 'vendor' : null,
    from_vendor: [...(model.fromVendor ?? [])],
    unlisted_since: model.unlistedSince ?? null,
    shut_down_at: model.shutDownAt ?? null,
    pricing: {
      ...pricingJson(model.price),
      ...(entry.origin !== 'vendor' && { range: isTold ? rangeJson(entry.route, find) : null }),
    },
    ...(entry.origin !== 'vendor' && { description: entry.route.description }),
  };
}

function routingJson(entry: CatalogEntry, find: Directory['find'], isTold: boolean): CatalogEntryJson['routing'] {
  if (entry.origin === 'vendor') {
    return { strategy: 'direct', targets: [{ provider: entry.provider.id, model: entry.model.upstreamId }] };
  }
  const { strategy, targets, fallbacks } = entry.route;
  const told = (list: readonly RouteTarget[]) => (isTold ? list.map((target) => targetJson(target, find)) : []);
  return {
    strategy: strategy.map(({ kind }) => kind).join(', '),
    targets: told(targets),
    fallbacks: told(fallbacks),
  };
}

function targetJson({ model, weight }: RouteTarget, find: Directory['find']): Written<typeof routeTarget> {
  const entry = find(model);
  if (entry?.origin !== 'vendor') return { id: model, provider: null, model: null, weight };
  return { id: model, provider: entry.provider.id, model: entry.model.upstreamId, weight };
}

/**
 * The lowest and highest base rates of a route's targets; `null` if the route has its own price, or a target has none.
 */
function rangeJson(route: Route, find: Directory['find']): PricingJson['range'] & (object | null) {
  if (route.price !== null) return null;
  const prices = [...route.targets, ...route.fallbacks].map(({ model }) => find(model)?.model.price ?? null);
  const range = (component: 'input' | 'output') => {
    const rates = prices.flatMap((price) => price?.rates[component] ?? []);
    if (rates.length === 0 || rates.length < prices.length) return null;
    const dollars = rates.map(dollarsPerMillion);
    return { min: Math.min(...dollars), max: Math.max(...dollars) };
  };
  return { input_per_1m: range('input'), output_per_1m: range('output') };
}
