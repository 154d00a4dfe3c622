import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { type Answer, ask, errorOf } from '../http/client.ts';
import { startHeadgate } from '../support/headgate.ts';

const vendor = await startFakeProvider();
const server = await startHeadgate({
  config: `
echo: false
providers:
  lab:
    base_url: "${vendor.url}"
    api_keys: [{ name: first, key: key-first-0123456789 }, { name: second, key: key-second-0123456789 }]
    only:
      - { id: small, context_window: 1000, price: { input_per_1m: 1, output_per_1m: 2 } }
      - { id: large, context_window: 100000, price: { input_per_1m: 10, output_per_1m: 20 } }
      - { id: vectors, dialects: [openai-embeddings] }
routes:
  acme/fast: { strategy: [cheapest], targets: [large, small] }
  acme/tiny: { targets: [small], limits: { max_prompt_tokens: 5 } }
  acme/near: { targets: [vectors] }
system: { targets: [large] }
products: { helpdesk: {} }
`,
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await vendor.close();
});

type Place = { model: string; provider: string; upstream_model: string; credential?: string };
type Decision = {
  object: string;
  route: string | null;
  direct: boolean;
  strategy: string[];
  order: Place[];
  candidates: (Place & {
    left_out: { reason: string } | null;
    expected_cost_usd: number | null;
    health: { circuit: string };
  })[];
  because: string[];
  traits: Record<string, unknown> | null;
  refusal: Record<string, unknown> | null;
};

const HI = [{ role: 'user', content: 'Hi' }];

async function explain(id: string, body: unknown, key = server.key, query = ''): Promise<Answer> {
  return ask(`${server.url}/v1/routes/${id}/explain${query}`, { key, body });
}

async function explained(...asked: Parameters<typeof explain>): Promise<Decision> {
  const answer = await explain(...asked);
  assert.equal(answer.status, 200, answer.text);
  return answer.json as Decision;
}

test('it tells who would serve a call and why, calls nobody, and leaves no record', async () => {
  const decision = await explained('acme/fast', { messages: HI, max_tokens: 100 });
  assert.deepEqual(
    [decision.object, decision.route, decision.direct, decision.strategy, decision.refusal],
    ['route.decision', 'acme/fast', false, ['cheapest'], null],
  );
  assert.deepEqual([...new Set(decision.order.map(({ upstream_model }) => upstream_model))], ['small', 'large']);
  assert.equal(decision.order.length, 4);
  assert.match(decision.because.join('\n'), /^cheapest: small first, expected to cost \$0\.\d+\.$/);
  for (const { left_out, expected_cost_usd, health } of decision.candidates) {
    assert.equal(left_out, null);
    assert.ok(expected_cost_usd !== null && expected_cost_usd > 0 && expected_cost_usd < 0.01);
    assert.equal(health.circuit, 'closed');
  }
  assert.partialDeepStrictEqual(decision.traits, { surface: 'openai-chat', max_output_tokens: 100 });
  assert.equal('allowed_models' in decision.traits!, false);
  assert.equal(vendor.requests.filter(({ method }) => method === 'POST').length, 0);
  assert.deepEqual((await server.usage()).data, []);
});

test('a slash of the id may be encoded, and the body’s own model is of no account', async () => {
  const encoded = await explained('acme%2Ffast', { model: 'another', messages: HI });
  assert.equal(encoded.route, 'acme/fast');
});

test('what is left out has a reason, and a call that nobody can serve its error', async () => {
  const long = [{ role: 'user', content: 'word '.repeat(4000) }];
  const { candidates, order, refusal } = await explained('acme/fast', { messages: long });
  const reasons = candidates.map(({ model, left_out }) => `${model} ${left_out?.reason}`);
  assert.deepEqual([...new Set(reasons)], ['large undefined', 'small context_window']);
  assert.deepEqual([new Set(order.map(({ model }) => model)), refusal], [new Set(['large']), null]);

  const refused = await explained('acme/tiny', { messages: long });
  assert.partialDeepStrictEqual(refused.refusal, { status: 400, code: 'context_length_exceeded' });
  assert.match(String(refused.refusal?.message), /`acme\/tiny` takes 5 at most/);
});

test('every surface’s bodies are taken: by their members, or as they are said to be', async () => {
  const surfaceOf = async (id: string, body: unknown, query = '') =>
    (await explained(id, body, server.key, query)).traits?.surface;
  assert.equal(await surfaceOf('acme/fast', { input: 'Hi' }), 'openai-responses');
  assert.equal(await surfaceOf('acme/fast', { messages: HI, system: 'Be', max_tokens: 9 }), 'anthropic-messages');
  assert.equal(
    await surfaceOf('acme/fast', { messages: HI, max_tokens: 9 }, '?surface=messages'),
    'anthropic-messages',
  );
  assert.equal(await surfaceOf('acme/near', { input: 'Hi' }), 'openai-embeddings');
});

test('a vendor’s model is told to be direct', async () => {
  for (const id of ['small', 'lab/small']) {
    const decision = await explained(id, { messages: HI });
    assert.deepEqual([decision.route, decision.direct, decision.candidates, decision.traits], [null, true, [], null]);
    assert.deepEqual(decision.order.map(({ upstream_model, credential }) => `${upstream_model} ${credential}`).sort(), [
      'small first',
      'small second',
    ]);
    assert.match(decision.because[0] ?? '', /is a model of lab\. The call goes there directly/);
  }
});

test('the names of credentials are for administrators', async () => {
  const { key } = await server.createKey();
  const { order, candidates } = await explained('acme/fast', { messages: HI }, key);
  assert.deepEqual(
    order.map((place) => place),
    [
      { model: 'small', provider: 'lab', upstream_model: 'small', dialect: 'openai-chat' },
      { model: 'large', provider: 'lab', upstream_model: 'large', dialect: 'openai-chat' },
    ],
  );
  assert.ok(candidates.every((candidate) => !('credential' in candidate)));
});

test('who may not call a route may not ask of it, but for administrators and the system route', async () => {
  assert.equal((await explained('system', { messages: HI })).route, 'system');
  const { key: plain } = await server.createKey();
  const unknown = await explain('system', { messages: HI }, plain);
  assert.deepEqual([unknown.status, errorOf(unknown).code], [404, 'model_not_found']);
  const { key: product } = await server.createKey('--product', 'helpdesk');
  assert.equal((await explained('system', { messages: HI }, product)).route, 'system');
  const { key: bound } = await server.createKey('--models', 'small');
  const forbidden = await explain('acme/fast', { messages: HI }, bound);
  assert.deepEqual([forbidden.status, errorOf(forbidden).code], [403, 'model_not_allowed']);
});

test('what is no call is refused as a call would be', async () => {
  assert.equal(errorOf(await explain('acme/fast', {})).param, 'messages');
  assert.equal(errorOf(await explain('acme/fast', '[1]')).code, 'invalid_json');
  assert.equal(errorOf(await explain('acme/fast', '{')).code, 'invalid_json');
  const steered = await explain('acme/fast', { messages: HI, provider: { onyl: ['lab'] } });
  assert.deepEqual([steered.status, errorOf(steered).param], [400, 'provider.onyl']);
  assert.equal((await explain('nothing', { messages: HI })).status, 404);
});

test('beside it there is nothing', async () => {
  for (const path of ['acme/fast', 'acme/fast/explain/more']) {
    const answer = await ask(`${server.url}/v1/routes/${path}`, { key: server.key, body: { messages: HI } });
    assert.equal(answer.status, 404, path);
    assert.equal(errorOf(answer).code, 'not_found');
  }
  assert.equal((await ask(`${server.url}/v1/routes/a/explain`, { key: server.key })).status, 405);
});
