import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { answer } from '../../src/testing/answers.ts';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { errorReply } from '../../src/testing/reply.ts';
import { ask } from '../http/client.ts';
import { startHeadgate } from '../support/headgate.ts';

const vendor = await startFakeProvider();
vendor.plan(answer({ usage: { prompt_tokens: 9, completion_tokens: 8 } }));
const strict = await startFakeProvider();
strict.plan(() => errorReply(401, { message: 'No: not-a-good-key-000', type: 'invalid_api_key' }));
const server = await startHeadgate({
  config: `
providers:
  lab: { base_url: "${vendor.url}", only: [{ id: priced, price: { input_per_1m: 10, output_per_1m: 20 } }, unpriced] }
  gone: { base_url: "http://127.0.0.1:1/v1", only: [absent] }
  strict: { base_url: "${strict.url}", api_key: not-a-good-key-000, only: [locked] }
retries: { attempts: 1 }
routes:
  acme/gone: { targets: [absent], disclose: false }
  acme/open: { targets: [echo] }
  acme/silent: { targets: [echo], disclose: false }
`,
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await vendor.close();
  await strict.close();
});
const plain = await server.createKey();

const MESSAGES = [{ role: 'user', content: 'Hello' }];

type Told = readonly [route: string | null, provider: string | null, model: string | null, attempts: string | null];

async function toldBy(model: string, key: string, stream: boolean): Promise<Told> {
  const { headers } = await ask(`${server.url}/v1/chat/completions`, {
    key,
    body: { model, messages: MESSAGES, stream },
  });
  const of = (name: string) => headers.get(`service-${name}`);
  return [of('route'), of('provider'), of('model'), of('attempts')];
}

for (const stream of [false, true]) {
  test(`who serves is told but by a route that does not disclose it, ${stream ? 'in a stream' : 'in a whole answer'}`, async () => {
    assert.deepEqual(await toldBy('acme/open', plain.key, stream), ['acme/open', 'echo', 'echo', '1']);
    assert.deepEqual(await toldBy('acme/silent', plain.key, stream), ['acme/silent', null, null, '1']);
    assert.deepEqual(await toldBy('acme/silent', server.key, stream), ['acme/silent', 'echo', 'echo', '1']);
  });
}

test('an error names the provider that is at fault, and neither its address nor its key, but by such a route', async () => {
  const messageOf = async (model: string, key: string) => {
    const { text } = await ask(`${server.url}/v1/chat/completions`, { key, body: { model, messages: MESSAGES } });
    assert.doesNotMatch(text, /127\.0\.0\.1|not-a-good/);
    return (JSON.parse(text) as { error: { message: string } }).error.message;
  };
  assert.equal(await messageOf('absent', plain.key), 'The provider gone could not be reached.');
  assert.doesNotMatch(await messageOf('acme/gone', plain.key), /gone/);
  assert.equal(await messageOf('acme/gone', server.key), 'The provider gone could not be reached.');
  assert.match(await messageOf('locked', plain.key), /^The provider strict refused the gateway's own credential/);
});

test('explain tells no targets of such a route, but to administrators', async () => {
  const explain = async (key: string, route = 'acme/silent') => {
    const { text } = await ask(`${server.url}/v1/routes/${route}/explain`, { key, body: { messages: MESSAGES } });
    return text;
  };
  const { candidates, order, refusal, route } = JSON.parse(await explain(plain.key)) as Record<string, unknown>;
  assert.deepEqual([candidates, order, refusal, route], [[], [], null, 'acme/silent']);
  assert.doesNotMatch(await explain(plain.key), /echo/);
  for (const text of [await explain(server.key), await explain(plain.key, 'acme/open')]) assert.match(text, /echo/);
});

test('a whole answer says what it costs, as its record does; one that has no price says nothing of it', async () => {
  const call = (model: string) =>
    ask(`${server.url}/v1/chat/completions`, { key: plain.key, body: { model, messages: MESSAGES } });
  const costOf = async (model: string) => (await call(model)).headers.get('service-cost-usd');
  assert.equal(await costOf('priced'), '0.00025');
  assert.equal((await server.usage({ limit: '1' })).data[0]?.cost_usd, 0.00025);
  assert.deepEqual([await costOf('echo'), await costOf('unpriced')], ['0', null]);
});

test('the catalog tells where such a route leads to administrators alone', async () => {
  const entryOf = async (key: string, path: string) => {
    const { text } = await ask(`${server.url}/v1${path}`, { key });
    return JSON.parse(text) as { routing: { targets: { provider: string }[] }; pricing: { range: object | null } };
  };
  for (const path of ['/models/catalog/acme/silent', '/models/catalog/acme/gone']) {
    const [told, hidden] = [await entryOf(server.key, path), await entryOf(plain.key, path)];
    assert.equal(told.routing.targets.length, 1);
    assert.deepEqual([hidden.routing.targets, hidden.pricing.range], [[], null]);
  }
  assert.equal((await entryOf(plain.key, '/models/catalog/acme/open')).routing.targets[0]?.provider, 'echo');
  for (const path of ['/models/catalog?search=acme', '/routes']) {
    const { text } = await ask(`${server.url}/v1${path}`, { key: plain.key });
    assert.doesNotMatch(text, /absent|"gone"/);
  }
});
