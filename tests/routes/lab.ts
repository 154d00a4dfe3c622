import assert from 'node:assert/strict';
import { type FakeProvider, startFakeProvider } from '../../src/testing/fake-provider.ts';
import { nextPoll, WAIT_MS } from '../../src/testing/wait.ts';
import { type Asked, CHAT, PROMPT, type UsageRow } from '../faults/lab.ts';
import { type Running, startHeadgate } from '../support/headgate.ts';
import { connectRaw, requestBytes } from '../support/raw-http.ts';
import { LONG_MS } from '../support/timeouts.ts';

/** The vendors of a lab by the names of their providers, in the order of routes over them; each has one model, `VENDOR-model`. */
export const VENDORS = ['one', 'two', 'three'] as const;
export type Vendor = (typeof VENDORS)[number];

/** Of the models, in nano-dollars per token: a cost tells who was paid. */
export const PRICES: Readonly<Record<Vendor, { input: number; output: number }>> = {
  one: { input: 1000, output: 2000 },
  two: { input: 3000, output: 5000 },
  three: { input: 7000, output: 11_000 },
};

/** A test sets those that its call is to come to, and no other. */
const TIMEOUTS = {
  connect: LONG_MS,
  first_byte: LONG_MS,
  whole: LONG_MS,
  idle: LONG_MS,
  total: LONG_MS,
  ping: LONG_MS,
  hold: LONG_MS,
};

/** Nothing that is seen in one call is remembered for the next. */
export const FORGETFUL_BREAKER =
  '{ failures: 1000000, min_calls: 1000000, open: 1ms, open_max: 1ms, credential: 1ms, credential_max: 1ms, retry_after_max: 1ms }';

export const KEYS: Readonly<Record<Vendor, string>> = {
  one: 'key-one-0123456789',
  two: 'key-two-0123456789',
  three: 'key-three-0123456789',
};

/** Over all vendors in turn, as many as the name says. */
export const ROUTE_OF = { 1: 'lab/one', 2: 'lab/two', 3: 'lab/three' } as const;

export type RouteLabOptions = {
  /** In ms; each is `LONG_MS` where it is left out. */
  timeouts?: Partial<typeof TIMEOUTS>;
  /** Lines of YAML: `retries: { … }` and more of the top. */
  config?: string;
  /** The value of `breaker`; left out, what is seen in one call is not remembered. `null`: as it is by default. */
  breaker?: string | null;
  limits?: Readonly<Record<string, number | string>>;
  /** More routes, each a line below `routes`. */
  routes?: readonly string[];
  /** More settings of the providers, such as `max_concurrency: 1`, and their addresses where a vendor is not one of ours. */
  providers?: Partial<Record<Vendor, { more?: string; url?: string }>>;
  /** How long a stop waits, in ms. */
  drain?: number;
  workers?: number;
};

export type Question = {
  model?: string;
  stream?: boolean;
  path?: string;
  /** More members of the body; they win. */
  body?: Readonly<Record<string, unknown>>;
  key?: string;
};

/** One try at a target, as `GET /v1/usage/{id}` tells it. */
export type AttemptRow = {
  provider: string;
  upstream_model: string;
  credential: string;
  status: string;
  http_status: number | null;
  error: string | null;
  possibly_billed: boolean;
  usage_source: string;
};

export type RouteLab = AsyncDisposable & {
  vendors: Readonly<Record<Vendor, FakeProvider>>;
  gateway: Running;
  ask(question?: Question): Promise<Asked & { detail(): Promise<{ row: UsageRow; attempts: AttemptRow[] }> }>;
  /** Calls that each vendor has had; that it was asked for its models is none. */
  counts(): Record<Vendor, number>;
  /** Resolves once no vendor has an open call. */
  released(): Promise<void>;
  /** Every plan of every vendor is forgotten, and what was held goes on. */
  forget(): void;
  /** The same; resolves once routes ask the first vendors again, which they pass over for a moment after their keys were refused. */
  recover(): Promise<void>;
};

/** More than any test sends, so that they can be counted. */
const KEPT_REQUESTS = 100_000;

let asked = 0;

export async function startRouteLab(options: RouteLabOptions = {}): Promise<RouteLab> {
  const [one, two, three] = await Promise.all(
    VENDORS.map((name) => startFakeProvider({ models: [`${name}-model`], keptRequests: KEPT_REQUESTS })),
  );
  const vendors = { one: one!, two: two!, three: three! };
  const closeAll = () => Promise.all(Object.values(vendors).map((vendor) => vendor.close()));
  const gateway = await startHeadgate({
    config: configOf(options, vendors),
    env: { KEY_ONE: KEYS.one, KEY_TWO: KEYS.two, KEY_THREE: KEYS.three },
  }).catch(async (error) => {
    await closeAll();
    throw error;
  });

  const lab: RouteLab = {
    vendors,
    gateway,
    async ask(question = {}) {
      asked += 1;
      const id = `routed-${asked}`;
      const headers = { authorization: `Bearer ${question.key ?? gateway.key}`, 'x-request-id': id };
      const client = await connectRaw(gateway.url);
      await client.send(requestBytes('POST', question.path ?? CHAT, headers, bodyOf(question)));
      const record = () => recordOf(gateway, id);
      return {
        client,
        answer: () => client.answer(),
        record,
        detail: async () => {
          const row = await record();
          return { row, attempts: await attemptsOf(gateway, row) };
        },
        [Symbol.dispose]: () => client[Symbol.dispose](),
      };
    },
    counts: () => ({ one: callsOf(vendors.one), two: callsOf(vendors.two), three: callsOf(vendors.three) }),
    async released() {
      for (const vendor of Object.values(vendors)) await vendor.waitFor(({ openCalls }) => openCalls() === 0);
    },
    async recover() {
      lab.forget();
      for (const name of ['one', 'two'] as const) {
        for (let by: string | undefined; by !== name; ) {
          using call = await lab.ask({ model: ROUTE_OF[3], body: { provider: { order: [name] } } });
          by = (await call.answer()).header('service-provider');
        }
      }
    },
    forget() {
      for (const vendor of Object.values(vendors)) {
        vendor.forget();
        if (vendor.heldCalls() > 0) vendor.release();
      }
    },
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      await closeAll();
    },
  };
  return lab;
}

function callsOf({ requests }: FakeProvider): number {
  return requests.filter(({ method }) => method === 'POST').length;
}

/** What a call costs at a vendor, in dollars. */
export function costAt(vendor: Vendor, input: number, output: number): number {
  return (input * PRICES[vendor].input + output * PRICES[vendor].output) / 1e9;
}

/** The record of the call that was sent with this `x-request-id`, once it is settled. */
export async function recordOf(gateway: Running, clientRequestId: string): Promise<UsageRow> {
  const deadline = performance.now() + WAIT_MS;
  while (performance.now() < deadline) {
    const { data } = await gateway.usage({ limit: '100' });
    const found = data.filter((row) => row.client_request_id === clientRequestId);
    assert.ok(found.length < 2, 'a call has one record');
    if (found[0] !== undefined) return found[0];
    await nextPoll();
  }
  throw new Error(`the call ${clientRequestId} has no record after ${WAIT_MS} ms`);
}

export async function attemptsOf(gateway: Running, { id }: UsageRow): Promise<AttemptRow[]> {
  const headers = { authorization: `Bearer ${gateway.key}` };
  const response = await fetch(`${gateway.url}/v1/usage/${id}`, { headers });
  assert.equal(response.status, 200);
  return ((await response.json()) as { attempt_details: AttemptRow[] }).attempt_details;
}

function bodyOf({ model = ROUTE_OF[2], stream = false, body = {} }: Question): Record<string, unknown> {
  return { model, messages: [{ role: 'user', content: PROMPT }], ...(stream && { stream }), ...body };
}

function configOf(options: RouteLabOptions, vendors: Readonly<Record<Vendor, FakeProvider>>): string {
  const { timeouts, config = '', limits, routes = [], providers = {}, drain = 1000, workers = 1 } = options;
  const { breaker = FORGETFUL_BREAKER } = options;
  const waits = Object.entries({ ...TIMEOUTS, ...timeouts }).map(([name, ms]) => `${name}: ${ms}ms`);
  const most = Object.entries({ requests_per_minute: 1_000_000_000, tokens_per_minute: 1_000_000_000, ...limits });
  const rows = VENDORS.map((name) => {
    const { input, output } = PRICES[name];
    const price = `{ input_per_1m: ${input / 1000}, output_per_1m: ${output / 1000} }`;
    const { more = `api_key: "\${KEY_${name.toUpperCase()}}"`, url = vendors[name].url } = providers[name] ?? {};
    return `  ${name}: { base_url: "${url}", only: [{ id: ${name}-model, price: ${price} }], ${more} }`;
  });
  return `
server: { drain: ${drain}ms, workers: ${workers} }
echo: false
providers:
${rows.join('\n')}
routes:
  ${ROUTE_OF[1]}: { targets: [one-model] }
  ${ROUTE_OF[2]}: { targets: [one-model, two-model] }
  ${ROUTE_OF[3]}: { targets: [one-model, two-model, three-model] }
${routes.map((line) => `  ${line}`).join('\n')}
timeouts: { ${waits.join(', ')} }
limits: { ${most.map(([name, value]) => `${name}: ${value}`).join(', ')} }
${breaker === null ? '' : `breaker: ${breaker}`}
${config}
`;
}
