import type { FastifyInstance } from 'fastify';
import { isWanted } from '../core/catalog-filter.ts';
import { dollarsPerMillion, type Price, type Rates } from '../core/money.ts';
import type { Caller } from '../core/ports.ts';
import type { CatalogEntry, Directory } from '../core/provider.ts';
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
      .map(catalogEntryJson);
    sendJson(front, request, reply, 200, { object: 'list', data });
  });
}

/** The entry under the names that the caller may know; nothing where that is none. */
function usable(caller: Caller, entry: CatalogEntry, directory: Directory): CatalogEntry[] {
  const [id, ...aliases] = namesFor(caller, entry, directory);
  return id === undefined ? [] : [{ ...entry, id, aliases }];
}

/** An entry as callers read it. Prices are dollars per million tokens, `null` where nobody has said one. */
export function catalogEntryJson({ id, origin, provider, model, aliases }: CatalogEntry): Record<string, unknown> {
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
    routing: { strategy: 'direct', targets: [{ provider: provider.id, model: model.upstreamId }] },
    capabilities: model.capabilities && {
      tools: model.capabilities.tools,
      reasoning: model.capabilities.reasoning,
      structured_output: model.capabilities.structuredOutput,
      attachment: model.capabilities.attachment,
      temperature: model.capabilities.temperature,
    },
    modalities: model.modalities,
    released_at: model.releasedAt,
    pricing: pricingJson(model.price),
  };
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
    date: price?.date ?? null,
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
