import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import OpenAI from 'openai';
import { type FakeProvider, startFakeProvider } from '../../src/testing/fake-provider.ts';
import { nextPoll, WAIT_MS } from '../../src/testing/wait.ts';
import { ask, errorOf } from '../http/client.ts';
import { type Running, startHeadgate } from '../support/headgate.ts';

let vendor: FakeProvider;

before(async () => {
  vendor = await startFakeProvider();
});
after(() => vendor.close());

/** A call costs a dollar for each million tokens in and out; echo is free. */
function config(workers: number): string {
  return `
server: { workers: ${workers} }
providers:
  lab: { base_url: "${vendor.url}", api_key: lab-key, models: [{ id: priced, price: { input_per_1m: 1000, output_per_1m: 1000 } }] }
`;
}

const MESSAGES = [{ role: 'user', content: 'hi' }];

for (const workers of [1, 3]) {
  test(`the budget of a project and of the organization hold for all their keys, with ${workers} of processes`, async () => {
    await using headgate = await startHeadgate({ config: config(workers) });
    const { organization } = administrator(headgate);
    const one = await organization.projects.create({ name: 'one' });
    const two = await organization.projects.create({ name: 'two' });
    const [keyOfOne, otherOfOne, keyOfTwo] = (await Promise.all(
      [one.id, one.id, two.id].map(async (id) => {
        const account = await organization.projects.serviceAccounts.create(id, { name: 'a' });
        return account.api_key?.value ?? '';
      }),
    )) as [string, string, string];
    const call = (key: string) =>
      ask(`${headgate.url}/v1/chat/completions`, {
        key,
        body: { model: 'priced', max_tokens: 10, messages: MESSAGES },
      });
    const spent = async (key: string) => {
      const { status, headers, text } = await call(key);
      assert.equal(status, 200, text);
      return Number(headers.get('service-cost-usd'));
    };
    const money = (threshold_amount: number) => ({ currency: 'USD', interval: 'month', threshold_amount }) as const;
    const becomes = async (key: string, status: number) => {
      const until = performance.now() + WAIT_MS;
      for (;;) {
        const answer = await call(key);
        if (answer.status === status) return answer;
        assert.ok(performance.now() < until, `it is answered ${answer.status}: ${answer.text}`);
        await nextPoll();
      }
    };

    // What was spent before there was a limit counts as well.
    assert.ok((await spent(keyOfOne)) > 0.01);
    await organization.projects.spendLimit.update(one.id, money(1));
    const refused = await becomes(keyOfOne, 429);
    assert.match(
      String(errorOf(refused).message),
      /[Tt]he budget of the project `one` has .* left of \$0\.01 per month/,
    );
    assert.equal(errorOf(refused).code, 'insufficient_quota');
    assert.equal((await call(otherOfOne)).status, 429);
    assert.equal((await call(keyOfTwo)).status, 200);

    await organization.spendLimit.update(money(1));
    const ofAll = await becomes(keyOfTwo, 429);
    assert.match(String(errorOf(ofAll).message), /[Tt]he budget of the organization `Default`/);
    await organization.spendLimit.delete();
    await organization.projects.spendLimit.delete(one.id);
    await becomes(keyOfTwo, 200);
    await becomes(otherOfOne, 200);
  });
}

test('what calls of a model may use in a project holds for all its keys together', async () => {
  await using headgate = await startHeadgate({ config: config(1) });
  const { organization } = administrator(headgate);
  const { id } = await organization.projects.create({ name: 'rated' });
  const keys = await Promise.all(
    ['a', 'b'].map(
      async (name) => (await organization.projects.serviceAccounts.create(id, { name })).api_key?.value ?? '',
    ),
  );
  const rates = organization.projects.rateLimits;
  await rates.updateRateLimit('rate_limit_echo', { project_id: id, max_requests_per_1_minute: 3 });
  const call = (key: string, model: string) =>
    ask(`${headgate.url}/v1/chat/completions`, { key, body: { model, messages: MESSAGES } });

  const refusals: string[] = [];
  const until = performance.now() + WAIT_MS;
  for (let number = 0; refusals.length < 2; number += 1) {
    assert.ok(performance.now() < until, 'both keys are refused');
    const { status, json } = await call(keys[number % 2]!, 'echo');
    if (status === 429) refusals.push(String(errorOf({ json }).message));
  }
  assert.match(refusals[0]!, /^In this project, for the model `echo`: /);
  assert.equal((await call(keys[0]!, 'priced')).status, 200);
  assert.equal((await call(headgate.key, 'echo')).status, 200);
});

test('the limits of a month are listed, and none is no error', async () => {
  await using headgate = await startHeadgate({ config: 'echo: true' });
  const { url, key } = headgate;
  const { organization } = administrator(headgate);
  type Listed = { data: { id: string; project_id: string | null; threshold_amount: number }[]; next: string | null };
  const list = async (query = '') => {
    const answer = await ask(`${url}/v1/organization/spend_limits${query}`, { method: 'GET', key });
    assert.equal(answer.status, 200, answer.text);
    return answer.json as Listed;
  };
  assert.deepEqual((await list()).data, []);
  const limit = { currency: 'USD', interval: 'month' } as const;
  const { id } = await organization.projects.create({ name: 'one' });
  await organization.spendLimit.update({ ...limit, threshold_amount: 500 });
  await organization.projects.spendLimit.update(id, { ...limit, threshold_amount: 70 });
  const { data } = await list();
  assert.deepEqual(
    new Map(data.map((each) => [each.project_id, each.threshold_amount])),
    new Map([
      [null, 500],
      [id, 70],
    ]),
  );
  const first = await list('?limit=1');
  const second = await list(`?limit=1&after=${first.next}`);
  assert.deepEqual([...first.data, ...second.data], data);
  assert.equal(second.next, null);
  const wrong = await ask(`${url}/v1/organization/spend_limits?limit=1001`, { method: 'GET', key });
  assert.deepEqual([wrong.status, errorOf(wrong).param], [400, 'limit']);
});

test('a model’s rate in a project holds under whatever name it is called', async () => {
  await using headgate = await startHeadgate({ config: `aliases: { quick: lab/priced }\n${config(1)}` });
  const { organization } = administrator(headgate);
  const { id } = await organization.projects.create({ name: 'named' });
  const key = (await organization.projects.serviceAccounts.create(id, { name: 'a' })).api_key?.value ?? '';
  const rate = { project_id: id, max_requests_per_1_minute: 3 };
  await organization.projects.rateLimits.updateRateLimit('rate_limit_priced', rate);
  const names = ['quick', 'lab/priced', 'priced'];
  const refused = new Set<string>();
  const until = performance.now() + WAIT_MS;
  for (let number = 0; refused.size < names.length; number += 1) {
    assert.ok(performance.now() < until, `refused are ${[...refused].join(', ')}`);
    const model = names[number % names.length]!;
    const { status, json } = await ask(`${headgate.url}/v1/chat/completions`, {
      key,
      body: { model, messages: MESSAGES },
    });
    if (status !== 429) continue;
    assert.match(String(errorOf({ json }).message), /^In this project, for the model `priced`: /);
    refused.add(model);
  }
});

function administrator({ url, key }: Running) {
  return new OpenAI({ adminAPIKey: key, apiKey: null, baseURL: `${url}/v1`, maxRetries: 0 }).admin;
}
