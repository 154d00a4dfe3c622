import * as z from 'zod';
import { DIALECT_IDS } from '../core/provider.ts';
import { DURABILITIES, HTTP_LAYERS, LOG_LEVELS, MAX_WORKERS } from './config.ts';
import { address, age, count, dollars, headers, mapOf, section, size, text, wait } from './fields.ts';

const modelName = text(/^[!-~]{1,256}$/, 'must be a name of 1 to 256 characters of ASCII, without spaces');
const qualifiedName = text(
  /^[!-.0-~]+\/[!-~]{1,256}$/,
  'must be a provider and a model in ASCII without spaces, such as openai/gpt-4o-mini',
);
const providerName = text(
  /^(?=.*[A-Za-z])[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
  'must be a name of letters, digits, “.”, “_” and “-” (at most 64, one of them a letter)',
);
const organizationName = text(/^[A-Za-z0-9_-]{1,64}$/, 'must be a name of letters, digits, “_” and “-” (at most 64)');
const label = text(/^\S(.{0,126}\S)?$/u, 'must be a name of 1 to 128 characters');
const dialects = z.array(z.enum(DIALECT_IDS)).min(1, { error: 'must name at least one dialect' });

/** What the environment may say too; it wins over the file. */
export const SHARED = {
  host: text(/^[A-Za-z0-9.:-]+$/, 'must be an address or a host name to listen on, without a port'),
  port: count(0, 65_535),
  data: z.string().min(1, { error: 'must be the path of a folder' }),
  log_level: z.enum(LOG_LEVELS),
  http_layer: z.enum(HTTP_LAYERS),
  workers: count(1, MAX_WORKERS),
  metrics_token: text(/^[!-~]+$/, 'must be printable ASCII without spaces'),
};

/** What only the environment may say. */
export const PEPPER = text(/^.{32,}$/s, 'must have at least 32 characters');

const server = section({
  host: SHARED.host.prefault('127.0.0.1').describe('The address to listen on. HEADGATE_HOST wins.'),
  port: SHARED.port.prefault(8080).describe('The port to listen on; 0 takes any free one. HEADGATE_PORT wins.'),
  data: SHARED.data
    .prefault('./data')
    .describe('The data folder, relative to this file; made where it is missing. HEADGATE_DATA wins.'),
  header_prefix: text(/^[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?$/, 'must be lower-case letters, digits and “-” (at most 32)')
    .prefault('service')
    .describe('First word of the gateway’s own response headers, such as `service-provider`.'),
  log_level: SHARED.log_level.prefault('info').describe('The least that is logged. HEADGATE_LOG_LEVEL wins.'),
  drain: wait(0).prefault('25s').describe('How long a stop waits for open calls before it ends them.'),
  durability: z
    .enum(DURABILITIES)
    .prefault('normal')
    .describe('Against what a record is safe: `normal`, the death of the process; `full`, a loss of power too.'),
  http_layer: SHARED.http_layer
    .prefault('fast')
    .describe(
      'Who carries calls: `fast`, the gateway’s own HTTP/1.1; `node`, Node’s and undici. HEADGATE_HTTP_LAYER wins.',
    ),
  workers: SHARED.workers
    .prefault(1)
    .describe('How many processes serve. HEADGATE_WORKERS and `headgate serve --workers` win.'),
  metrics_token: SHARED.metrics_token
    .optional()
    .describe('The bearer token that opens `/metrics` from other machines. HEADGATE_METRICS_TOKEN wins.'),
});

const rates = {
  input_per_1m: dollars().optional().describe('Dollars per million tokens of the prompt.'),
  output_per_1m: dollars().optional().describe('Dollars per million tokens of the answer.'),
  cache_read_per_1m: dollars().optional().describe('Dollars per million prompt tokens read from a cache.'),
  cache_write_per_1m: dollars().optional().describe('Dollars per million prompt tokens written to a cache.'),
  cache_write_1h_per_1m: dollars()
    .optional()
    .describe('Dollars per million prompt tokens written to a cache for one hour.'),
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

const price = z
  .strictObject({
    ...rates,
    tiers: tiers.optional().describe('Other rates for long prompts; a tier inherits what it does not name.'),
    date: z.iso.date({ error: 'must be a date such as 2026-11-21' }).optional().describe('Since when the price holds.'),
  })
  .describe('What the model costs. A component that is used and has no rate makes the cost of a call unknown.');

const facts = {
  name: label.optional().describe('The name that people see.'),
  context_window: count(1).optional().describe('Tokens of prompt and answer together.'),
  max_output_tokens: count(1).optional().describe('Tokens of the longest answer.'),
  dimensions: count(1, 1_000_000).optional().describe('Length of the vectors, for an embedding model.'),
  price: price.optional(),
};

const model = z.union([
  modelName,
  z.strictObject({
    id: modelName.describe('The name callers use.'),
    upstream: modelName.optional().describe('The vendor’s own name for it; left out, the id.'),
    dialects: dialects.optional().describe('What it speaks; left out, what its provider speaks.'),
    ...facts,
  }),
]);

const provider = section({
  preset: z.string().optional().describe('The preset to start from; left out, the one of this provider’s own name.'),
  base_url: address().optional().describe('Where it is: an http or https address that paths are appended to.'),
  api_key: z
    .string()
    .min(1, { error: 'must not be empty; leave it out where there is no key' })
    .optional()
    .describe('Its key, as the name of a variable in “$” and braces. Where that is not set the provider is off.'),
  label: label.optional().describe('The name that people see.'),
  dialects: dialects.optional().describe('What it speaks. One that is not built yet is not used.'),
  models: z
    .array(model)
    .optional()
    .describe('What it serves. Left out: what the preset lists, else what the provider lists itself.'),
  headers: headers().describe('Sent with every call.'),
});

const limits = section({
  requests_per_minute: count(1)
    .prefault(600)
    .describe('Requests per minute of an API key that has no limit of its own.'),
  tokens_per_minute: count(1)
    .prefault(2_000_000)
    .describe('Tokens per minute of an API key that has no limit of its own.'),
  max_body: size(1024).prefault('64MB').describe('The largest body of a request.'),
  max_answer: size(1024).prefault('64MB').describe('The largest whole answer of a provider.'),
  max_header: size(1024, 1024 ** 2)
    .prefault('32KB')
    .describe('The most that the headers of a request may hold.'),
  max_line: size(1024).prefault('16MB').describe('The longest line of an event stream.'),
  max_json_depth: count(1, 10_000).prefault(512).describe('The deepest nesting of a JSON body.'),
  max_open_calls: count(1, 1_000_000).prefault(10_000).describe('Calls that may be open at once.'),
  default_max_output: count(1)
    .prefault(1024)
    .describe('Tokens reserved for the answer of a call that names no maximum.'),
  max_embedding_inputs: count(1, 1_000_000).prefault(2048).describe('Inputs of one call for embeddings.'),
  max_output_items: size(0).prefault('64MB').describe('All output items of responses that are kept to be referred to.'),
});

const timeouts = section({
  connect: wait(1).prefault('3s').describe('The longest that reaching a provider may take.'),
  first_byte: wait(1)
    .prefault('120s')
    .describe('The longest wait for the first byte of a stream. A whole answer has only `total`.'),
  idle: wait(1).prefault('300s').describe('The longest silence of a provider in the middle of a stream.'),
  total: wait(1).prefault('15m').describe('The longest that a whole call may take.'),
  ping: wait(1).prefault('15s').describe('How often a caller hears something while its stream is silent.'),
  hold: wait(0)
    .prefault('2s')
    .describe('How long events that only open a stream wait for one with content; 0 holds none back.'),
  request: wait(1).prefault('60s').describe('The longest that a request may take to arrive in full.'),
});

const retention = section({
  output_items: wait(0)
    .prefault('1h')
    .describe('How long the output items of a response can be referred to by id in further calls.'),
  usage: age('1d', '36500d')
    .nullable()
    .prefault(null)
    .describe('How long usage records are kept; left out or null, for ever.'),
});

export const FILE = z.strictObject({
  server: server.describe('The process itself. A change here needs a restart.'),
  providers: mapOf(providerName, provider).describe('Who answers calls. Only those that are named here are on.'),
  echo: z.boolean().prefault(true).describe('The built-in `echo` provider, which answers without a network.'),
  models: mapOf(qualifiedName, section(facts)).describe(
    'Facts that replace what is known of a model, by `provider/id`.',
  ),
  aliases: mapOf(modelName, modelName).describe('Names of the operator’s own, and the model each leads to.'),
  organizations: mapOf(
    organizationName,
    z.strictObject({ name: label.describe('The name that people see.') }),
  ).describe('Who owns keys, by id.'),
  limits: limits.describe('The most that is accepted of anything; more is refused.'),
  timeouts: timeouts.describe('How long things may take.'),
  retention: retention.describe('How long records are kept.'),
});

export type ConfigFile = z.output<typeof FILE>;
export type ProviderEntry = z.output<typeof provider>;
export type ModelEntry = Exclude<z.output<typeof model>, string>;
export type FactsEntry = Pick<ModelEntry, keyof typeof facts>;
export type PriceEntry = z.output<typeof price>;
export type RatesEntry = Pick<PriceEntry, keyof typeof rates>;

/** The JSON schema (draft 7, which editors know best) of `headgate.yaml`, as `headgate.schema.json` holds it. */
export function configSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(FILE, { io: 'input', target: 'draft-7' });
  return { title: 'headgate.yaml', ...schema };
}
