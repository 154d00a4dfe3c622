import * as z from 'zod';
import { VENDOR_NAME } from '../core/usage.ts';
import { count, dollars, dollarsEach, factor, text } from './fields.ts';
import { dialects, label, modelName } from './names.ts';
import { ownParameters } from './parameter-schema.ts';
import { rate } from './rate-schema.ts';

/** A vendor’s name for a tool, a region, a tier of service, or how long a cache is kept. */
const vendorName = text(VENDOR_NAME, 'must be a name of lower-case letters, digits, _ and -, 32 at most');

const rates = {
  input_per_1m: dollars().optional().describe('Dollars per million tokens of the prompt.'),
  output_per_1m: dollars().optional().describe('Dollars per million tokens of the answer.'),
  cache_read_per_1m: dollars().optional().describe('Dollars per million prompt tokens read from a cache.'),
  cache_write_per_1m: dollars().optional().describe('Dollars per million prompt tokens written to a cache.'),
  cache_write_1h_per_1m: dollars().optional().describe('The same as 1h in cache_writes_per_1m.'),
  cache_writes_per_1m: z
    .record(vendorName, dollars())
    .optional()
    .describe('Dollars per million prompt tokens written to a cache, by how long it is kept, in the vendor’s words.'),
  reasoning_per_1m: dollars().optional().describe('Dollars per million reasoning tokens; left out, what output costs.'),
  audio_input_per_1m: dollars().optional().describe('Dollars per million audio tokens of the prompt.'),
  audio_output_per_1m: dollars().optional().describe('Dollars per million audio tokens of the answer.'),
};

const tiers = z
  .array(
    z.strictObject({
      above_prompt_tokens: count(1).describe('The tier holds for the whole call once its prompt is longer than this.'),
      ...rates,
    }),
  )
  .refine(
    (list) => list.every((tier, index) => tier.above_prompt_tokens > (list[index - 1]?.above_prompt_tokens ?? 0)),
    {
      error: 'must rise in above_prompt_tokens from one tier to the next',
    },
  );

export const price = z
  .strictObject({
    ...rates,
    tiers: tiers.optional().describe('Other rates for long prompts; a tier inherits what it does not name.'),
    services: z
      .record(
        vendorName,
        z.strictObject({ ...rates, tiers: tiers.optional().describe('Other rates for long prompts.') }),
      )
      .optional()
      .describe('Other rates by the tier of service that the vendor says it used; nothing is inherited.'),
    per_call: z
      .record(vendorName, dollarsEach())
      .optional()
      .describe('Dollars for one call of a tool that the vendor runs, by the vendor’s name for it.'),
    regions: z
      .record(vendorName, factor())
      .optional()
      .describe('By how much tokens cost more, by the region in which they are made.'),
    date: z.iso.date({ error: 'must be a date such as 2026-11-21' }).optional().describe('Since when the price holds.'),
  })
  .describe(
    'What the model costs. A component that is used and has no rate makes the cost of a call unknown; where no rate of a ' +
      'cache is named, cached tokens cost what input costs.',
  );

export const facts = {
  name: label.optional().describe('Display name.'),
  context_window: count(1).optional().describe('Tokens of prompt and answer together.'),
  max_output_tokens: count(1).optional().describe('Tokens of the longest answer.'),
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
    dialects: dialects.optional().describe('What it speaks; left out, what its provider speaks.'),
    think_tags: z
      .boolean()
      .optional()
      .describe(
        'Whether its text begins with its thinking between <think> and </think>, which callers then get as reasoning.',
      ),
    ...facts,
  }),
]);

export type ModelEntry = Exclude<z.output<typeof model>, string>;
export type FactsEntry = Pick<ModelEntry, keyof typeof facts>;
export type PriceEntry = z.output<typeof price>;
export type RatesEntry = Pick<PriceEntry, keyof typeof rates>;
export type RateListEntry = Pick<PriceEntry, keyof typeof rates | 'tiers'>;
