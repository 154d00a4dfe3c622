import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { WAIT_MS } from '../../src/testing/wait.ts';
import { startHeadgate } from '../support/headgate.ts';
import { get, served } from './ask.ts';

const vendor = await startFakeProvider({ models: ['lab-small', 'lab-large'] });
const LAB = `
echo: false
providers:
  lab: { base_url: "${vendor.url}", api_keys: [{ name: first, key: "\${FIRST}" }, { name: second, key: "\${SECOND}" }] }
`;
const ROUTES = `
routes:
  acme/fast: { name: Acme Fast, strategy: [cheapest], targets: [lab-small, lab-large], price: { input_per_1m: 0.2, output_per_1m: 0.8 } }
  acme/auto: { strategy: [smart], targets: [lab-small, { model: lab-large, credential: second }] }
system: { strategy: [priority], targets: [lab-large, lab-small] }
products: { helpdesk: { name: Helpdesk, budget: { usd: 500, per: month } } }
aliases: { default: acme/fast }
`;

const headgate = await startHeadgate({
  config: LAB,
  env: { FIRST: 'key-first-0123456789', SECOND: 'key-second-0123456789' },
});
after(async () => {
  await headgate[Symbol.asyncDispose]();
  await vendor.close();
});

const MODELS = ['lab:lab-small', 'lab:lab-large'];

test('routes come with a reload, beside the models, and go with another', async () => {
  assert.deepEqual(await served(headgate), MODELS);
  await headgate.reload(LAB + ROUTES);
  const names = (await served(headgate)).map((name) => name.slice(name.indexOf(':') + 1));
  assert.deepEqual(names.slice(0, 5), ['lab-small', 'lab-large', 'acme/fast', 'default', 'acme/auto']);
  assert.equal((await get(headgate, '/v1/models/acme/fast')).status, 200);
  const { json } = await get(headgate, '/v1/models/catalog?search=acme');
  const [fast, auto] = json.data as { id: string; origin: string; name: string; pricing: Record<string, unknown> }[];
  assert.partialDeepStrictEqual(fast, {
    id: 'acme/fast',
    origin: 'smart_route',
    name: 'Acme Fast',
    aliases: ['default'],
  });
  assert.partialDeepStrictEqual(fast?.pricing, { input_per_1m: 0.2, output_per_1m: 0.8 });
  assert.partialDeepStrictEqual(auto, { id: 'acme/auto', origin: 'smart_route', name: 'acme/auto' });
  await headgate.reload(LAB);
  assert.deepEqual(await served(headgate), MODELS);
});

test('a route that is wrong keeps the configuration before it, and says where it is wrong', async () => {
  await headgate.reload(LAB + ROUTES);
  await headgate.reload(`${LAB}routes: { acme/fast: { targets: [acme/auto] }, acme/auto: { targets: [lab-small] } }`);
  await headgate.waitForLine(
    /headgate\.yaml:5:34 routes\.acme\/fast\.targets\[0\]: names the route acme\/auto; it must name a model/,
  );
  assert.equal((await get(headgate, '/v1/models/acme/auto')).status, 200);
});

test('a provider is asked for its models with its first key, and by each other whether that is valid', async () => {
  // It is asked without a key, too: a vendor that answers anybody says nothing of a key.
  const keys = () => new Set(vendor.listRequests.flatMap(({ headers }) => headers.authorization ?? []));
  const until = performance.now() + WAIT_MS;
  while (keys().size < 2 && performance.now() < until) await turn();
  assert.deepEqual([...keys()].sort(), ['Bearer key-first-0123456789', 'Bearer key-second-0123456789']);
});
