import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GatewayError } from '../core/errors.ts';
import type { Model, Target } from '../core/provider.ts';
import { NO_USAGE } from '../core/usage.ts';
import { anthropicMessages } from '../dialects/anthropic-messages/anthropic-messages.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { openAiChat } from '../dialects/openai-chat/openai-chat.ts';
import { openAiResponses } from '../dialects/openai-responses/openai-responses.ts';
import { model, provider, route, served } from '../testing/routes.ts';
import { answers, CALLER, caller, completion, Lab, SMALL_CHAT } from './fixtures.test.ts';
import { Planner } from './planner.ts';

const BODIES: ReadonlyMap<Dialect, object> = new Map<Dialect, object>([
  [openAiChat, SMALL_CHAT],
  [anthropicMessages, { ...SMALL_CHAT, max_tokens: 9 }],
  [openAiResponses, { model: 'small', input: 'Hello' }],
]);

/** Where a call goes that comes in a dialect. */
function planned(lab: Lab, asked: Dialect, more: object = {}) {
  const planner = planners.get(lab) ?? new Planner(lab.parts);
  planners.set(lab, planner);
  const body = Buffer.from(JSON.stringify({ ...BODIES.get(asked), ...more }));
  const envelope = asked.inbound.readEnvelope(body, { maxJsonDepth: 9, maxEmbeddingInputs: 1 });
  const call = { asked, caller: CALLER, sent: { header: () => undefined } };
  return planner.plan(call, envelope, lab.parts.current().directory);
}

function namesOf(targets: readonly Target[]): string[] {
  return targets.map(({ provider: { credentialName } }) => credentialName);
}

/** A planner remembers the plans it has made. */
const planners = new WeakMap<Lab, Planner>();

const SPEAKS_TWO = provider('two', {
  speaks: [
    { dialect: 'openai-chat', path: '/chat/completions' },
    { dialect: 'anthropic-messages', path: '/messages' },
  ],
});
const BOTH = model('small', [1, 2], { dialects: ['openai-chat', 'anthropic-messages'] });

test('a model that is served in two dialects is asked in that of each caller, whoever asked before', () => {
  const lab = new Lab({ served: [{ provider: SPEAKS_TWO, models: [BOTH] }] });
  const dialectsOf = (asked: Dialect) => planned(lab, asked).targets.map(({ dialect, path }) => [dialect, path]);
  for (let times = 0; times < 2; times += 1) {
    assert.deepEqual(dialectsOf(openAiChat), [['openai-chat', '/chat/completions']]);
    assert.deepEqual(dialectsOf(anthropicMessages), [['anthropic-messages', '/messages']]);
    // The richer of the two that it is served in.
    assert.deepEqual(dialectsOf(openAiResponses), [['anthropic-messages', '/messages']]);
  }
});

test('the plan of a model with one credential is made once', () => {
  const lab = new Lab({ served: [served('lab', [model('small')])] });
  assert.equal(planned(lab, openAiChat), planned(lab, openAiChat));
});

test('a model that no dialect of the caller’s leads to is refused by name, each time', () => {
  const embeds = provider('lab', { speaks: [{ dialect: 'openai-embeddings', path: '/embeddings' }] });
  const lab = new Lab({
    served: [{ provider: embeds, models: [model('small', [1, 2], { dialects: ['openai-embeddings'] })] }],
  });
  for (let times = 0; times < 2; times += 1) {
    assert.throws(
      () => planned(lab, openAiChat),
      (error: GatewayError) => error.kind === 'invalid_request' && error.code === 'unsupported_model',
    );
  }
});

test('an unknown model is a 404 with the nearest names', () => {
  const lab = new Lab({ served: [served('lab', [model('small')])] });
  assert.throws(
    () => planned(lab, openAiChat, { model: 'smal' }),
    (error: GatewayError) => error.kind === 'model_not_found' && error.message.includes('`small`'),
  );
});

test('several credentials of a provider are all targets, each first with its share of the calls', () => {
  const lab = new Lab({ served: [served('lab', [model('small')], { a: 3, b: 1 })] });
  let chance = 0;
  Object.assign(lab.parts, { random: () => chance });
  const first = new Map<string, number>();
  for (let at = 0; at < 400; at += 1) {
    chance = (at + 0.5) / 400;
    const { targets } = planned(lab, openAiChat);
    assert.deepEqual(targets.map(({ provider: { credentialName } }) => credentialName).sort(), ['a', 'b']);
    const { credentialName } = targets[0].provider;
    first.set(credentialName, (first.get(credentialName) ?? 0) + 1);
  }
  // Shares are drawn: a tenth to either side of three quarters.
  assert.ok(first.get('a')! > 260 && first.get('a')! < 340, `${first.get('a')} of 400`);
});

test('a model that is named directly is explained as it is called: in the drawn order, without credentials of weight 0', async () => {
  const lab = new Lab({ served: [served('lab', [model('small')], { off: 0, a: 1, b: 1 })] });
  const firsts = new Set<string>();
  for (let at = 0; at < 20; at += 1) {
    Object.assign(lab.parts, { random: () => (at + 0.5) / 20 });
    const explained = await lab.pipeline.explain(lab.request(SMALL_CHAT, caller()));
    assert.ok(explained.kind === 'direct');
    const told = namesOf(explained.targets);
    assert.deepEqual(told, namesOf(planned(lab, openAiChat).targets));
    assert.deepEqual([...told].sort(), ['a', 'b']);
    firsts.add(told[0]!);
  }
  assert.equal(firsts.size, 2);
});

test('a route’s targets are those of its decision, which the plan keeps', () => {
  const lab = new Lab({
    served: [served('lab', [model('small'), model('large')])],
    routes: [route(['small', 'large'])],
  });
  const plan = planned(lab, openAiChat, { model: 'acme/auto' });
  assert.deepEqual(
    plan.targets.map((target) => target.model.id),
    ['small', 'large'],
  );
  assert.equal(plan.route!.id, 'acme/auto');
  assert.equal(plan.decision!.traits.promptTokens > 0, true);
});

test('a conversation of a route stays where its cache is warm', async () => {
  const usage = {
    prompt_tokens: 5000,
    completion_tokens: 1,
    total_tokens: 5001,
    prompt_tokens_details: { cached_tokens: 4000 },
  };
  const lab = new Lab({
    served: [served('lab', [model('small'), model('large')])],
    routes: [route(['small', 'large'], { strategy: [{ kind: 'weighted', sticky: false }] })],
  });
  lab.reactions = [answers(completion('Hi', { usage }))];
  const chances = Array.from({ length: 12 }, (_, at) => at / 12);
  const asked = { ...SMALL_CHAT, model: 'acme/auto', prompt_cache_key: 'a conversation' };
  for (const chance of chances) {
    Object.assign(lab.parts, { random: () => chance });
    await lab.call(asked);
  }
  const servedBy = new Set(lab.requests.map(({ target }) => target.model.id));
  assert.equal(servedBy.size, 1, [...servedBy].join());
  for (const chance of chances) {
    Object.assign(lab.parts, { random: () => chance });
    await lab.call({ ...asked, prompt_cache_key: `another ${chance}` });
  }
  assert.equal(new Set(lab.requests.map(({ target }) => target.model.id)).size, 2, 'others go to both');
});

test('of the next prompt as much is warm as the vendor said, and all of a long one that it caches unasked', () => {
  const unasked = model('small');
  const { rates } = unasked.price!;
  const asked = model('small', [1, 2], {
    price: { ...unasked.price!, rates: { ...rates, cache_write: rates.input! } },
  });
  const warm = (of: Model, inputTokens: number) => {
    const lab = new Lab({ served: [served('lab', [of])], routes: [route(['small'])] });
    const plan = () => planned(lab, openAiChat, { model: 'acme/auto', prompt_cache_key: 'a conversation' });
    const { targets } = plan();
    const usage = { ...NO_USAGE, inputTokens, cacheReadTokens: 300, cacheWriteTokens: 200 };
    planners.get(lab)!.noteAnswer(plan(), targets[0], usage);
    return plan().decision!.warm?.cachedTokens;
  };
  assert.deepEqual([warm(unasked, 1_024), warm(unasked, 1_023), warm(asked, 1_024)], [1_024, 500, 500]);
});
