import * as z from 'zod';
import { UNKNOWN_MODELS } from '../core/provider.ts';
import { address, count, headers, section, wait } from './fields.ts';
import { model } from './model-schema.ts';
import { credentialName, dialects, label, regionName } from './names.ts';
import { rate } from './rate-schema.ts';

const keyText = z.string().min(1, { error: 'must not be empty; leave it out where there is no key' });

/** A `key` whose variable is not set is missing by the time it is looked at; an editor asks for it all the same. */
const namedKey = z
  .strictObject({
    name: credentialName.describe('Name, for targets of routes and for people.'),
    key: keyText.optional().describe('The key, as the name of a variable in “$” and braces.'),
    weight: count(0, 1_000_000).optional().describe('Its share of the calls; 0 if only targets that name it use it.'),
    ...rate,
  })
  .meta({ required: ['name', 'key'] });

/** Of calls that wait; times in ms. */
export const DEFAULT_QUEUE = { length: 100, wait: 10_000 };

const queue = z.strictObject({
  length: count(0, 100_000).optional().describe('Calls that may wait for a place at the provider.'),
  wait: wait(0).optional().describe('The longest that one of them waits.'),
});

export const provider = section({
  preset: z.string().optional().describe('The preset to start from; left out, the one of this provider’s own name.'),
  base_url: address().optional().describe('Where it is: an http or https address that paths are appended to.'),
  api_key: keyText
    .optional()
    .describe('Its key, as the name of a variable in “$” and braces. Where that is not set the provider is off.'),
  api_keys: z
    .array(namedKey)
    .min(1, { error: 'must name at least one key' })
    .optional()
    .describe('Further keys, each with a name. Where one’s variable is not set that one is left out.'),
  label: label.optional().describe('Display name.'),
  dialects: dialects.optional().describe('What it speaks. One that is not built yet is not used.'),
  models: z
    .array(model)
    .optional()
    .describe('Models that it serves beside those that the catalog and its own list have, or facts of these.'),
  only: z.array(model).optional().describe('All that it serves: nothing that it has beside these can be called.'),
  unknown_models: z
    .enum(UNKNOWN_MODELS)
    .optional()
    .describe('`refuse`: what neither configuration, catalog nor its own list have is refused, and not sent to it.'),
  headers: headers().describe('Sent with every call.'),
  region: regionName.optional().describe('Where it serves, such as eu: routes may ask for it.'),
  shared_ids: z
    .enum(['refuse', 'allow'])
    .optional()
    .describe('Whether calls may name files, containers and the like that are kept in its account, by their ids.'),
  message_threads: z
    .boolean()
    .optional()
    .describe(
      'Whether it keeps threads of messages, as Anthropic does. Left out: the preset `anthropic` and providers of one’s own do.',
    ),
  max_concurrency: count(1, 1_000_000).optional().describe('How many calls it may have at once; left out, any number.'),
  ...rate,
  queue: queue.optional().describe('How calls wait once that many are open.'),
});

export type ProviderEntry = z.output<typeof provider>;
