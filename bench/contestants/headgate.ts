import assert from 'node:assert/strict';
import { type Running, startHeadgate } from '../../tests/support/headgate.ts';
import type { Route } from '../load/order.ts';
import { USAGE } from '../upstream/answers.ts';
import { FACTS, forEachWorkload, MODEL, ROUTE, requestBody, TRANSLATED_PROVIDER, type Workload } from '../workloads.ts';
import type { Contestant, Starter, Vendor } from './contestant.ts';

/** `restrictsBy`: the provider's setting that restricts its models; `models` for checkouts without `only`. */
export type GatewayOptions = {
  env?: Readonly<Record<string, string>>;
  args?: readonly string[];
  bin?: string;
  restrictsBy?: 'only' | 'models';
};

/** More than any run can use: limits are counted and reported, but refuse nothing. */
const UNREACHED = 1_000_000_000;
const COST_USD = 0.00001635;
/** The other model of the route, beside `MODEL`. */
const OTHER_MODEL = 'bench-model-b';

export const headgate = headgateStarter(
  'headgate',
  'key, ledger, limits, prices and metrics on, as an operator runs it',
);
export const headgateNode = headgateStarter(
  'headgate, node layer',
  'the same with `http_layer: node`: Node’s own HTTP and undici carry the calls',
  { env: { HEADGATE_HTTP_LAYER: 'node' } },
);

/** The requested names of workloads that do not use `MODEL`. */
const MODELS: Readonly<Partial<Record<Workload, string>>> = {
  translated: `${TRANSLATED_PROVIDER}/${MODEL}`,
  routed: ROUTE,
};

/** Headgate with this environment and these arguments. */
export function headgateStarter(name: string, about: string, options: GatewayOptions = {}): Starter {
  return { name, about, optional: false, prepare: () => null, start: (vendor) => startAsContestant(vendor, options) };
}

/** Headgate as an operator runs it: a key, the ledger, limits and a price are all on. */
export function startGateway(
  vendor: Vendor,
  { env = {}, restrictsBy = 'only', ...others }: GatewayOptions = {},
): Promise<Running> {
  const price = '{ input_per_1m: 0.15, output_per_1m: 0.60, cache_read_per_1m: 0.075 }';
  const models = [MODEL, OTHER_MODEL].map((id) => `{ id: ${id}, context_window: 1000000, price: ${price} }`).join(', ');
  const row = `base_url: ${vendor.url}/v1
    api_key: bench-upstream-key
    ${restrictsBy}: [${models}]`;
  const config = `
providers:
  bench:
    ${row}
  ${TRANSLATED_PROVIDER}:
    dialects: [anthropic-messages]
    ${row}
routes:
  ${ROUTE}: { strategy: [smart], targets: [bench/${MODEL}, bench/${OTHER_MODEL}] }
limits: { requests_per_minute: ${UNREACHED}, tokens_per_minute: ${UNREACHED} }
`;
  const trust = vendor.caFile === null ? {} : { NODE_EXTRA_CA_CERTS: vendor.caFile };
  return startHeadgate({ config, env: { ...trust, ...env }, ...others });
}

/** The gateway's route of each workload. */
export function gatewayRoutes({ url, key }: Running): Record<Workload, Route> {
  const routeOf = (workload: Workload) => ({
    port: Number(new URL(url).port),
    path: FACTS[workload].path,
    model: MODELS[workload] ?? MODEL,
    headers: { authorization: `Bearer ${key}` },
  });
  return forEachWorkload(routeOf);
}

/** The number of settled calls by status, from `/metrics`. */
export async function settledCalls({ url }: Running): Promise<Map<string, number>> {
  const response = await fetch(`${url}/metrics`);
  const settled = new Map<string, number>();
  for (const [, status, count] of (await response.text()).matchAll(
    /^headgate_calls_total\{.*status="(\w+)"\} (\d+)$/gm,
  )) {
    settled.set(status!, (settled.get(status!) ?? 0) + Number(count));
  }
  return settled;
}

async function startAsContestant(vendor: Vendor, options: GatewayOptions): Promise<Contestant> {
  const gateway = await startGateway(vendor, options);
  return {
    pid: gateway.pid,
    routes: gatewayRoutes(gateway),
    assertRecorded: (answers) => assertRecorded(gateway, answers),
    [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose](),
  };
}

/**
 * Fails unless the gateway has a settled, succeeded record of each answer, and of one more with its tokens and its
 * cost.
 */
async function assertRecorded(gateway: Running, answers: number): Promise<void> {
  const response = await fetch(`${gateway.url}${FACTS.chat.path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
    body: requestBody('chat', MODEL),
  });
  await response.text();
  assert.equal(response.status, 200, 'a last call is answered');
  const settled = await settledCalls(gateway);
  assert.deepEqual(Object.fromEntries(settled), { succeeded: answers + 1 }, 'each answer has its record');
  const [newest] = (await gateway.usage({ limit: '1' })).data;
  assert.equal(newest?.total_tokens, USAGE.total_tokens, 'the newest record has the tokens that the upstream said');
  assert.equal(newest?.cost_usd, COST_USD, 'the newest record has its cost');
}
