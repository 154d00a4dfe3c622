import { z } from 'zod';
import type { TokenComponent } from '../core/money.ts';
import { type Model, VENDOR_FACTS } from '../core/provider.ts';
import { count, flag, text, type Written } from './schema.ts';

/** Pico-dollars are 12 digits behind the point. */
const PLACES = 12;

/** US dollars for one token, as text, so that nothing of it is rounded: `0.00000125`. */
const perToken = text.exactOptional().describe('US dollars for one token.');

const tokens = (what: string) => count.nullable().describe(`${what}; \`null\` where it is not known.`);

const ability = flag.nullable();
/** What a model can do; of some it is not known. */
export const abilities = z
  .object({ tools: ability, reasoning: ability, structured_output: ability, attachment: ability, temperature: ability })
  .nullable();

export const fromVendor = z
  .array(z.enum(VENDOR_FACTS))
  .describe(
    'What of this is from its vendor’s own list alone, by the catalog’s names: neither configured nor in the catalog.',
  );

/**
 * What a model can do, in the words of those whose clients read it in lists of models: OpenRouter's (`context_length`, `architecture`,
 * `pricing`, `supported_parameters`), vLLM's (`max_model_len`), Groq's (`context_window`), LiteLLM's and Anthropic's
 * (`max_input_tokens`).
 */
export const modelFacts = {
  context_length: tokens('The most tokens of prompt and answer'),
  context_window: tokens('The same'),
  max_model_len: tokens('The same'),
  max_input_tokens: tokens('The same'),
  max_output_tokens: tokens('The most tokens of an answer'),
  architecture: z
    .object({ input_modalities: z.array(text), output_modalities: z.array(text) })
    .nullable()
    .describe('What it takes and makes; `null` where it is not known.'),
  supported_parameters: z.array(text).nullable().describe('What it can do, by OpenRouter’s names of parameters.'),
  capabilities: abilities,
  pricing: z
    .object({ prompt: perToken, completion: perToken, input_cache_read: perToken, input_cache_write: perToken })
    .nullable()
    .describe('Its base rates; `null` where no price is known. The catalog tells all of them.'),
  from_vendor: fromVendor,
};

const factsSchema = z.object(modelFacts);

/** The facts of a model, as lists of models show them. */
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

/** Pico-dollars as dollars, with no more digits than there are. */
function decimalOf(rate: bigint): string {
  const digits = rate.toString().padStart(PLACES + 1, '0');
  const behind = digits.slice(-PLACES).replace(/0+$/, '');
  return behind === '' ? digits.slice(0, -PLACES) : `${digits.slice(0, -PLACES)}.${behind}`;
}
