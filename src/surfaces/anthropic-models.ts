import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { GatewayError } from '../core/errors.ts';
import type { CatalogEntry, Model } from '../core/provider.ts';
import { anthropicCapabilities, anthropicCapabilitiesJson } from './anthropic-capabilities.ts';
import { SURFACES, styleOf } from './model-call.ts';
import { fromVendor } from './model-facts.ts';
import { EITHER_ERROR } from './openapi/model-schemas.ts';
import type { OtherForm } from './operation.ts';
import { manyOf } from './organization/shared.ts';
import { count, named, oneOf, text, type Written, wholeNumber } from './schema.ts';

const LIFECYCLES = ['active', 'deprecated', 'retired'] as const;
type Lifecycle = (typeof LIFECYCLES)[number];

export const anthropicModel = named(
  'AnthropicModel',
  z
    .object({
      type: z.literal('model'),
      id: text,
      display_name: text,
      created_at: text.describe('When it was released, in RFC 3339; 1970-01-01 where that is not known.'),
      lifecycle: z
        .enum(LIFECYCLES)
        .describe('`deprecated`: the day of its end is known. `retired`: it has ended, or is listed no more.'),
      deprecated_at: z.null().describe('It is not known.'),
      retires_at: text.nullable().describe('The day of its end, in RFC 3339.'),
      max_input_tokens: count.nullable(),
      max_tokens: count.nullable().describe('The most that an answer may have.'),
      line: z.null().describe('It is not known.'),
      capabilities: anthropicCapabilities,
      from_vendor: fromVendor.exactOptional(),
    })
    .describe('A model as Anthropic’s clients read it, where the header `anthropic-version` comes with the request.'),
);

/** https://platform.claude.com/docs/en/api/models/list */
export const anthropicModelList = named(
  'AnthropicModelList',
  z.object({
    data: z.array(anthropicModel),
    has_more: z.boolean().describe('Whether there are more in the direction that was asked for.'),
    first_id: text.nullable(),
    last_id: text.nullable(),
  }),
);

type AnthropicModel = Written<typeof anthropicModel>;

const FOR_ANTHROPIC = 'With `anthropic-version`:';

export const ANTHROPIC_PAGE = z.object({
  limit: wholeNumber(1, 1000).default(20).describe(`${FOR_ANTHROPIC} how many models to answer with.`),
  after_id: text.exactOptional().describe(`${FOR_ANTHROPIC} only those behind the model of this id.`),
  before_id: text
    .exactOptional()
    .describe(`${FOR_ANTHROPIC} only those before the model of this id, and of these the last.`),
  lifecycle: manyOf(oneOf(LIFECYCLES))
    .default(['active', 'deprecated'])
    .describe(`${FOR_ANTHROPIC} only those of these stages.`),
});

/** Anthropic's clients send a header in which OpenAI's have no interest, and no other mark that is theirs alone. */
export const ANTHROPIC_FORM = {
  style: { ...styleOf(SURFACES.messages), onlyWith: 'anthropic-version' },
  description: 'Sent by Anthropic’s clients: the answer, and errors, have the form that these read.',
  error: EITHER_ERROR,
} satisfies OtherForm;

export function asksForAnthropicForm({ context }: FastifyRequest): boolean {
  return context.style === ANTHROPIC_FORM.style;
}

/**
 * `retired`: its vendor has shut it down, or lists it no more. Whoever names it may still call it: such days are moved, and
 * lists are not always whole.
 */
export function lifecycleOf({ shutDownAt, unlistedSince }: Model, today: string): Lifecycle {
  if (unlistedSince !== undefined || (shutDownAt !== undefined && shutDownAt <= today)) return 'retired';
  return shutDownAt === undefined ? 'active' : 'deprecated';
}

/** @param shown what is told of it in any form */
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

/** The page that was asked for of all models, whose order lasts. An id of none of them is refused. */
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
  throw new GatewayError('invalid_request', `\`${param}\` must be the id of a model of this list.`, { param });
}
