import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RefusedCall, RefusedRecord } from '../core/refused-calls.ts';
import {
  MAX_A_SECOND,
  MAX_OF_KEY_A_SECOND,
  MAX_OF_ORGANIZATION_A_SECOND,
  MAX_WAITING,
  RefusedCallKeeper,
} from './refused-call-keeper.ts';

function refusal(changes: Partial<RefusedCall> = {}): RefusedCall {
  return {
    requestId: 'req_1',
    clientRequestId: null,
    at: 1_000,
    key: { id: 'key_1', name: 'ci', organizationId: 'org_1', source: 'product', product: 'helpdesk' },
    sender: null,
    tool: null,
    model: 'gpt-99',
    httpStatus: 404,
    errorKind: 'model_not_found',
    message: 'No such model.',
    param: 'model',
    latencyMs: 2.4,
    ...changes,
  };
}

function keyOf(id: string, organizationId = 'org_1'): NonNullable<RefusedCall['key']> {
  return { id, name: id, organizationId, source: 'api_key', product: null };
}

function setUp() {
  const state = {
    now: 0,
    shed: 0,
    failure: null as Error | null,
    wait: Promise.resolve(),
    bounds: { inAll: 100, perKey: 10 },
  };
  const stored: RefusedRecord[] = [];
  const errors: unknown[] = [];
  let ids = 0;
  const keeper = new RefusedCallKeeper({
    store: {
      async add(calls) {
        await state.wait;
        if (state.failure !== null) throw state.failure;
        stored.push(...calls);
      },
    },
    monotonic: () => state.now,
    recordId: () => `usage_${++ids}`,
    bounds: () => state.bounds,
    onShed: () => {
      state.shed += 1;
    },
    onError: (error) => void errors.push(error),
  });
  return { keeper, state, stored, errors };
}

test('a refused call is stored with its key, words and time', async () => {
  const { keeper, stored } = setUp();
  keeper.note(refusal());
  keeper.note(refusal({ key: null, sender: { key: 'sk-…', address: '192.0.2.1' }, httpStatus: 401 }));
  await keeper.close();
  const [first, second] = stored;
  assert.deepEqual(first, {
    id: 'refused_1',
    requestId: 'req_1',
    clientRequestId: null,
    at: 1_000,
    organizationId: 'org_1',
    keyId: 'key_1',
    sender: null,
    source: 'product',
    product: 'helpdesk',
    tool: null,
    model: 'gpt-99',
    httpStatus: 404,
    errorKind: 'model_not_found',
    message: 'No such model.',
    param: 'model',
    latencyMs: 2,
    shed: 0,
  });
  assert.deepEqual([second?.organizationId, second?.keyId, second?.sender?.address], [null, null, '192.0.2.1']);
});

test('a flood of one key is counted, and leaves room for others', async () => {
  const { keeper, state, stored } = setUp();
  for (let call = 0; call < MAX_OF_KEY_A_SECOND + 5; call += 1) keeper.note(refusal());
  keeper.note(refusal({ key: keyOf('key_2') }));
  state.now += 1_000;
  keeper.note(refusal());
  await keeper.close();
  const byKey = (id: string) => stored.filter(({ keyId }) => keyId === id);
  assert.equal(byKey('key_1').length, MAX_OF_KEY_A_SECOND + 1);
  assert.equal(byKey('key_2').length, 1);
  assert.deepEqual([byKey('key_1').at(-1)?.shed, state.shed], [5, 5]);
});

test('of an organization, and of all together, only so many are stored in a second', async () => {
  const { keeper, state, stored } = setUp();
  const most = MAX_OF_ORGANIZATION_A_SECOND;
  for (let call = 0; call < most + 3; call += 1) keeper.note(refusal({ key: keyOf(`key_${call}`) }));
  for (let call = 0; call < most + 3; call += 1) keeper.note(refusal({ key: keyOf(`key_b${call}`, 'org_2') }));
  keeper.note(refusal({ key: keyOf('key_c', 'org_3') }));
  await keeper.close();
  assert.deepEqual([stored.length, state.shed], [MAX_A_SECOND, 7]);
});

test('a store that does not answer is waited for with so many calls at most', async () => {
  const { keeper, state, stored } = setUp();
  const { promise, resolve } = Promise.withResolvers<void>();
  state.wait = promise;
  for (let call = 0; call < MAX_WAITING + 100; call += 1) {
    if (call % MAX_OF_KEY_A_SECOND === 0) state.now += 1_000;
    keeper.note(refusal());
  }
  resolve();
  await keeper.close();
  assert.deepEqual([stored.length, state.shed], [MAX_WAITING, 100]);
});

test('nothing is stored if the settings say none', async () => {
  const { keeper, state, stored } = setUp();
  state.bounds = { inAll: 0, perKey: 10 };
  keeper.note(refusal());
  state.bounds = { inAll: 10, perKey: 0 };
  keeper.note(refusal());
  await keeper.close();
  assert.deepEqual([stored.length, state.shed], [0, 0]);
});

test('a store that fails is told of once, and what it refused is counted', async () => {
  const { keeper, state, stored, errors } = setUp();
  state.failure = new Error('the disk is full');
  for (let call = 0; call < 2; call += 1) {
    keeper.note(refusal());
    await keeper.close();
  }
  assert.deepEqual([stored.length, state.shed, errors], [0, 2, [state.failure]]);
  state.failure = null;
  keeper.note(refusal());
  await keeper.close();
  assert.equal(stored.length, 1);
});

test('long texts are cut, and what no terminal shows is replaced', async () => {
  const { keeper, stored } = setUp();
  keeper.note(refusal({ message: `${'m'.repeat(5_000)}`, model: 'a\u0000b\ud800', param: 'p'.repeat(300) }));
  await keeper.close();
  const [call] = stored;
  assert.deepEqual([call?.message.length, call?.message.at(-1)], [1_000, '…']);
  assert.equal(call?.model, 'a\ufffdb\ufffd');
  assert.equal(call?.param?.length, 256);
});
