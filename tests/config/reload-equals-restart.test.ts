import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { WAIT_MS } from '../../src/testing/wait.ts';
import { type Running, startHeadgate } from '../support/headgate.ts';
import { connectRaw, requestBytes } from '../support/raw-http.ts';
import { get, post, served } from './ask.ts';
import { configMaker, KEY_VARIABLE } from './random-config.ts';

const SEED = 20261121;
const CONFIGS = 8;
/** How long vendors' lists may take to arrive. */
/** With one target, or always the same: where a call goes must not be chance. */
const ROUTES = ['acme/ruled', 'system'];

const alpha = await startFakeProvider({ models: ['shared', 'alpha', 'alpha-embed'] });
const beta = await startFakeProvider({ models: ['shared', 'beta'] });
const env = { GROQ_API_KEY: 'dummy-0123456789', [KEY_VARIABLE]: 'key-one-0123456789' };
const reloaded = await startHeadgate({ config: 'echo: true', env });
const restarted = await startHeadgate({ config: 'echo: true', env });
after(async () => {
  await Promise.all([reloaded, restarted].map((headgate) => headgate[Symbol.asyncDispose]()));
  await Promise.all([alpha, beta].map((vendor) => vendor.close()));
});

test(`after a reload everything is as after a restart (seed ${SEED})`, async () => {
  const makeConfig = configMaker(SEED, { alpha: alpha.url, beta: beta.url });
  const seen = new Set<string>();
  for (let count = 0; count < CONFIGS; count += 1) {
    const config = makeConfig();
    const [told] = await Promise.all([reloaded.reload(config), restarted.restart(config)]);
    assert.match(told, /was reloaded/, config);
    const [one, other] = await bothBehaviours();
    assert.deepEqual(one, other, config);
    seen.add(JSON.stringify(one));
  }
  assert.equal(seen.size, CONFIGS, 'each configuration does something else');
});

/** What vendors list comes a moment after a configuration is in force: until then the two may know different lists. */
async function bothBehaviours() {
  const until = performance.now() + WAIT_MS;
  for (;;) {
    const both = await Promise.all([behaviour(reloaded), behaviour(restarted)]);
    if (isDeepStrictEqual(...both) || performance.now() > until) return both;
  }
}

/** All that a caller, and the operator, can see of a configuration. */
async function behaviour(headgate: Running): Promise<Record<string, unknown>> {
  const [models, catalog, openapi] = await Promise.all(
    ['/v1/models', '/v1/models/catalog', '/openapi.json'].map(async (path) => (await get(headgate, path)).json),
  );
  const names = (await served(headgate)).map((name) => name.slice(name.indexOf(':') + 1));
  const retrieved = names.map(async (name) => (await get(headgate, `/v1/models/${name}`)).json);
  const calls = ['shared', 'me', 'you', 'they', 'beta/shared', 'echo', 'alhpa', ...ROUTES].map((model) =>
    call(headgate, model),
  );
  return {
    ...{ models, catalog, openapi },
    retrieved: await Promise.all(retrieved),
    calls: await Promise.all(calls),
    limits: await limits(headgate),
    notices: notices(headgate),
  };
}

/** Where a call goes. */
async function call(headgate: Running, model: string): Promise<unknown> {
  const body = { model, messages: [{ role: 'user', content: 'Hi' }] };
  const { status, headers, json } = await post(headgate, '/v1/chat/completions', body);
  const ours = ['provider', 'model', 'attempts'].map((name) => headers.get(`service-${name}`));
  return { status, ours, model: json.model, error: json.error };
}

/** Each limit, by what it refuses. */
async function limits(headgate: Running): Promise<unknown> {
  const sizes = [1, 2, 3, 4];
  const bodies = sizes.map((kilobytes) => ({ model: 'none', messages: ['x'.repeat(kilobytes * 1000)] }));
  const deep = sizes.map((size) => ({ model: 'none', messages: nested(size * 4) }));
  const inputs = sizes.map((length) => ({ model: 'none', input: new Array(length).fill('x') }));
  const statuses = (path: string, all: object[]) =>
    Promise.all(all.map(async (body) => (await post(headgate, path, body)).status));
  const { headers } = await get(headgate, '/v1/models');
  return {
    requests: headers.get('x-ratelimit-limit-requests'),
    tokens: headers.get('x-ratelimit-limit-tokens'),
    body: await statuses('/v1/chat/completions', bodies),
    depth: await statuses('/v1/chat/completions', deep),
    inputs: await statuses('/v1/embeddings', inputs),
    header: await Promise.all(sizes.map((kilobytes) => statusOfHeader(headgate, kilobytes * 1000))),
  };
}

/** On a connection of its own: an open one keeps the limit that it began with. */
async function statusOfHeader(headgate: Running, bytes: number): Promise<number> {
  using client = await connectRaw(headgate.url);
  await client.send(requestBytes('GET', '/healthz', { 'x-filler': 'x'.repeat(bytes) }));
  return (await client.answer()).status;
}

function nested(depth: number): unknown {
  return JSON.parse('['.repeat(depth) + ']'.repeat(depth));
}

/** What was told of the configuration that is in force, but for targets without a price: after a reload only new ones are told. */
function notices(headgate: Running): string[] {
  const told = headgate.stdout().split('The configuration was reloaded.').at(-1) ?? '';
  return [...told.matchAll(/(?:Provider|Credential|Alias|The facts of|Route|Product) \S+ .*\.$/gm)]
    .map(([notice]) => notice)
    .filter((notice) => !notice.includes('no price'));
}
