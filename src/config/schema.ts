import * as z from 'zod';
import { DURABILITIES, HTTP_LAYERS, LOG_LEVELS, MAX_WORKERS } from './config.ts';
import { age, count, flag, fraction, ipRange, mapOf, publicUrl, section, size, smtpUrl, text, wait } from './fields.ts';
import { facts } from './model-schema.ts';
import { label, modelName, ownerName, providerName, qualifiedName } from './names.ts';
import { provider } from './provider-schema.ts';
import { MAX_ATTEMPTS, product, route, systemRoute } from './route-schema.ts';
import { SIZE } from './units.ts';

/** Settings that the environment may override. */
export const SHARED = {
  host: text(/^[A-Za-z0-9.:-]+$/, 'must be an address or a host name to listen on, without a port'),
  port: count(0, 65_535),
  data: z.string().min(1, { error: 'must be the path of a folder' }),
  log_level: z.enum(LOG_LEVELS),
  http_layer: z.enum(HTTP_LAYERS),
  workers: count(1, MAX_WORKERS),
  metrics_token: text(/^[!-~]+$/, 'must be printable ASCII without spaces'),
};

/** Larger than any machine that needs this limit. */
const MAX_MEMORY = SIZE.parse('1024GB')!;

/** A secret that only the environment may set. */
export const LONG_SECRET = text(/^.{32,}$/s, 'must have at least 32 characters');

function allowedHosts() {
  return z
    .array(text(/^[a-z0-9.:[\]-]+$/, 'must be a host name or an address in lower case, without a port'))
    .max(100, { error: 'must have at most 100 items' })
    .prefault([]);
}

const server = section({
  host: SHARED.host.prefault('127.0.0.1').describe('The address to listen on. HEADGATE_HOST overrides it.'),
  port: SHARED.port
    .prefault(8080)
    .describe('The port to listen on; 0 takes any free port. HEADGATE_PORT overrides it.'),
  data: SHARED.data
    .prefault('./data')
    .describe('The data folder, relative to this file; created if missing. HEADGATE_DATA overrides it.'),
  header_prefix: text(/^[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?$/, 'must be lower-case letters, digits and “-” (at most 32)')
    .prefault('service')
    .describe('The prefix of the gateway’s response headers: `service` gives `service-provider`.'),
  log_level: SHARED.log_level
    .prefault('info')
    .describe('The lowest level that is logged. HEADGATE_LOG_LEVEL overrides it.'),
  log_calls: flag().prefault(true).describe('True if each call is logged at level `info`, without its content.'),
  console: flag().prefault(true).describe('True if the web console is served at `/`.'),
  drain: wait(0).prefault('25s').describe('How long a stop waits for open calls before it ends them.'),
  durability: z
    .enum(DURABILITIES)
    .prefault('normal')
    .describe('The failures that a record survives: `normal`, a crash of the process; `full`, a power loss too.'),
  http_layer: SHARED.http_layer
    .prefault('fast')
    .describe(
      'The HTTP implementation for calls: `fast`, the gateway’s own; `node`, Node.js and undici. HEADGATE_HTTP_LAYER overrides it.',
    ),
  workers: SHARED.workers
    .prefault(1)
    .describe('The number of worker processes. HEADGATE_WORKERS and `headgate serve --workers` override it.'),
  worker_timeout: wait(2000)
    .prefault('10s')
    .describe('How long a worker may leave the primary unanswered before it is killed and replaced.'),
  worker_start_timeout: wait(2000)
    .prefault('5m')
    .describe('`worker_timeout` for a worker that is still starting. It does not limit the whole start.'),
  public_url: publicUrl()
    .optional()
    .describe(
      'The gateway’s address for browsers: https, or http://localhost (default on a loopback address: http://localhost).',
    ),
  trusted_proxies: z
    .array(ipRange())
    .max(100, { error: 'may have at most 100' })
    .optional()
    .describe('Addresses and ranges of proxies whose X-Forwarded-For and X-Forwarded-Proto are trusted.'),
  webhook_hosts: allowedHosts().describe(
    'Hosts that may receive webhooks at private addresses and over http. All others must be public and use https.',
  ),
  provider_hosts: allowedHosts().describe(
    'Hosts that providers of the settings may use at private addresses and over http. All others must be public and use https. Providers of this file may be anywhere.',
  ),
  metrics_token: SHARED.metrics_token
    .optional()
    .describe('The bearer token for `/metrics` from other machines. HEADGATE_METRICS_TOKEN overrides it.'),
});

const limits = section({
  requests_per_minute: count(1).prefault(600).describe('Requests per minute of an API key without its own limit.'),
  tokens_per_minute: count(1).prefault(2_000_000).describe('Tokens per minute of an API key without its own limit.'),
  person_requests_per_minute: count(1)
    .prefault(1200)
    .describe('Requests per minute of a signed-in person, over all their browsers.'),
  max_requests_at_once: count(1, 10_000)
    .prefault(64)
    .describe('Concurrent requests of one person or API key, in each process; model calls do not count.'),
  max_body: size(1024).prefault('64MB').describe('The largest body of a request.'),
  max_answer: size(1024).prefault('64MB').describe('The largest whole answer of a provider.'),
  max_header: size(1024, 1024 ** 2)
    .prefault('32KB')
    .describe('The largest total size of a request’s headers.'),
  max_line: size(1024).prefault('16MB').describe('The longest line of an event stream.'),
  max_json_depth: count(1, 10_000).prefault(512).describe('The deepest nesting of a JSON body.'),
  max_json_values: count(1, 10_000_000)
    .prefault(500_000)
    .describe('The most values in a JSON body, of any kind and depth.'),
  max_json_members: count(1, 10_000_000)
    .prefault(40_000)
    .describe('The most named members in all objects of a JSON body.'),
  max_open_calls: count(1, 1_000_000).prefault(10_000).describe('The most concurrent calls.'),
  max_idle_connections: count(1, 1_000_000)
    .prefault(10_000)
    .describe('The most caller connections without a request; beyond it the oldest are closed.'),
  max_unread: size(1024 ** 2, MAX_MEMORY)
    .prefault('256MB')
    .describe(
      'The most bytes of buffered answers that callers have not read; beyond it the slowest callers are dropped.',
    ),
  max_receiving: size(1024 ** 2, MAX_MEMORY)
    .prefault('512MB')
    .describe('The most bytes of requests being received; keys that exceed their share are refused.'),
  default_max_output: count(1).prefault(1024).describe('Tokens reserved for the answer of a call without a maximum.'),
  count_cached_input: flag()
    .prefault(true)
    .describe('True if prompt tokens read from a cache count towards the tokens per minute of keys and projects.'),
  hold_model_maximum: flag()
    .prefault(true)
    .describe(
      'True if a call without a maximum holds the price of the model’s longest answer, or all that is left of the spend limit.',
    ),
  max_embedding_inputs: count(1, 1_000_000).prefault(2048).describe('The most inputs of an embeddings call.'),
  max_output_items: size(0).prefault('64MB').describe('The total size of stored output items of responses.'),
  max_usage_factor: count(1, 1_000_000)
    .prefault(4)
    .describe('Reported usage of more tokens than this many context windows of the model is rejected as implausible.'),
  max_vendor_cost: count(0, 1_000_000)
    .prefault(10_000)
    .describe('A higher cost of one call in dollars that a provider reports is rejected as implausible.'),
  max_route_targets: count(1, 1000).prefault(100).describe('The most targets plus fallbacks of one route.'),
  max_reports: count(1, 1000)
    .prefault(4)
    .describe('Concurrent reports (`GET /v1/usage`) of an API key, in each process.'),
  max_watchers: count(1, 10_000)
    .prefault(100)
    .describe('Concurrent streams of live usage (`GET /v1/usage/live`), in each process.'),
  max_key_watchers: count(1, 1000)
    .prefault(4)
    .describe('Concurrent streams of live usage of one API key or signed-in person, in each process.'),
  max_refused_calls: count(0, 10_000_000)
    .prefault(100_000)
    .describe('The most refused calls that are stored; the oldest go. 0 stores none.'),
  max_key_refused_calls: count(0, 1_000_000)
    .prefault(1_000)
    .describe('The most stored refused calls of one API key, and of all callers without a valid key. 0 stores none.'),
  max_loop_lag: wait(0)
    .prefault('500ms')
    .describe('New calls are refused while the event loop lags by more than this; 0 disables the check.'),
  max_memory: size(0, MAX_MEMORY)
    .prefault(0)
    .describe('New calls are refused while a process uses more memory than this; 0 disables the check.'),
});

const timeouts = section({
  connect: wait(1).prefault('3s').describe('The longest time to connect to a provider.'),
  first_byte: wait(1)
    .prefault('120s')
    .describe('The longest wait for the first byte of a stream. Other answers have only `whole` and `total`.'),
  first_byte_reasoning: wait(1).prefault('10m').describe('`first_byte` for reasoning models.'),
  idle: wait(1).prefault('300s').describe('The longest silence of a provider in the middle of a stream.'),
  min_speed: count(0, 1_000_000)
    .prefault(0)
    .describe('Characters per second below which a stream is ended; 0 disables the check.'),
  min_speed_after: wait(1).prefault('30s').describe('How long a stream may be slower than `min_speed`.'),
  whole: wait(1).prefault('10m').describe('The longest wait for one whole answer of one target.'),
  total: wait(1).prefault('15m').describe('The longest duration of a call with all its attempts.'),
  ping: wait(1).prefault('15s').describe('The interval of comments that keep a silent stream open.'),
  hold: wait(0)
    .prefault('2s')
    .describe('How long opening events of a stream wait for the first event with content; 0 disables waiting.'),
  request: wait(1).prefault('60s').describe('The longest time for a request to arrive in full.'),
});

const retention = section({
  output_items: wait(0)
    .prefault('1h')
    .describe('How long later calls can refer to the output items of a response by id.'),
  usage: age('1d', '36500d')
    .nullable()
    .prefault(null)
    .describe('How long usage records are kept (default, or null: forever).'),
  refused_calls: age('1h', '365d')
    .prefault('7d')
    .describe('How long refused calls are kept; those without a valid key at most a day.'),
});

const retries = section({
  attempts: count(1, MAX_ATTEMPTS).prefault(3).describe('The most attempts of one call.'),
  max_wait: wait(0)
    .prefault('10s')
    .describe('The longest wait before a retry at the same target; a target that asks for more is skipped.'),
  budget: fraction()
    .prefault(0.2)
    .describe('Concurrent retries at the same target, as a fraction of the other calls in flight.'),
  budget_min: count(0, 1_000_000)
    .prefault(3)
    .describe('Concurrent retries that are always allowed, however few calls are in flight.'),
});

const breaker = section({
  failures: count(1, 1_000_000).prefault(5).describe('Consecutive failures after which a target is left out.'),
  error_rate: fraction(0.01)
    .prefault(0.5)
    .describe('The share of failed calls in the window at which a target is left out.'),
  window: wait(1).prefault('30s').describe('How far back calls count.'),
  min_calls: count(1, 1_000_000).prefault(20).describe('The fewest calls in the window for `error_rate` to apply.'),
  open: wait(1).prefault('5s').describe('How long a target is left out the first time; the time doubles each time.'),
  open_max: wait(1).prefault('60s').describe('The longest time that it is left out before it is tried again.'),
  credential: wait(1).prefault('60s').describe('How long a credential that the provider refused is left out.'),
  credential_max: wait(1)
    .prefault('10m')
    .describe('The longest time that a credential is left out before it is tried again.'),
  credential_keys: count(1, 100)
    .prefault(2)
    .describe('Number of API keys whose calls must be refused before a credential is left out on that evidence alone.'),
  retry_after_max: wait(1).prefault('10m').describe('The upper bound on a provider’s `retry-after`.'),
});

const routing = section({
  affinity_keep: wait(0)
    .prefault('10m')
    .describe('How long an idle conversation stays bound to its target; 0 disables it.'),
  max_conversations: count(0, 10_000_000).prefault(100_000).describe('The most conversations that are remembered.'),
  learn_every: wait(0).prefault('10m').describe('How often smart routes check for new feedback; 0: never.'),
  learn_after: count(1)
    .prefault(100)
    .describe('Scores of feedback since the last version that they need to learn again.'),
});

const signIn = section({
  session_idle: age('1m', '365d').prefault('24h').describe('A session ends after this time without use.'),
  session_life: age('1m', '365d').prefault('14d').describe('A session ends this long after the sign-in.'),
  recent: age('1m', '24h').prefault('10m').describe('How recent a sign-in must be for sensitive changes.'),
  owner_link_life: age('1m', '30d').prefault('24h').describe('How long a link for an owner is valid.'),
  attempts_per_email: count(1, 1_000_000)
    .prefault(10)
    .describe('Sign-in attempts per email address within the window.'),
  attempts_per_address: count(1, 1_000_000)
    .prefault(60)
    .describe('Sign-in attempts per network address (for IPv6, per /64) within the window.'),
  attempts_window: age('1s', '24h').prefault('15m').describe('The window in which sign-in attempts are counted.'),
});

const mail = z
  .strictObject({
    smtp_url: smtpUrl().describe('The mail server: smtp://USER:PASSWORD@HOST:PORT, or smtps://… for implicit TLS.'),
    from: z
      .string()
      .regex(/^[^\r\n<>]{0,200}<?[^\s@<>]{1,64}@[^\s@<>]{1,255}>?$/, {
        error: 'must be an email address, such as Headgate <headgate@example.com>',
      })
      .describe('The sender of mail: an address, with or without a name before it.'),
  })
  .nullish();

const catalog = section({
  infer_prices: flag()
    .prefault(true)
    .describe('True if a dated model name without a price is billed at the price of its undated model.'),
  list_prices: flag()
    .prefault(true)
    .describe('True if the vendor’s own price list is used for models without another price.'),
  discovery: flag()
    .prefault(true)
    .describe(
      'True if providers are asked for their models and for the state of their keys. HEADGATE_DISCOVERY overrides it.',
    ),
  refresh: age('1m', '24d')
    .nullable()
    .prefault(null)
    .describe('How often the catalog is refreshed from `source` (default, or null: never).'),
  source: z
    .string()
    .min(1, { error: 'must be an http or https address, or the path of a file' })
    .optional()
    .describe('The address or path of a list of models and prices that `catalog import` can read.'),
});

export const FILE = z.strictObject({
  server: server.describe('Settings of the process. Changes need a restart.'),
  providers: mapOf(providerName, provider).describe('The providers. Only providers named here are on.'),
  echo: flag().prefault(true).describe('The built-in `echo` provider, which answers without a network.'),
  models: mapOf(qualifiedName, section(facts)).describe(
    'Facts by `provider/id`, which override the catalog. They also add models that no list has.',
  ),
  catalog: catalog.describe('The model catalog.'),
  aliases: mapOf(modelName, modelName).describe('Other names for models and routes.'),
  organizations: mapOf(ownerName, z.strictObject({ name: label.describe('Display name.') })).describe(
    'Who owns keys, by id.',
  ),
  routes: mapOf(modelName, route).describe('Routes, by the model name that callers use.'),
  system: systemRoute.nullish().describe('The route that only the operator’s products may call, as `system`.'),
  products: mapOf(ownerName, product).describe('The operator’s products, by id, with what each may call and spend.'),
  limits: limits.describe('Limits; calls and requests beyond them are refused.'),
  timeouts: timeouts.describe('Timeouts.'),
  retries: retries.describe('Retries of calls.'),
  breaker: breaker.describe('When a failing target is left out, and for how long.'),
  routing: routing.describe('Conversation affinity, and learning of smart routes.'),
  retention: retention.describe('How long records are kept.'),
  sign_in: signIn.describe('How people sign in.'),
  mail: mail.describe('The mail server for alerts and invitations; without it no mail is sent.'),
});

export type ConfigFile = z.output<typeof FILE>;

/** The JSON schema of `headgate.yaml`, as in `headgate.schema.json`. Draft 7, which editors support best. */
export function configSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(FILE, { io: 'input', target: 'draft-7' });
  return { title: 'headgate.yaml', ...schema };
}
