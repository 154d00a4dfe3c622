import * as z from 'zod';
import { VENDOR_NAME } from '../core/usage.ts';
import { count, dollars, dollarsEach, factor, text } from './fields.ts';
import { dialects, label, modelName } from './names.ts';
import { ownParameters } from './parameter-schema.ts';
import { rate } from './rate-schema.ts';

/** A vendor’s name for a tool, region, service tier or cache lifetime. */
const vendorName = text(VENDOR_NAME, 'must be a name of lower-case letters, digits, _ and -, 32 at most');

const rates = {
  input_per_1m: dollars().optional().describe('Dollars per million tokens of the prompt.'),
  output_per_1m: dollars().optional().describe('Dollars per million tokens of the answer.'),
  cache_read_per_1m: dollars().optional().describe('Dollars per million prompt tokens read from a cache.'),
  cache_write_per_1m: dollars().optional().describe('Dollars per million prompt tokens written to a cache.'),
  cache_write_1h_per_1m: dollars().optional().describe('Short for 1h in cache_writes_per_1m.'),
  cache_writes_per_1m: z
    .record(vendorName, dollars())
    .optional()
    .describe('Dollars per million prompt tokens written to a cache, by the vendor’s name of the cache lifetime.'),
  reasoning_per_1m: dollars()
    .optional()
    .describe('Dollars per million reasoning tokens (default: the price of output).'),
  audio_input_per_1m: dollars().optional().describe('Dollars per million audio tokens of the prompt.'),
  audio_output_per_1m: dollars().optional().describe('Dollars per million audio tokens of the answer.'),
};

const tiers = z
  .array(
    z.strictObject({
      above_prompt_tokens: count(1).describe('The tier applies to the whole call if its prompt is longer than this.'),
      ...rates,
    }),
  )
  .refine(
    (list) => list.every((tier, index) => tier.above_prompt_tokens > (list[index - 1]?.above_prompt_tokens ?? 0)),
    {
      error: 'must rise in above_prompt_tokens from one tier to the next',
    },
  );

const PRICE = 'must be a map of dollars per million tokens, such as { input_per_1m: 0.5, output_per_1m: 1.5 }';

export const price = z
  .strictObject(
    {
      ...rates,
      tiers: tiers.optional().describe('Other rates for long prompts; a tier inherits rates that it does not set.'),
      services: z
        .record(
          vendorName,
          z.strictObject({ ...rates, tiers: tiers.optional().describe('Other rates for long prompts.') }),
        )
        .optional()
        .describe('Other rates, by the service tier that the vendor reports; nothing is inherited.'),
      per_call: z
        .record(vendorName, dollarsEach())
        .optional()
        .describe('Dollars for one call of a tool that the vendor runs, by the vendor’s name for it.'),
      regions: z.record(vendorName, factor()).optional().describe('The price multiplier of each region.'),
      date: z.iso
        .date({ error: 'must be a date such as 2026-11-21' })
        .optional()
        .describe('The date from which the price holds.'),
    },
    { error: ({ input }) => (typeof input === 'number' || typeof input === 'string' ? PRICE : undefined) },
  )
  .describe(
    'What the model costs. A used component without a rate makes the cost of a call unknown. Without any cache ' +
      'rate, cached tokens cost what input costs.',
  );

export const facts = {
  name: label.optional().describe('Display name.'),
  context_window: count(1).optional().describe('Context window in tokens: prompt plus answer.'),
  max_output_tokens: count(1).optional().describe('The longest answer, in tokens.'),
  dimensions: count(1, 1_000_000).optional().describe('Length of the vectors, for an embedding model.'),
  price: price.optional(),
  ...ownParameters,
  ...rate,
};

export const model = z.union([
  modelName,
  z.strictObject({
    id: modelName.describe('The name in calls.'),
    upstream: modelName.optional().describe('The vendor’s name for it (default: the id).'),
    dialects: dialects.optional().describe('Its dialects (default: those of the provider).'),
    think_tags: z
      .boolean()
      .optional()
      .describe(
        'True if its text begins with thinking between <think> and </think>, which callers then receive as reasoning.',
      ),
    ...facts,
  }),
]);

export type ModelEntry = Exclude<z.output<typeof model>, string>;
export type FactsEntry = Pick<ModelEntry, keyof typeof facts>;
export type PriceEntry = z.output<typeof price>;
export type RatesEntry = Pick<PriceEntry, keyof typeof rates>;
export type RateListEntry = Pick<PriceEntry, keyof typeof rates | 'tiers'>;
