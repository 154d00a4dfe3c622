import { z } from 'zod';
import { MAX_CREDENTIALS } from '../../admin/provider-credentials.ts';
import { KEY_WORDS } from '../../admin/provider-trial.ts';
import { MODEL_NAME } from '../../core/model-name.ts';
import { DIALECT_IDS, UNKNOWN_MODELS } from '../../core/provider.ts';
import { LIST_STATES } from '../../core/target-status.ts';
import { circuit } from '../explained.ts';
import { count, decimal, flag, named, seconds, text } from '../schema.ts';
import { created, ifVersion, setInPlace, version } from './shared.ts';

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
  // Its characters are looked at where it is known which of them were kept before.
  .regex(/^\S(.{0,126}\S)?$/su, 'must be a name of 1 to 128 characters');
const key = z
  .string('must be text')
  .max(MAX_KEY, `must have at most ${MAX_KEY} characters`)
  .regex(/^[!-~]+$/, 'must be printable ASCII without spaces')
  .describe('The vendor’s key. It is kept encrypted, and never shown again.');
const weight = z
  .int('must be a whole number')
  .min(0, 'must be a whole number from 0 to 1000000')
  .max(1_000_000, 'must be a whole number from 0 to 1000000')
  .describe('Its share of the calls beside the others; 0: only where a route’s target names it.');
const dialects = z
  .array(z.enum(DIALECT_IDS, `must be one of ${DIALECT_IDS.join(', ')}`))
  .min(1, 'must name at least one')
  .max(DIALECT_IDS.length, `must name at most ${DIALECT_IDS.length}`);
const size = z.int('must be a whole number').min(1, 'must be at least 1').max(1e12, 'is too large');

const model = z.strictObject({
  id: modelName.describe('The name callers use.'),
  upstream: modelName.exactOptional().describe('The vendor’s own name for it; left out, the id.'),
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
    .describe(
      'As in the configuration file: parameters of calls whose callers do not say them, such as `temperature`.',
    ),
  force: z
    .looseObject({}, 'must be an object')
    .exactOptional()
    .describe('As in the configuration file: parameters of all calls, whatever their callers say.'),
  requests_per_minute: size.max(1e9, 'is too large').exactOptional(),
  tokens_per_minute: size.max(1e9, 'is too large').exactOptional(),
  count_cached_input: z.boolean('must be true or false').exactOptional(),
});
const models = z.array(model).max(MAX_MODELS, `must have at most ${MAX_MODELS}`);

/** What a provider is, in the words of the configuration file. */
const definition = {
  preset: z
    .string('must be text')
    .max(64, 'is no preset')
    .regex(/^[a-z0-9._-]+$/, 'is no preset')
    .describe(
      'The vendor whose address and ways it has; left out, the one of its own id. `provider_presets` lists them.',
    ),
  base_url: z
    .string('must be text')
    .max(MAX_URL, `must have at most ${MAX_URL} characters`)
    .describe('Where it is: over https, and public.'),
  label: labelText.describe('Display name.'),
  dialects: dialects.describe('What it speaks.'),
  models: models.describe('What it serves beside what the catalog and its own list have, or facts of these.'),
  only: models.describe('All that it serves.'),
  unknown_models: z
    .enum(UNKNOWN_MODELS, `must be one of ${UNKNOWN_MODELS.join(', ')}`)
    .describe('`refuse`: what is in no list is not sent to it.'),
  region: z
    .string('must be text')
    .regex(/^[a-z0-9-]{1,64}$/, 'must be a name of lower-case letters, digits and “-” (at most 64)')
    .describe('Where it serves, such as eu: routes may ask for it.'),
  shared_ids: z
    .enum(['refuse', 'allow'], 'must be one of refuse, allow')
    .describe('Whether calls may name files and the like that are kept in its account.'),
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
  .refine((list) => new Set(list.map(({ name }) => name)).size === list.length, 'must have names of their own');

const some = z.object(definition).partial().shape;

/** The same, of which each may be taken away. */
const others = Object.fromEntries(
  Object.entries(definition).map(([name, schema]) => [name, schema.nullable().optional()]),
) as { [Name in keyof typeof definition]: z.ZodOptional<z.ZodNullable<(typeof definition)[Name]>> };

export const PROVIDER_REQUEST = named(
  'ProviderRequest',
  z.strictObject({
    id: id.describe('Behind it, models are called: `openai/gpt-4o`.'),
    ...some,
    credentials: credentials.exactOptional(),
  }),
);

export const PROVIDER_UPDATE = named(
  'ProviderUpdate',
  z
    .strictObject({
      ...others,
      credentials: credentials
        .exactOptional()
        .describe('Takes the place of all its keys. Must be given where another address is.'),
      if_version: ifVersion,
    })
    .describe('`null` takes a member away.'),
);

export const PROVIDER_TEST_REQUEST = named(
  'ProviderTestRequest',
  z.strictObject({
    provider_id: id.exactOptional().describe('One that there is: what else is given takes the place of what it has.'),
    credential_id: z
      .string('must be text')
      .max(64, 'is no id')
      .exactOptional()
      .describe('Whose key is sent; left out, the first.'),
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
    id: text.nullable().describe('`null`: it is set in the configuration file, or the environment.'),
    object: z.literal('organization.provider.credential'),
    name: text,
    weight: count,
    hint: text.describe('The last characters of the key; empty where it is short.'),
    created_at: created.nullable(),
    updated_at: seconds.nullable(),
    state: z.enum(CREDENTIAL_STATES).describe('`refused`: the vendor does not take it, and calls go with others.'),
    out_until: seconds.nullable().describe('When it is tried again.'),
  }),
);

export const PROVIDER = named(
  'Provider',
  z.object({
    id: text,
    object: z.literal('organization.provider'),
    label: text,
    base_url: text.describe('Where calls go; empty where that is not known.'),
    definition: z.record(text, z.unknown()).describe('What was said of it, in the words of the configuration file.'),
    origin: z.enum(['settings', 'file', 'environment']).describe('Only what is of the settings is changed here.'),
    set_in: setInPlace,
    off: text.nullable().describe('Why it cannot be called; `null` where it can.'),
    credentials: z.array(PROVIDER_CREDENTIAL),
    list: z.enum(LIST_STATES).nullable().describe('What it said when it was asked for its models last.'),
    models: count.describe('How many models of it can be called.'),
    circuit: circuit.nullable().describe('The worst of its models; `null` where none was called.'),
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
    base_url: text.nullable().describe('`null`: each customer has an own one.'),
    needs_key: flag,
    docs: text.describe('The vendor’s page on its API.'),
  }),
);

export const PROVIDER_TEST = named(
  'ProviderTest',
  z.object({
    object: z.literal('organization.provider.test'),
    ok: flag,
    models: count.nullable().describe('How many models it lists; `null` where it did not, or lists something else.'),
    key: z
      .enum(KEY_WORDS)
      .describe('What it said of the key. `unknown`: it shows its list to everybody, or did not answer.'),
    error: text.nullable().describe('What went wrong.'),
    took_ms: count,
  }),
);
