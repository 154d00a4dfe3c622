import type { FastifyInstance } from 'fastify';
import { isWanted } from '../core/catalog-filter.ts';
import { dollarsPerMillion, type Price, type Rates } from '../core/money.ts';
import type { Caller } from '../core/ports.ts';
import type { CatalogEntry, Directory } from '../core/provider.ts';
import type { Route, RouteTarget } from '../core/route.ts';
import type { Front } from '../http/exchange.ts';
import { sendJson } from '../http/server.ts';
import { namesFor } from './models.ts';
import { type Query, textOf } from './query.ts';

/** `GET /v1/models/catalog`: what can be called, who serves it, where it goes and what it costs. */
export function serveCatalog(app: FastifyInstance, front: Front, directory: () => Directory): void {
  app.get('/v1/models/catalog', (request, reply) => {
    const query = request.query as Query;
    const filter = { provider: textOf(query, 'provider'), search: textOf(query, 'search') };
    const present = directory();
    const data = present.entries
      .flatMap((entry) => usable(request.exchange.caller!, entry, present))
      .filter((entry) => isWanted(entry, filter))
      .map((entry) => catalogEntryJson(entry, present.find));
    sendJson(front, request, reply, 200, { object: 'list', data });
  });
}

/** The entry under the names that the caller may know; nothing where that is none. */
function usable(caller: Caller, entry: CatalogEntry, directory: Directory): CatalogEntry[] {
  const [id, ...aliases] = namesFor(caller, entry, directory);
  return id === undefined ? [] : [{ ...entry, id, aliases }];
}

/**
 * An entry as callers read it. Prices are dollars per million tokens, `null` where nobody has said one, and where a route
 * costs what its target costs: `pricing.range` then tells from where to where that may be.
 */
export function catalogEntryJson(entry: CatalogEntry, find: Directory['find']): Record<string, unknown> {
  const { id, origin, provider, model, aliases } = entry;
  return {
    id,
    object: 'model',
    name: model.name,
    provider: provider.id,
    provider_label: provider.label,
    brand: model.brand,
    origin,
    aliases,
    context_window: model.contextWindow,
    max_output_tokens: model.maxOutputTokens,
    dimensions: model.dimensions,
    dialects: model.dialects,
    routing: routingJson(entry, find),
    capabilities: model.capabilities && {
      tools: model.capabilities.tools,
      reasoning: model.capabilities.reasoning,
      structured_output: model.capabilities.structuredOutput,
      attachment: model.capabilities.attachment,
      temperature: model.capabilities.temperature,
    },
    modalities: model.modalities,
    released_at: model.releasedAt,
    pricing: { ...pricingJson(model.price), ...(entry.origin !== 'vendor' && { range: rangeJson(entry.route, find) }) },
    ...(entry.origin !== 'vendor' && { description: entry.route.description }),
  };
}

function routingJson(entry: CatalogEntry, find: Directory['find']): Record<string, unknown> {
  if (entry.origin === 'vendor') {
    return { strategy: 'direct', targets: [{ provider: entry.provider.id, model: entry.model.upstreamId }] };
  }
  const { strategy, targets, fallbacks } = entry.route;
  return {
    strategy: strategy.map(({ kind }) => kind).join(', '),
    targets: targets.map((target) => targetJson(target, find)),
    fallbacks: fallbacks.map((target) => targetJson(target, find)),
  };
}

function targetJson({ model, weight }: RouteTarget, find: Directory['find']): Record<string, unknown> {
  const entry = find(model);
  if (entry?.origin !== 'vendor') return { id: model, provider: null, model: null, weight };
  return { id: model, provider: entry.provider.id, model: entry.model.upstreamId, weight };
}

/** The lowest and the highest base rates of a route's targets; `null` where it has a price of its own, or one has none. */
function rangeJson(route: Route, find: Directory['find']): Record<string, unknown> | null {
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

function pricingJson(price: Price | null): Record<string, unknown> {
  return {
    ...ratesJson(price?.rates ?? {}),
    tiers: (price?.tiers ?? []).map((tier) => ({
      above_prompt_tokens: tier.abovePromptTokens,
      ...ratesJson(tier.rates),
    })),
    currency: 'USD',
    source: price?.source ?? null,
    // A price that the operator wrote without one has none.
    date: price?.date || null,
  };
}

function ratesJson(rates: Rates): Record<string, number | null> {
  const dollarsOf = (rate: bigint | undefined) => (rate === undefined ? null : dollarsPerMillion(rate));
  return {
    input_per_1m: dollarsOf(rates.input),
    output_per_1m: dollarsOf(rates.output),
    cache_read_per_1m: dollarsOf(rates.cache_read),
    cache_write_per_1m: dollarsOf(rates.cache_write),
    cache_write_1h_per_1m: dollarsOf(rates.cache_write_1h),
    reasoning_per_1m: dollarsOf(rates.reasoning),
    audio_input_per_1m: dollarsOf(rates.audio_input),
    audio_output_per_1m: dollarsOf(rates.audio_output),
  };
}
