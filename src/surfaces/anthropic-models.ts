import { z } from 'zod';
import { manyOf } from '../api/fields.ts';
import type { OtherForm } from '../api/operation.ts';
import { count, named, oneOf, text, type Written, wholeNumber } from '../api/schema.ts';
import { GatewayError } from '../core/errors.ts';
import type { CatalogEntry, Model } from '../core/provider.ts';
import type { ApiRequest } from '../http/api-request.ts';
import { anthropicCapabilities, anthropicCapabilitiesJson } from './anthropic-capabilities.ts';
import { SURFACES, styleOf } from './model-call.ts';
import { fromVendor } from './model-facts.ts';
import { EITHER_ERROR } from './openapi/model-schemas.ts';

const LIFECYCLES = ['active', 'deprecated', 'retired'] as const;
type Lifecycle = (typeof LIFECYCLES)[number];

export const anthropicModel = named(
  'AnthropicModel',
  z
    .object({
      type: z.literal('model'),
      id: text,
      display_name: text,
      created_at: text.describe('Release date in RFC 3339; 1970-01-01 if unknown.'),
      lifecycle: z
        .enum(LIFECYCLES)
        .describe('`deprecated`: its shutdown date is known. `retired`: it was shut down or is no longer listed.'),
      deprecated_at: z.null().describe('Unknown.'),
      retires_at: text.nullable().describe('Shutdown date in RFC 3339.'),
      max_input_tokens: count.nullable(),
      max_tokens: count.nullable().describe('Most output tokens.'),
      line: z.null().describe('Unknown.'),
      capabilities: anthropicCapabilities,
      from_vendor: fromVendor.exactOptional(),
    })
    .describe('A model in Anthropic’s format, for requests with the header `anthropic-version`.'),
);

/** https://platform.claude.com/docs/en/api/models/list */
export const anthropicModelList = named(
  'AnthropicModelList',
  z.object({
    data: z.array(anthropicModel),
    has_more: z.boolean().describe('Whether there are more in this direction.'),
    first_id: text.nullable(),
    last_id: text.nullable(),
  }),
);

type AnthropicModel = Written<typeof anthropicModel>;

const FOR_ANTHROPIC = 'With `anthropic-version`:';

export const ANTHROPIC_PAGE = z.object({
  limit: wholeNumber(1, 1000).default(20).describe(`${FOR_ANTHROPIC} number of models.`),
  after_id: text.exactOptional().describe(`${FOR_ANTHROPIC} models after this id.`),
  before_id: text.exactOptional().describe(`${FOR_ANTHROPIC} the last models before this id.`),
  lifecycle: manyOf(oneOf(LIFECYCLES))
    .default(['active', 'deprecated'])
    .describe(`${FOR_ANTHROPIC} only models in these stages.`),
});

/** This header is the only mark that just Anthropic's clients send. */
export const ANTHROPIC_FORM = {
  style: { ...styleOf(SURFACES.messages), onlyWith: 'anthropic-version' },
  description: 'Sent by Anthropic’s clients; selects their format for the answer and errors.',
  error: EITHER_ERROR,
} satisfies OtherForm;

export function asksForAnthropicForm({ context }: Pick<ApiRequest, 'context'>): boolean {
  return context.style === ANTHROPIC_FORM.style;
}

/**
 * `retired`: shut down by its vendor, or no longer listed. It can still be called: dates move, and lists may be
 * incomplete.
 */
export function lifecycleOf({ shutDownAt, unlistedSince }: Model, today: string): Lifecycle {
  if (unlistedSince !== undefined || (shutDownAt !== undefined && shutDownAt <= today)) return 'retired';
  return shutDownAt === undefined ? 'active' : 'deprecated';
}

/** @param shown - the facts that every format has */
export function anthropicModelJson(
  { id, display_name, created_at }: Pick<AnthropicModel, 'id' | 'display_name' | 'created_at'>,
  { model, provider }: Pick<CatalogEntry, 'model' | 'provider'>,
  today: string,
): AnthropicModel {
  return {
    type: 'model',
    id,
    display_name,
    created_at,
    lifecycle: lifecycleOf(model, today),
    deprecated_at: null,
    retires_at: model.shutDownAt === undefined ? null : `${model.shutDownAt}T00:00:00Z`,
    max_input_tokens: model.contextWindow,
    max_tokens: model.maxOutputTokens,
    line: null,
    capabilities: anthropicCapabilitiesJson({ model, provider }),
    ...(model.fromVendor !== undefined && { from_vendor: [...model.fromVendor] }),
  };
}

/** The requested page of all models, in a stable order. An unknown id is refused. */
export function anthropicPage(
  all: readonly AnthropicModel[],
  { limit, after_id, before_id, lifecycle }: z.output<typeof ANTHROPIC_PAGE>,
): Written<typeof anthropicModelList> {
  const start = after_id === undefined ? 0 : placeOf(all, 'after_id', after_id) + 1;
  const end = before_id === undefined ? all.length : placeOf(all, 'before_id', before_id);
  const wanted = all.slice(start, end).filter((model) => lifecycle.includes(model.lifecycle));
  const data = before_id === undefined ? wanted.slice(0, limit) : wanted.slice(-limit);
  return {
    data,
    has_more: wanted.length > data.length,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
  };
}

function placeOf(all: readonly AnthropicModel[], param: string, id: string): number {
  const place = all.findIndex((model) => model.id === id);
  if (place >= 0) return place;
  throw new GatewayError('invalid_request', `\`${param}\` must be the id of a listed model.`, { param });
}
