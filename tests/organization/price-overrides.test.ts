import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import OpenAI from 'openai';
import { answer } from '../../src/testing/answers.ts';
import { type FakeProvider, startFakeProvider } from '../../src/testing/fake-provider.ts';
import { insert } from '../../src/testing/reply.ts';
import { nextPoll, WAIT_MS } from '../../src/testing/wait.ts';
import { type Running, startHeadgate } from '../support/headgate.ts';
import { ask, begin, chat } from '../workers/ask.ts';
import { documentedFetch } from './documented.ts';

const CONFIG = (vendor: string) => `providers:
  lab:
    base_url: ${vendor}
    api_key: sk-lab-0001
    models:
      - plain
      - { id: stated, price: { input_per_1m: 7, output_per_1m: 7 } }
models:
  lab/facts: { price: { input_per_1m: 3, output_per_1m: 3 } }
routes: { acme/fast: { targets: [lab/plain] } }
limits: { requests_per_minute: 1000000 }
`;
const PRICES = '/organization/price_overrides';
const ONE = { input_per_1m: 1, output_per_1m: 1 };
const TWO = { input_per_1m: 2, output_per_1m: 2, tiers: [{ above_prompt_tokens: 100_000, input_per_1m: 4 }] };

type Price = {
  id: string;
  model: string;
  state: string;
  price: { input_per_1m: number; source: string; tiers: unknown[] };
  effective_at: number | null;
  ended_at: number | null;
  note: string | null;
  set_by: { type: string } | null;
  origin: string;
  set_in: unknown;
  version: number | null;
};
type ModelPrice = { id: string; in_force: boolean; origin: string; price_override_id: string | null; set_by: unknown };
type Page<Item> = { data: Item[]; has_more: boolean; next: string | null };

let vendor: FakeProvider;
let headgate: Running;
let admin: OpenAI;
before(async () => {
  vendor = await startFakeProvider();
  vendor.plan(answer(), { path: '/v1/chat/completions' });
  headgate = await startHeadgate({ config: CONFIG(vendor.url), args: ['--workers', '2'] });
  await connect();
});
after(async () => {
  await headgate[Symbol.asyncDispose]();
  await vendor.close();
});

/** A gateway that was started again listens elsewhere. */
async function connect(): Promise<void> {
  const fetch = await documentedFetch(headgate.url);
  const keys = { adminAPIKey: headgate.key, apiKey: headgate.key };
  admin = new OpenAI({ ...keys, baseURL: `${headgate.url}/v1`, maxRetries: 0, fetch });
}

const post = <T = Price>(path: string, body: object) => admin.post<T>(path, { body });
const get = <T = Price>(path: string) => admin.get<T>(path);
const history = async (model: string) =>
  (await get<Page<ModelPrice>>(`/organization/models/${encodeURIComponent(model)}/prices?limit=100`)).data;

/** What a call costs, as its answer says, and the call. */
async function costOf(model: string): Promise<{ cost: string | null; id: string }> {
  const { status, headers, text } = await ask(headgate, '/v1/chat/completions', chat(model));
  assert.equal(status, 200, text);
  return { cost: headers.get('service-cost-usd'), id: headers.get('x-request-id')! };
}

/** Asks until calls in a row, of each process, cost what is wanted: `null` is a cost that is not known. */
async function untilCosts(model: string, isWanted: (cost: number | null) => boolean): Promise<number | null> {
  const end = performance.now() + WAIT_MS;
  for (;;) {
    const costs: (number | null)[] = [];
    for (let each = 0; each < 4; each += 1) {
      const { cost } = await costOf(model);
      costs.push(cost === null || cost === 'unknown' ? null : Number(cost));
    }
    if (costs.every(isWanted)) return costs[0]!;
    assert.ok(performance.now() < end, costs.join(', '));
    await nextPoll();
  }
}

test('a price bills at once in every process; what was billed stays; the history has all of it', async () => {
  await untilCosts('lab/plain', (cost) => cost === null);
  const first = await post(PRICES, { model: 'lab/plain', price: ONE, note: 'as agreed' });
  assert.deepEqual([first.state, first.note, first.version, first.origin], ['in_force', 'as agreed', 1, 'settings']);
  const one = (await untilCosts('lab/plain', (cost) => cost !== null))!;
  const { id: call } = await costOf('lab/plain');
  const second = await post(PRICES, { model: 'plain', price: TWO });
  assert.equal(second.model, 'lab/plain');
  assert.deepEqual(second.price.tiers.length, 1);
  await untilCosts('lab/plain', (cost) => cost !== null && Math.abs(cost - 2 * one) < 1e-12);

  const before = await get<{ cost_usd: number }>(`/usage/${call}`);
  assert.equal(before.cost_usd, one);
  await headgate.kill9();
  await headgate.restart();
  await connect();
  assert.equal((await get<{ cost_usd: number }>(`/usage/${call}`)).cost_usd, one);
  await untilCosts('lab/plain', (cost) => cost !== null && Math.abs(cost - 2 * one) < 1e-12);

  assert.deepEqual([(await get(`${PRICES}/${first.id}`)).state], ['replaced']);
  await admin.delete(`${PRICES}/${second.id}`);
  await untilCosts('lab/plain', (cost) => cost === null);
  await assert.rejects(admin.delete(`${PRICES}/${second.id}`), { status: 400, message: /has already ended/ });
  const { data } = await get<Page<Price>>(`${PRICES}?model=plain`);
  assert.deepEqual(
    data.map(({ id, state, set_by }) => [id, state, set_by?.type]),
    [
      [first.id, 'replaced', 'api_key'],
      [second.id, 'ended', 'api_key'],
    ],
  );
  assert.ok(data.every(({ ended_at }) => ended_at !== null));
  const past = await history('lab/plain');
  assert.deepEqual(
    past.map(({ price_override_id: id, in_force: is, origin }) => [id, is, origin]),
    [
      [first.id, false, 'settings'],
      [second.id, false, 'settings'],
    ],
  );
  const { data: log } = await get<Page<{ type: string }>>('/organization/audit_logs?limit=100');
  const types = new Set(log.map(({ type }) => type));
  assert.ok(types.has('price_override.created') && types.has('price_override.ended'));
});

test('a call is billed by the price that held when it began', async () => {
  await post(PRICES, { model: 'lab/held', price: ONE });
  const one = (await untilCosts('lab/held', (cost) => cost !== null))!;
  vendor.plan(insert(answer(), 0, 'hold'), { model: 'held', times: 1 });
  const open = begin(headgate, '/v1/chat/completions', chat('lab/held'));
  await vendor.waitFor(({ heldCalls }) => heldCalls() === 1);
  await post(PRICES, { model: 'lab/held', price: TWO });
  await untilCosts('lab/held', (cost) => cost !== null && cost > one);
  vendor.release();
  assert.equal(Number((await open).headers.get('service-cost-usd')), one);
});

test('a price that is to come begins at its time, and can be changed until then', async () => {
  const at = Math.ceil(Date.now() / 1000) + 30;
  const made = await post(PRICES, { model: 'lab/later', price: ONE, effective_at: at });
  assert.deepEqual([made.state, made.effective_at], ['scheduled', at]);
  const soon = Math.ceil(Date.now() / 1000) + 3;
  const moved = await post(`${PRICES}/${made.id}`, { price: TWO, effective_at: soon, if_version: 1 });
  assert.deepEqual([moved.version, moved.price.input_per_1m, moved.effective_at], [2, 2, soon]);
  await assert.rejects(post(`${PRICES}/${made.id}`, { note: 'x', if_version: 1 }), { status: 409 });
  const { cost } = await costOf('lab/later');
  const wasEarly = Date.now() / 1000 < soon;
  if (wasEarly) assert.ok(cost === null || cost === 'unknown', `${cost}`);
  await untilCosts('lab/later', (each) => each !== null);
  assert.ok(Date.now() / 1000 >= soon);
  await assert.rejects(post(`${PRICES}/${made.id}`, { note: 'x' }), { status: 400, param: 'price_override_id' });
  const cancelled = await post(PRICES, { model: 'lab/later', price: ONE, effective_at: soon + 3_600 });
  await admin.delete(`${PRICES}/${cancelled.id}`);
  assert.equal((await get(`${PRICES}/${cancelled.id}`)).state, 'cancelled');
  assert.equal((await get(`${PRICES}/${made.id}`)).state, 'in_force');
});

test('prices of the file are shown with their line, and changed there', async () => {
  const { data } = await get<Page<Price>>(`${PRICES}?limit=100`);
  const ofFile = data.filter(({ origin }) => origin === 'file');
  assert.deepEqual(
    ofFile.map(({ id, set_in: place, version }) => [id, place, version]),
    [
      ['file/lab/facts', { file: 'headgate.yaml', line: 9 }, null],
      ['file/lab/stated', { file: 'headgate.yaml', line: 7 }, null],
    ],
  );
  for (const model of ['lab/facts', 'stated']) {
    const where = /from the file, because it is set in headgate.yaml, line [79]/;
    await assert.rejects(post(PRICES, { model, price: ONE }), { status: 400, param: 'model', message: where });
  }
  await assert.rejects(admin.delete(`${PRICES}/${encodeURIComponent('file/lab/facts')}`), { status: 400 });
  const [current] = await history('lab/facts');
  assert.deepEqual([current?.in_force, current?.origin], [true, 'file']);
});

test('what cannot be is refused with the member’s name', async () => {
  const cases: readonly [object, string][] = [
    [{ model: 'acme/fast', price: ONE }, 'model'],
    [{ model: 'echo', price: ONE }, 'model'],
    [{ model: 'nowhere', price: ONE }, 'model'],
    [{ model: 'lab/x', price: {} }, 'price'],
    [{ model: 'lab/x', price: { input_per_1m: 'much' } }, 'price.input_per_1m'],
    [{ model: 'lab/x', price: { input_per_1m: -1 } }, 'price.input_per_1m'],
    [{ model: 'lab/x', price: { ...ONE, rate: 1 } }, 'price.rate'],
    [{ model: 'lab/x', price: { ...ONE, date: '2026-01-01' } }, 'price.date'],
    [{ model: 'lab/x', price: { ...ONE, per_call: { search: 'x'.repeat(20_000) } } }, 'price'],
    [{ model: 'lab/x', price: ONE, effective_at: 1_000_000 }, 'effective_at'],
    [{ model: 'lab/x', price: ONE, effective_at: 1e10 }, 'effective_at'],
    [{ model: 'lab/x', price: ONE, from: 1 }, 'from'],
  ];
  for (const [body, param] of cases) {
    await assert.rejects(post(PRICES, body), { status: 400, param }, JSON.stringify(body));
  }
});

test('commands set, show and end prices', async () => {
  const done = async (...args: string[]) => {
    const { code, stdout, stderr, json } = await headgate.command('prices', ...args);
    assert.equal(code, 0, `${args.join(' ')}: ${stdout}${stderr}`);
    return { stdout, stderr, json: json as { id: string } };
  };
  const { json } = await done('set', 'lab/typed', '--input', '0.5', '--output', '1.5', '--note', 'x', '--json');
  const unlisted = await done('set', 'lab/never-listed', '--input', '1');
  assert.match(
    unlisted.stderr,
    /^No model or route is known as “lab\/never-listed”.*: its calls are billed by this price once/,
  );
  await untilCosts('lab/typed', (cost) => cost !== null);
  const list = await done('list', 'lab/typed');
  assert.match(list.stdout, /lab\/typed +\$0\.5 +\$1\.5 .*in force +settings/);
  const refused = await headgate.command('prices', 'set', 'echo', '--input', '1');
  assert.deepEqual([refused.code, refused.stderr], [2, 'MODEL is built in, and its price cannot be changed.\n']);
  await done('remove', json.id);
  await untilCosts('lab/typed', (cost) => cost === null);
});
