import * as z from 'zod';
import { UNKNOWN_MODELS } from '../core/provider.ts';
import { address, count, headers, section, wait } from './fields.ts';
import { model } from './model-schema.ts';
import { credentialName, dialects, label, regionName } from './names.ts';
import { rate } from './rate-schema.ts';

const keyText = z.string().min(1, { error: 'must not be empty; omit it if there is no key' });

/** `key` is optional here because a key with an unset variable is removed before validation; editors require it. */
const namedKey = z
  .strictObject({
    name: credentialName.describe('The name of the key, which targets of routes refer to.'),
    key: keyText
      .optional()
      .describe('The key, as a reference to an environment variable: “$”, then the name in braces.'),
    weight: count(0, 1_000_000)
      .optional()
      .describe('Its share of the calls; with 0, only targets that name it use it.'),
    ...rate,
  })
  .meta({ required: ['name', 'key'] });

/** Defaults of the queue; `wait` in ms. */
export const DEFAULT_QUEUE = { length: 100, wait: 10_000 };

const queue = z.strictObject({
  length: count(0, 100_000).optional().describe('The most calls that may wait for the provider.'),
  wait: wait(0).optional().describe('The longest wait of a call.'),
});

export const provider = section({
  preset: z.string().optional().describe('The preset to start from (default: the preset with the provider’s name).'),
  base_url: address().optional().describe('The http or https address to which paths are appended.'),
  api_key: keyText
    .optional()
    .describe(
      'The key, as a reference to an environment variable: “$”, then the name in braces. If the variable is not set, the provider is off.',
    ),
  api_keys: z
    .array(namedKey)
    .min(1, { error: 'must name at least one key' })
    .optional()
    .describe('Further keys, each with a name. A key whose variable is not set is left out.'),
  label: label.optional().describe('Display name.'),
  dialects: dialects.optional().describe('Its dialects. A dialect that is not supported yet is not used.'),
  models: z
    .array(model)
    .optional()
    .describe('Models beyond those of the catalog and the provider’s own list, or facts that override theirs.'),
  only: z.array(model).optional().describe('The only models that can be called.'),
  unknown_models: z
    .enum(UNKNOWN_MODELS)
    .optional()
    .describe(
      '`refuse`: models that are in neither the configuration, the catalog nor the provider’s own list are refused and not sent.',
    ),
  headers: headers().describe('Headers sent with every call.'),
  region: regionName.optional().describe('The region that it serves from, such as eu; routes can require it.'),
  shared_ids: z
    .enum(['refuse', 'allow'])
    .optional()
    .describe('Whether calls may refer to files, containers and other objects in its account by id.'),
  message_threads: z
    .boolean()
    .optional()
    .describe(
      'True if it keeps threads of messages, as Anthropic does (default: true for the preset `anthropic` and for custom providers).',
    ),
  max_concurrency: count(1, 1_000_000).optional().describe('The most concurrent calls (default: unlimited).'),
  ...rate,
  queue: queue.optional().describe('How calls wait when that many are open.'),
});

export type ProviderEntry = z.output<typeof provider>;
