import * as z from 'zod';
import { DURABILITIES, HTTP_LAYERS, LOG_LEVELS, MAX_WORKERS } from './config.ts';
import { age, count, flag, fraction, ipRange, mapOf, publicUrl, section, size, smtpUrl, text, wait } from './fields.ts';
import { facts } from './model-schema.ts';
import { label, modelName, ownerName, providerName, qualifiedName } from './names.ts';
import { provider } from './provider-schema.ts';
import { MAX_ATTEMPTS, product, route, systemRoute } from './route-schema.ts';
import { SIZE } from './units.ts';

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

/** A machine with more is not one that a limit is for. */
const MAX_MEMORY = SIZE.parse('1024GB')!;

/** What keys are made of, which only the environment may say. */
export const LONG_SECRET = text(/^.{32,}$/s, 'must have at least 32 characters');

function allowedHosts() {
  return z
    .array(text(/^[a-z0-9.:[\]-]+$/, 'must be a host name or an address in lower case, without a port'))
    .max(100, { error: 'must have at most 100 items' })
    .prefault([]);
}

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
  log_calls: flag()
    .prefault(true)
    .describe('Whether each call is told in a line of the log, at the level `info`; never what was said.'),
  console: flag().prefault(true).describe('Whether browsers are given the web console, at `/`.'),
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
  worker_timeout: wait(2000)
    .prefault('10s')
    .describe('How long one of several workers may not answer the primary before it is killed and replaced.'),
  worker_start_timeout: wait(2000)
    .prefault('5m')
    .describe('The same for one that does not serve yet, however long its start takes in all.'),
  public_url: publicUrl()
    .optional()
    .describe('Where browsers find the gateway: https, or http://localhost. On a loopback address: http://localhost.'),
  trusted_proxies: z
    .array(ipRange())
    .max(100, { error: 'may have at most 100' })
    .optional()
    .describe('Addresses and ranges of proxies whose X-Forwarded-For and X-Forwarded-Proto are believed.'),
  webhook_hosts: allowedHosts().describe(
    'Hosts that webhooks are sent to whatever their addresses are, over http too: all others must be public, and https.',
  ),
  provider_hosts: allowedHosts().describe(
    'Hosts that providers of the settings may be at whatever their addresses are, over http too: all others must be public, and https. Those of this file may be anywhere.',
  ),
  metrics_token: SHARED.metrics_token
    .optional()
    .describe('The bearer token that opens `/metrics` from other machines. HEADGATE_METRICS_TOKEN wins.'),
});

const limits = section({
  requests_per_minute: count(1)
    .prefault(600)
    .describe('Requests per minute of an API key that has no limit of its own.'),
  tokens_per_minute: count(1)
    .prefault(2_000_000)
    .describe('Tokens per minute of an API key that has no limit of its own.'),
  person_requests_per_minute: count(1)
    .prefault(1200)
    .describe('Requests per minute of a person who is signed in, in all their browsers together.'),
  max_requests_at_once: count(1, 10_000)
    .prefault(64)
    .describe(
      'Requests of one person or API key that may be under way at once, in each process; calls of models do not count.',
    ),
  max_body: size(1024).prefault('64MB').describe('The largest body of a request.'),
  max_answer: size(1024).prefault('64MB').describe('The largest whole answer of a provider.'),
  max_header: size(1024, 1024 ** 2)
    .prefault('32KB')
    .describe('The most that the headers of a request may hold.'),
  max_line: size(1024).prefault('16MB').describe('The longest line of an event stream.'),
  max_json_depth: count(1, 10_000).prefault(512).describe('The deepest nesting of a JSON body.'),
  max_json_values: count(1, 10_000_000)
    .prefault(500_000)
    .describe('Values in a JSON body, of every kind and at every depth.'),
  max_json_members: count(1, 10_000_000)
    .prefault(40_000)
    .describe('Members with a name in all objects of a JSON body.'),
  max_open_calls: count(1, 1_000_000).prefault(10_000).describe('Calls that may be open at once.'),
  max_idle_connections: count(1, 1_000_000)
    .prefault(10_000)
    .describe('Connections of callers on which no request is under way; the oldest are closed.'),
  max_unread: size(1024 ** 2, MAX_MEMORY)
    .prefault('256MB')
    .describe('Bytes of answers that wait to be taken by callers, all together; the slowest are let go.'),
  max_receiving: size(1024 ** 2, MAX_MEMORY)
    .prefault('512MB')
    .describe(
      'Bytes of requests that are being received, all together; keys that send more than their part are refused.',
    ),
  default_max_output: count(1)
    .prefault(1024)
    .describe('Tokens reserved for the answer of a call that names no maximum.'),
  count_cached_input: flag()
    .prefault(true)
    .describe('Whether prompt tokens read from a cache count for the tokens per minute of keys and projects.'),
  hold_model_maximum: flag()
    .prefault(true)
    .describe(
      'Whether a spend limit holds what a model can put out at most, or all that is left, for a call that names no maximum.',
    ),
  max_embedding_inputs: count(1, 1_000_000).prefault(2048).describe('Inputs of one call for embeddings.'),
  max_output_items: size(0).prefault('64MB').describe('All output items of responses that are kept to be referred to.'),
  max_usage_factor: count(1, 1_000_000)
    .prefault(4)
    .describe('A provider’s report of more tokens than so many context windows of its model is not believed.'),
  max_route_targets: count(1, 1000).prefault(100).describe('Targets and fallbacks of one route together.'),
  max_reports: count(1, 1000)
    .prefault(4)
    .describe('Reports (`GET /v1/usage`) that an API key may have open at once, in each process.'),
  max_watchers: count(1, 10_000)
    .prefault(100)
    .describe('Streams of live usage (`GET /v1/usage/live`) that may be open at once, in each process.'),
  max_key_watchers: count(1, 1000)
    .prefault(4)
    .describe('Those of one API key, or of one person who is signed in, in each process.'),
  max_loop_lag: wait(0)
    .prefault('500ms')
    .describe('New calls are refused while a process is behind by more than this; 0 refuses none.'),
  max_memory: size(0, MAX_MEMORY)
    .prefault(0)
    .describe('New calls are refused while a process has more memory than this; 0 refuses none.'),
});

const timeouts = section({
  connect: wait(1).prefault('3s').describe('The longest that reaching a provider may take.'),
  first_byte: wait(1)
    .prefault('120s')
    .describe('The longest wait for the first byte of a stream. A whole answer has only `whole` and `total`.'),
  first_byte_reasoning: wait(1).prefault('10m').describe('The same for a stream of a model that reasons.'),
  idle: wait(1).prefault('300s').describe('The longest silence of a provider in the middle of a stream.'),
  min_speed: count(0, 1_000_000)
    .prefault(0)
    .describe('Characters a second: a stream that has begun and is slower is ended; 0 ends none.'),
  min_speed_after: wait(1).prefault('30s').describe('How long a stream may be slower than `min_speed`.'),
  whole: wait(1).prefault('10m').describe('The longest wait for one whole answer of one target.'),
  total: wait(1).prefault('15m').describe('The longest that a call may take, all its attempts together.'),
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

const retries = section({
  attempts: count(1, MAX_ATTEMPTS).prefault(3).describe('How often targets are asked for one call, at most.'),
  max_wait: wait(0)
    .prefault('10s')
    .describe('The longest wait before the same target is asked again; one that asks for more is passed over.'),
  budget: fraction()
    .prefault(0.2)
    .describe('Repeats at the same target that may be under way, as a part of the other calls in flight.'),
  budget_min: count(0, 1_000_000).prefault(3).describe('Repeats that may be under way however few calls are.'),
});

const breaker = section({
  failures: count(1, 1_000_000).prefault(5).describe('A target that fails so often in a row is left out.'),
  error_rate: fraction(0.01).prefault(0.5).describe('So is one of whose calls in the window this part fails.'),
  window: wait(1).prefault('30s').describe('How far back calls count.'),
  min_calls: count(1, 1_000_000).prefault(20).describe('With fewer calls in the window no rate is told.'),
  open: wait(1)
    .prefault('5s')
    .describe('How long a target is left out the first time; twice as long each further time.'),
  open_max: wait(1).prefault('60s').describe('The longest that it is left out without being asked again.'),
  credential: wait(1).prefault('60s').describe('How long a credential is left out that the provider refused.'),
  credential_max: wait(1).prefault('10m').describe('The longest that it is left out without being tried again.'),
  credential_keys: count(1, 100)
    .prefault(2)
    .describe('Of how many API keys calls must be refused before a credential is left out for that alone.'),
  retry_after_max: wait(1).prefault('10m').describe('The most that a provider’s own `retry-after` is believed.'),
});

const routing = section({
  affinity_keep: wait(0)
    .prefault('10m')
    .describe('How long a conversation that is silent is remembered to be at its target; 0 remembers none.'),
  max_conversations: count(0, 10_000_000).prefault(100_000).describe('Conversations that are remembered.'),
  learn_every: wait(0)
    .prefault('10m')
    .describe('How often smart routes look whether there is feedback to learn from; 0: never.'),
  learn_after: count(1).prefault(100).describe('Scores of feedback since the last version, from which on they learn.'),
});

const signIn = section({
  session_idle: age('1m', '365d').prefault('24h').describe('A session of a person ends that was not used for so long.'),
  session_life: age('1m', '365d').prefault('14d').describe('A session ends so long after its sign-in.'),
  recent: age('1m', '24h').prefault('10m').describe('How recent a sign-in must be for sensitive changes.'),
  owner_link_life: age('1m', '30d').prefault('24h').describe('How long a link for an owner can be opened.'),
  attempts_per_email: count(1, 1_000_000)
    .prefault(10)
    .describe('Sign-ins that may be tried with one email address within the window.'),
  attempts_per_address: count(1, 1_000_000)
    .prefault(60)
    .describe('Sign-ins that may be tried from one network address (of IPv6 a /64) within the window.'),
  attempts_window: age('1s', '24h').prefault('15m').describe('The window in which attempts are counted.'),
});

const mail = z
  .strictObject({
    smtp_url: smtpUrl().describe(
      'The mail server: smtp://USER:PASSWORD@HOST:PORT, or smtps://… where TLS comes first.',
    ),
    from: z
      .string()
      .regex(/^[^\r\n<>]{0,200}<?[^\s@<>]{1,64}@[^\s@<>]{1,255}>?$/, {
        error: 'must be an email address, such as Headgate <headgate@example.com>',
      })
      .describe('Whom mail is from: an address, with or without a name before it.'),
  })
  .nullish();

const catalog = section({
  infer_prices: flag()
    .prefault(true)
    .describe('Whether a dated name that has no price of its own is billed as the model that it is a version of.'),
  list_prices: flag()
    .prefault(true)
    .describe('Whether a model that has no other price is billed by the price in its vendor’s own list.'),
  discovery: flag()
    .prefault(true)
    .describe(
      'Whether providers are asked for their models and for what they say of their keys. HEADGATE_DISCOVERY wins.',
    ),
  refresh: age('1m', '24d')
    .nullable()
    .prefault(null)
    .describe('How often the catalog is brought up to date from `source`; left out or null, never.'),
  source: z
    .string()
    .min(1, { error: 'must be an http or https address, or the path of a file' })
    .optional()
    .describe('Where a list of models and prices is that `catalog import` can read: an address, or a path.'),
});

export const FILE = z.strictObject({
  server: server.describe('The process itself. A change here needs a restart.'),
  providers: mapOf(providerName, provider).describe('Who answers calls. Only those that are named here are on.'),
  echo: flag().prefault(true).describe('The built-in `echo` provider, which answers without a network.'),
  models: mapOf(qualifiedName, section(facts)).describe(
    'Facts that replace what is known of a model, by `provider/id`; one that nobody lists is there by them.',
  ),
  catalog: catalog.describe('What is known of models.'),
  aliases: mapOf(modelName, modelName).describe('Names of the operator’s own, and the model each leads to.'),
  organizations: mapOf(ownerName, z.strictObject({ name: label.describe('Display name.') })).describe(
    'Who owns keys, by id.',
  ),
  routes: mapOf(modelName, route).describe(
    'Models of the operator’s own, by the name callers use: who answers for them.',
  ),
  system: systemRoute.nullish().describe('The route that only the operator’s own products may call, as `system`.'),
  products: mapOf(ownerName, product).describe('The operator’s own products, by id: what each may call and spend.'),
  limits: limits.describe('The most that is accepted of anything; more is refused.'),
  timeouts: timeouts.describe('How long things may take.'),
  retries: retries.describe('How a call is tried again.'),
  breaker: breaker.describe('When a target that fails is left out, and for how long.'),
  routing: routing.describe('What is remembered of conversations.'),
  retention: retention.describe('How long records are kept.'),
  sign_in: signIn.describe('How people sign in.'),
  mail: mail.describe('The mail server for alerts and invitations; left out, no mail is sent.'),
});

export type ConfigFile = z.output<typeof FILE>;

/** The JSON schema (draft 7, which editors know best) of `headgate.yaml`, as `headgate.schema.json` holds it. */
export function configSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(FILE, { io: 'input', target: 'draft-7' });
  return { title: 'headgate.yaml', ...schema };
}
