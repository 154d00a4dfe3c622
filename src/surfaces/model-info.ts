import { z } from 'zod';
import { type HttpApi, operation } from '../api/operation.ts';
import { count, decimal, flag, named, text, type Written } from '../api/schema.ts';
import type { Rates, TokenComponent } from '../core/money.ts';
import { dollarsPerMillion } from '../core/money.ts';
import type { CatalogEntry, Directory } from '../core/provider.ts';
import { fromVendor } from './model-facts.ts';
import { namesFor } from './models.ts';

const cost = decimal.nullable().describe('US dollars per token; `null` if unknown.');

const modelInfo = named(
  'ModelInfo',
  z
    .object({
      model_name: text.describe('The value to send as `model`.'),
      litellm_params: z.object({ model: text }),
      model_info: z.object({
        id: text,
        db_model: z.literal(false),
        key: text,
        mode: z.enum(['chat', 'embedding']),
        litellm_provider: text.describe('Its provider.'),
        max_tokens: count.nullable(),
        max_input_tokens: count.nullable(),
        max_output_tokens: count.nullable(),
        input_cost_per_token: cost,
        output_cost_per_token: cost,
        cache_read_input_token_cost: cost,
        cache_creation_input_token_cost: cost,
        output_vector_size: count.nullable(),
        supports_vision: flag.nullable(),
        supports_pdf_input: flag.nullable(),
        supports_audio_input: flag.nullable(),
        supports_audio_output: flag.nullable(),
        supports_function_calling: flag.nullable(),
        supports_tool_choice: flag.nullable(),
        supports_reasoning: flag.nullable(),
        supports_response_schema: flag.nullable(),
        supports_prompt_caching: flag.nullable(),
        from_vendor: fromVendor,
      }),
    })
    .describe('A model in the format of LiteLLM’s clients.'),
);

const description = {
  tag: 'Catalog',
  summary: 'List the models that the key may use, in LiteLLM’s format.',
  access: 'key',
  query: z.object({
    litellm_model_id: text.optional().describe('Lists only the model with this `model_info.id`.'),
  }),
  answer: { description: 'The models.', schema: named('ModelInfoList', z.object({ data: z.array(modelInfo) })) },
} as const;

export const LIST_MODEL_INFO = operation('listModelInfo', 'GET /v1/model/info', {
  ...description,
  client: 'catalog.info',
});
/** The same operation without a version in the path, which LiteLLM's clients try first. */
export const LIST_MODEL_INFO_AT_ROOT = operation('listModelInfoAtRoot', 'GET /model/info', {
  ...description,
  client: 'catalog.infoAtRoot',
});

/** The models in the format of LiteLLM's `GET /model/info`: https://docs.litellm.ai/docs/proxy/model_management */
export function serveModelInfo(served: HttpApi, directory: () => Directory): void {
  for (const { serve } of [LIST_MODEL_INFO, LIST_MODEL_INFO_AT_ROOT]) {
    serve(served, ({ caller, query: { litellm_model_id: only } }) => {
      const present = directory();
      const data = present.entries.flatMap((entry) =>
        namesFor(caller, entry, present)
          .filter((name) => only === undefined || name === only)
          .map((name) => modelInfoJson(name, entry)),
      );
      return { data };
    });
  }
}

function modelInfoJson(name: string, { model, provider }: CatalogEntry): Written<typeof modelInfo> {
  const { capabilities, modalities, price, contextWindow, maxOutputTokens } = model;
  const rate = (component: TokenComponent) => costOf(price?.rates, component);
  const takes = (kind: string) => modalities?.input.includes(kind) ?? null;
  const embeds = model.dialects.length > 0 && model.dialects.every((dialect) => dialect === 'openai-embeddings');
  return {
    model_name: name,
    litellm_params: { model: name },
    model_info: {
      id: name,
      db_model: false,
      key: name,
      mode: embeds ? 'embedding' : 'chat',
      litellm_provider: provider.id,
      max_tokens: maxOutputTokens ?? contextWindow,
      max_input_tokens: contextWindow,
      max_output_tokens: maxOutputTokens,
      input_cost_per_token: rate('input'),
      output_cost_per_token: rate('output'),
      cache_read_input_token_cost: rate('cache_read'),
      cache_creation_input_token_cost: rate('cache_write'),
      output_vector_size: model.dimensions,
      supports_vision: takes('image'),
      supports_pdf_input: takes('pdf'),
      supports_audio_input: takes('audio'),
      supports_audio_output: modalities?.output.includes('audio') ?? null,
      supports_function_calling: capabilities?.tools ?? null,
      supports_tool_choice: capabilities?.tools ?? null,
      supports_reasoning: capabilities?.reasoning ?? null,
      supports_response_schema: capabilities?.structuredOutput ?? null,
      supports_prompt_caching: price && price.rates.cache_read !== undefined,
      from_vendor: [...(model.fromVendor ?? [])],
    },
  };
}

function costOf(rates: Rates | undefined, component: TokenComponent): number | null {
  const rate = rates?.[component];
  return rate === undefined ? null : dollarsPerMillion(rate) / 1_000_000;
}
