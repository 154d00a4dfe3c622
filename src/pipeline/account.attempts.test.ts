import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../core/errors.ts';
import { model, provider, route } from '../testing/routes.ts';
import { answers, completion, fails, Lab, refuses, SMALL_CHAT, START } from './fixtures.test.ts';

test('what a call’s last attempt may have cost is in its record, and not lost beside it', async () => {
  const lab = new Lab({
    served: [
      { provider: provider('one'), models: [model('first', [4, 4])] },
      { provider: provider('two'), models: [model('second', [1, 1])] },
    ],
    routes: [route(['first', 'second'])],
  });
  lab.reactions = [fails(new GatewayError('upstream_disconnected', 'The vendor hung up.'))];
  await assert.rejects(lab.call({ ...SMALL_CHAT, model: 'acme/auto' }));
  const { usage, routed } = lab.settlements[0]!;
  // The same prompt twice, at each target's price.
  assert.equal(routed!.vendorCost, BigInt(usage.inputTokens) * 5000n);
});

test('a call that cannot be put in the words of one target goes to the next, and cost nothing there', async () => {
  const speaks = [{ dialect: 'anthropic-messages' as const, path: '/messages' }];
  const lab = new Lab({
    served: [
      { provider: provider('one', { speaks }), models: [model('first', [4, 4], { dialects: ['anthropic-messages'] })] },
      { provider: provider('two'), models: [model('second')] },
    ],
    routes: [route(['first', 'second'])],
  });
  lab.reactions = [answers(completion())];
  await lab.call({ model: 'acme/auto', messages: [{ role: 'user', content: 5 }] });
  const { attempts, cost, routed } = lab.settlements[0]!;
  assert.deepEqual(
    attempts.map(({ provider, errorKind, usageSource }) => [provider, errorKind, usageSource]),
    [
      ['one', 'invalid_request', 'none'],
      ['two', null, 'provider'],
    ],
  );
  assert.equal(routed!.vendorCost, cost);
  assert.deepEqual([lab.requests.length, attempts[0]!.startedAt], [1, START]);
});

const ROUTED = { ...SMALL_CHAT, model: 'acme/auto' };
const TIMEOUT = new GatewayError('upstream_timeout', 'The provider did not answer in time.');
const ANTHROPIC = { dialect: 'anthropic-messages' as const, path: '/messages' };
/** A file that only `mine` may be sent, and a format that cannot be written for a vendor that speaks Anthropic's. */
const FILE = [
  { type: 'text', text: 'What does it say?' },
  { type: 'file', file: { file_id: 'file-abc' } },
];
const UNWRITABLE = [
  { ...ROUTED, messages: [{ role: 'user', content: FILE }] },
  { ...ROUTED, response_format: { type: 'grammar', grammar: 'x' } },
];

/** A route to a target that can take such calls, and then to one or two that cannot. */
function onlyFirstCanTakeIt(others: number): Lab {
  const dialects = [ANTHROPIC.dialect];
  const rest = ['two', 'three'].slice(0, others);
  return new Lab({
    served: [
      { provider: provider('mine', { sharedIds: 'allow' }), models: [model('first', [4, 4])] },
      ...rest.map((name) => ({
        provider: provider(name, { speaks: [ANTHROPIC] }),
        models: [model(`at-${name}`, [1, 1], { dialects })],
      })),
    ],
    routes: [
      route(['first', ...rest.map((name) => `at-${name}`)]),
      route(
        rest.map((name) => `at-${name}`),
        { id: 'acme/others' },
      ),
    ],
  });
}

test('where the others cannot be sent the call, the caller is told why the one that was asked failed', async () => {
  for (const body of UNWRITABLE) {
    for (const others of [1, 2]) {
      const lab = onlyFirstCanTakeIt(others);
      lab.reactions = [refuses(429, {}, { 'retry-after': '2' })];
      const limited = { kind: 'upstream_rate_limited', status: 429, retryAfterMs: 2000 };
      await assert.rejects(lab.call(body), limited);
      const { errorKind, httpStatus, routed, attempts } = lab.settlements[0]!;
      assert.deepEqual([errorKind, httpStatus, routed!.provider], ['upstream_rate_limited', 429, 'mine']);
      assert.deepEqual(
        attempts.map((attempt) => attempt.errorKind),
        ['upstream_rate_limited', ...Array(others).fill('invalid_request')],
      );
      assert.deepEqual(
        lab.logged.map(({ call, error }) => [call.provider, error.kind]),
        [['mine', 'upstream_rate_limited']],
      );
    }
  }
});

test('what the one that was asked may have charged is billed, where the others cannot be sent the call', async () => {
  for (const body of UNWRITABLE) {
    const lab = onlyFirstCanTakeIt(1);
    lab.reactions = [fails(TIMEOUT)];
    await assert.rejects(lab.call(body), { kind: 'upstream_timeout', status: 504 });
    const { usage, cost, routed } = lab.settlements[0]!;
    assert.ok(usage.inputTokens > 0);
    assert.deepEqual([cost, routed!.vendorCost], Array(2).fill(BigInt(usage.inputTokens) * 4000n));
  }
});

test('a refusal by the vendor goes before that the others cannot be sent the call', async () => {
  const lab = onlyFirstCanTakeIt(2);
  lab.reactions = [refuses(400, { message: 'That is too odd.' })];
  await assert.rejects(lab.call(UNWRITABLE[1]!), { kind: 'upstream_rejected', status: 400 });
});

test('a call that can be written for no target is refused as such, and costs nothing', async () => {
  const lab = onlyFirstCanTakeIt(2);
  for (const name of ['at-two', 'acme/others']) {
    await assert.rejects(lab.call({ ...UNWRITABLE[1], model: name }), { kind: 'invalid_request', status: 400 });
    const { errorKind, cost } = lab.settlements.at(-1)!;
    assert.deepEqual([lab.requests.length, errorKind, cost], [0, 'invalid_request', 0n]);
  }
});

test('a fault of our own does not hide what was lost before it, nor at whom', async () => {
  for (const asked of [['one'], ['one', 'two']]) {
    const names = [...asked, 'last'];
    const lab = new Lab({
      served: names.map((name) => ({ provider: provider(name), models: [model(`at-${name}`, [4, 4])] })),
      routes: [route(names.map((name) => `at-${name}`))],
    });
    const { upstreamOf } = lab.parts;
    lab.parts.upstreamOf = (vendor) => {
      if (vendor.id !== 'last') return upstreamOf(vendor);
      throw new TypeError('a bug');
    };
    lab.reactions = [...asked.slice(1).map(() => refuses(503)), fails(TIMEOUT)];
    await assert.rejects(lab.call(ROUTED), { kind: 'internal' });
    const { cost, routed } = lab.settlements[0]!;
    assert.deepEqual([cost, routed!.provider, routed!.vendorCost! > 0n], [0n, asked.at(-1), true]);
  }
});
