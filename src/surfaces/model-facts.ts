import { z } from 'zod';
import { count, flag, text, type Written } from '../api/schema.ts';
import type { TokenComponent } from '../core/money.ts';
import { type Model, VENDOR_FACTS } from '../core/provider.ts';

/** Pico-dollars have 12 decimal places. */
const PLACES = 12;

/** US dollars per token as text, so that nothing is rounded: `0.00000125`. */
const perToken = text.exactOptional().describe('US dollars per token.');

const tokens = (what: string) => count.nullable().describe(`${what}; \`null\` if unknown.`);

const ability = flag.nullable();
/** A model's abilities; some may be unknown. */
export const abilities = z
  .object({ tools: ability, reasoning: ability, structured_output: ability, attachment: ability, temperature: ability })
  .nullable();

export const fromVendor = z
  .array(z.enum(VENDOR_FACTS))
  .describe('The facts that are only from its vendor’s list, by their names in the catalog.');

/**
 * A model's facts in the words of common clients: OpenRouter (`context_length`, `architecture`, `pricing`,
 * `supported_parameters`), vLLM (`max_model_len`), Groq (`context_window`), LiteLLM and Anthropic (`max_input_tokens`).
 */
export const modelFacts = {
  context_length: tokens('Most tokens of prompt and answer'),
  context_window: tokens('The same'),
  max_model_len: tokens('The same'),
  max_input_tokens: tokens('The same'),
  max_output_tokens: tokens('Most tokens of an answer'),
  architecture: z
    .object({ input_modalities: z.array(text), output_modalities: z.array(text) })
    .nullable()
    .describe('Input and output modalities; `null` if unknown.'),
  supported_parameters: z.array(text).nullable().describe('Its abilities, by OpenRouter’s names of parameters.'),
  capabilities: abilities,
  pricing: z
    .object({ prompt: perToken, completion: perToken, input_cache_read: perToken, input_cache_write: perToken })
    .nullable()
    .describe('Base rates; `null` if no price is known. The catalog has all rates.'),
  from_vendor: fromVendor,
};

const factsSchema = z.object(modelFacts);

/** The facts of a model in lists of models. */
export function modelFactsJson(model: Model): Written<typeof factsSchema> {
  const { contextWindow, maxOutputTokens, modalities, capabilities, price } = model;
  return {
    context_length: contextWindow,
    context_window: contextWindow,
    max_model_len: contextWindow,
    max_input_tokens: contextWindow,
    max_output_tokens: maxOutputTokens,
    architecture: modalities && { input_modalities: modalities.input, output_modalities: modalities.output },
    supported_parameters: capabilities && parametersOf(capabilities),
    capabilities: capabilities && {
      tools: capabilities.tools,
      reasoning: capabilities.reasoning,
      structured_output: capabilities.structuredOutput,
      attachment: capabilities.attachment,
      temperature: capabilities.temperature,
    },
    pricing: price && {
      ...rateJson('prompt', model, 'input'),
      ...rateJson('completion', model, 'output'),
      ...rateJson('input_cache_read', model, 'cache_read'),
      ...rateJson('input_cache_write', model, 'cache_write'),
    },
    from_vendor: [...(model.fromVendor ?? [])],
  };
}

function parametersOf({ tools, reasoning, structuredOutput, temperature }: NonNullable<Model['capabilities']>) {
  return [
    'max_tokens',
    'stop',
    ...(temperature ? ['temperature', 'top_p'] : []),
    ...(tools ? ['tools', 'tool_choice'] : []),
    ...(reasoning ? ['reasoning', 'include_reasoning', 'reasoning_effort'] : []),
    ...(structuredOutput ? ['response_format', 'structured_outputs'] : []),
  ];
}

function rateJson(name: string, model: Model, component: TokenComponent): Record<string, string> {
  const rate = model.price?.rates[component];
  return rate === undefined ? {} : { [name]: decimalOf(rate) };
}

/** Pico-dollars as dollars, without trailing zeros. */
function decimalOf(rate: bigint): string {
  const digits = rate.toString().padStart(PLACES + 1, '0');
  const behind = digits.slice(-PLACES).replace(/0+$/, '');
  return behind === '' ? digits.slice(0, -PLACES) : `${digits.slice(0, -PLACES)}.${behind}`;
}
