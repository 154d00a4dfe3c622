import { z } from 'zod';
import { created, ifVersion, setInPlace, version } from '../../api/fields.ts';
import { circuit } from '../../api/route-decision.ts';
import { count, decimal, flag, named, seconds, text } from '../../api/schema.ts';
import { MODEL_NAME } from '../../core/model-name.ts';
import { DIALECT_IDS, UNKNOWN_MODELS } from '../../core/provider.ts';
import { LIST_STATES } from '../../core/target-status.ts';
import { MAX_CREDENTIALS } from './credentials.ts';
import { KEY_WORDS } from './trial.ts';

const MAX_URL = 2_000;
const MAX_KEY = 8_192;
const MAX_MODELS = 1_000;

const id = z
  .string('must be text')
  .regex(
    /^(?=.*[A-Za-z])[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
    'must be a name of letters, digits, “.”, “_” and “-” (at most 64, one of them a letter)',
  );
const credentialName = z
  .string('must be text')
  .regex(/^[A-Za-z0-9._-]{1,64}$/, 'must be a name of letters, digits, “.”, “_” and “-” (at most 64)');
const modelName = z
  .string('must be text')
  .regex(MODEL_NAME, 'must be a name of 1 to 256 characters of ASCII, without spaces and *');
const labelText = z
  .string('must be text')
  // The characters are checked later, where it is known which names were stored before.
  .regex(/^\S(.{0,126}\S)?$/su, 'must be a name of 1 to 128 characters');
const key = z
  .string('must be text')
  .max(MAX_KEY, `must have at most ${MAX_KEY} characters`)
  .regex(/^[!-~]+$/, 'must be printable ASCII without spaces')
  .describe('The vendor’s key. It is encrypted and never shown again.');
const weight = z
  .int('must be a whole number')
  .min(0, 'must be a whole number from 0 to 1000000')
  .max(1_000_000, 'must be a whole number from 0 to 1000000')
  .describe('Its share of the calls; with 0, only targets that name it use it.');
const dialects = z
  .array(z.enum(DIALECT_IDS, `must be one of ${DIALECT_IDS.join(', ')}`))
  .min(1, 'must name at least one')
  .max(DIALECT_IDS.length, `must name at most ${DIALECT_IDS.length}`);
const size = z.int('must be a whole number').min(1, 'must be at least 1').max(1e12, 'is too large');

const model = z.strictObject({
  id: modelName.describe('The name in calls.'),
  upstream: modelName.exactOptional().describe('The vendor’s name for it (default: the id).'),
  dialects: dialects.exactOptional(),
  name: labelText.exactOptional(),
  context_window: size.exactOptional(),
  max_output_tokens: size.exactOptional(),
  dimensions: size.max(1_000_000, 'must be at most 1000000').exactOptional(),
  price: z
    .looseObject({}, 'must be an object')
    .exactOptional()
    .describe('As in the configuration file: `input_per_1m`, `output_per_1m` and so on, in dollars.'),
  defaults: z
    .looseObject({}, 'must be an object')
    .exactOptional()
    .describe('As in the configuration file: default parameters of calls, such as `temperature`.'),
  force: z
    .looseObject({}, 'must be an object')
    .exactOptional()
    .describe('As in the configuration file: parameters that override the callers’.'),
  requests_per_minute: size.max(1e9, 'is too large').exactOptional(),
  tokens_per_minute: size.max(1e9, 'is too large').exactOptional(),
  count_cached_input: z.boolean('must be true or false').exactOptional(),
});
const models = z.array(model).max(MAX_MODELS, `must have at most ${MAX_MODELS}`);

/** A provider, in the terms of the configuration file. */
const definition = {
  preset: z
    .string('must be text')
    .max(64, 'is no preset')
    .regex(/^[a-z0-9._-]+$/, 'is no preset')
    .describe(
      'The vendor preset with address and quirks (default: the one with the same id). `provider_presets` lists them.',
    ),
  base_url: z
    .string('must be text')
    .max(MAX_URL, `must have at most ${MAX_URL} characters`)
    .describe('Where it is: over https, and public.'),
  label: labelText.describe('Display name.'),
  dialects: dialects.describe('Formats it supports.'),
  models: models.describe('Models beyond those of the catalog and its own list, or facts of these.'),
  only: models.describe('The only models it serves.'),
  unknown_models: z
    .enum(UNKNOWN_MODELS, `must be one of ${UNKNOWN_MODELS.join(', ')}`)
    .describe('`refuse`: unlisted names are not sent to it.'),
  region: z
    .string('must be text')
    .regex(/^[a-z0-9-]{1,64}$/, 'must be a name of lower-case letters, digits and “-” (at most 64)')
    .describe('The region that it serves from, such as eu; routes can require it.'),
  shared_ids: z
    .enum(['refuse', 'allow'], 'must be one of refuse, allow')
    .describe('Whether calls may refer to files and other objects in its account.'),
};

export const MEMBERS = Object.keys(definition) as readonly (keyof typeof definition)[];

const given = z.strictObject({
  name: credentialName.default('default').describe('Name for targets of routes.'),
  key,
  weight: weight.default(1),
});
const credentials = z
  .array(given)
  .max(MAX_CREDENTIALS, `must have at most ${MAX_CREDENTIALS}`)
  .refine((list) => new Set(list.map(({ name }) => name)).size === list.length, 'must have different names');

const some = z.object(definition).partial().shape;

/** The same; each can be removed. */
const others = Object.fromEntries(
  Object.entries(definition).map(([name, schema]) => [name, schema.nullable().optional()]),
) as { [Name in keyof typeof definition]: z.ZodOptional<z.ZodNullable<(typeof definition)[Name]>> };

export const PROVIDER_REQUEST = named(
  'ProviderRequest',
  z.strictObject({
    id: id.describe('The prefix of its models: `openai/gpt-4o`.'),
    ...some,
    credentials: credentials.exactOptional(),
  }),
);

export const PROVIDER_UPDATE = named(
  'ProviderUpdate',
  z
    .strictObject({
      ...others,
      credentials: credentials.exactOptional().describe('Replaces all its keys. Required with a new address.'),
      if_version: ifVersion,
    })
    .describe('`null` removes a member.'),
);

export const PROVIDER_TEST_REQUEST = named(
  'ProviderTestRequest',
  z.strictObject({
    provider_id: id.exactOptional().describe('An existing provider; other given members override its own.'),
    credential_id: z
      .string('must be text')
      .max(64, 'is not a valid id')
      .exactOptional()
      .describe('The key to send (default: the first).'),
    ...some,
    key: key.exactOptional(),
  }),
);

export const CREDENTIAL_REQUEST = named('ProviderCredentialRequest', given.extend({ if_version: ifVersion }));
export const CREDENTIAL_UPDATE = named(
  'ProviderCredentialUpdate',
  z.strictObject({
    name: credentialName.exactOptional(),
    key: key.exactOptional(),
    weight: weight.exactOptional(),
    if_version: ifVersion,
  }),
);

const CREDENTIAL_STATES = ['in_use', 'refused', 'off'] as const;

export const PROVIDER_CREDENTIAL = named(
  'ProviderCredential',
  z.object({
    id: text.nullable().describe('`null`: it is set in the configuration file or the environment.'),
    object: z.literal('organization.provider.credential'),
    name: text,
    weight: count,
    hint: text.describe('The last characters of the key; empty if it is short.'),
    created_at: created.nullable(),
    updated_at: seconds.nullable(),
    state: z.enum(CREDENTIAL_STATES).describe('`refused`: the vendor refuses it, and calls use others.'),
    out_until: seconds.nullable().describe('The time of the next try.'),
  }),
);

export const PROVIDER = named(
  'Provider',
  z.object({
    id: text,
    object: z.literal('organization.provider'),
    label: text,
    base_url: text.describe('Where calls go; empty where that is not known.'),
    definition: z.record(text, z.unknown()).describe('Its definition, in the terms of the configuration file.'),
    origin: z.enum(['settings', 'file', 'environment']).describe('Only providers of the settings can be changed here.'),
    set_in: setInPlace,
    off: text.nullable().describe('Why it cannot be called; `null` if it can.'),
    credentials: z.array(PROVIDER_CREDENTIAL),
    list: z.enum(LIST_STATES).nullable().describe('Its answer to the last request for its models.'),
    models: count.describe('Its number of callable models.'),
    circuit: circuit.nullable().describe('The worst status of its models; `null` if none was called.'),
    recent_calls: count,
    error_rate: decimal.nullable(),
    last_error: z.object({ kind: text, status: count, message: text, at: seconds }).nullable(),
    created_at: created.nullable(),
    updated_at: seconds.nullable(),
    version: version.nullable(),
  }),
);

export const PRESET = named(
  'ProviderPreset',
  z.object({
    id: text,
    object: z.literal('organization.provider_preset'),
    label: text,
    base_url: text.nullable().describe('`null`: each customer has its own.'),
    needs_key: flag,
    docs: text.describe('The vendor’s documentation.'),
  }),
);

export const PROVIDER_TEST = named(
  'ProviderTest',
  z.object({
    object: z.literal('organization.provider.test'),
    ok: flag,
    models: count.nullable().describe('The number of models it lists; `null` if it did not list any.'),
    key: z
      .enum(KEY_WORDS)
      .describe('Its reaction to the key. `unknown`: it lists models without a key, or did not answer.'),
    error: text.nullable().describe('What went wrong.'),
    took_ms: count,
  }),
);
