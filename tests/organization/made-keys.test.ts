import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assignRole } from '../../src/organization/roles/assignments.ts';
import { answer } from '../../src/testing/answers.ts';
import { type FakeProvider, startFakeProvider } from '../../src/testing/fake-provider.ts';
import { WAIT_MS } from '../../src/testing/wait.ts';
import { ask } from '../http/client.ts';
import { ask as askInTurn } from '../workers/ask.ts';
import { type Company, type Hired, startCompany } from './lab.ts';

/** Nobody takes their calls out of a budget of theirs by the keys that they make. A call costs a dollar. */
const OUTPUT = 100;
type Made = { id: string; value: string; api_key: { id: string; value: string }; created_by: object };

let vendor: FakeProvider;
before(async () => {
  vendor = await startFakeProvider();
  vendor.plan(answer({ usage: { prompt_tokens: 1, completion_tokens: OUTPUT } }));
});
after(() => vendor.close());

for (const workers of [1, 4]) {
  describe(`keys count for whoever has made them, with ${workers} processes`, () => {
    let company: Company;
    let owner: Hired;
    let lead: Hired;
    let other: Hired;
    let project: string;

    before(async () => {
      company = await startCompany({
        args: ['--workers', `${workers}`],
        config: `
limits: { requests_per_minute: 1000000 }
products: { desk: { routes: [dear] } }
providers: { lab: { base_url: "${vendor.url}", only: [{ id: dear, price: { input_per_1m: 0, output_per_1m: 10000 } }] } }
`,
      });
      owner = await company.hire('owner', 'owner');
      [lead, other] = [await company.hire('lead'), await company.hire('other')];
      project = (await post('/projects', owner.key, { name: 'Search' })).id;
      await post(`/projects/${project}/users`, owner.key, { user_id: lead.id, role: 'owner' });
      await post(`/projects/${project}/users`, owner.key, { user_id: other.id, role: 'member' });
    });
    after(() => company[Symbol.asyncDispose]());

    async function post(path: string, key: string, body: object): Promise<Made> {
      const { status, text, json } = await ask(`${company.headgate.url}/v1/organization${path}`, { key, body });
      assert.equal(status, 200, `${path}: ${text}`);
      return json as Made;
    }
    const answerTo = (key: string, max_tokens = OUTPUT) => {
      const body = { model: 'dear', max_tokens, messages: [{ role: 'user', content: 'hi' }] };
      // Each is answered by another process than the one before.
      return askInTurn(company.headgate, '/v1/chat/completions', body, key);
    };
    const call = async (key: string, max_tokens = OUTPUT) => (await answerTo(key, max_tokens)).status;
    /**
     * Resolves when every process applies a change to every key: a call that could cost a thousand dollars is then refused, or
     * is not. Processes look at keys separately, so each key is sent to all of them: keys in turn would miss pairs, since
     * processes take turns as well.
     */
    const inForce = async (keys: readonly string[], isRight: (status: number) => boolean) => {
      const until = performance.now() + WAIT_MS;
      for (const key of keys) {
        for (let seen = 0; seen < 8 * workers; ) {
          assert.ok(performance.now() < until, 'a change is not in force');
          seen = isRight(await call(key, 1_000 * OUTPUT)) ? seen + 1 : 0;
        }
      }
    };
    const spent = async ({ id }: Made) => {
      const path = `${company.headgate.url}/v1/organization/budgets/${id}`;
      return ((await ask(path, { key: owner.key })).json as { spent_usd: string }).spent_usd;
    };

    /** Calls with all of them in turn until so much is spent, and no more. */
    async function spends(budget: Made, total: number, keys: readonly string[]): Promise<void> {
      const until = performance.now() + WAIT_MS;
      for (let number = 0; (await spent(budget)) !== String(total); number += 1) {
        assert.ok(performance.now() < until, `${await spent(budget)} is spent of ${total}`);
        await call(keys[number % keys.length]!);
      }
      for (const [number, key] of keys.entries()) {
        for (let round = 0; round < workers; round += 1) {
          const { status, headers, text } = await answerTo(key);
          const told = `key ${number}, round ${round}: ${JSON.stringify([...headers])} ${text}`;
          assert.equal(status, 429, `nothing is left for any of them, but ${await spent(budget)} is spent; ${told}`);
        }
      }
      assert.equal(await spent(budget), String(total));
    }

    /** Keys of each kind that this person may make. */
    async function keysBy(by: Hired): Promise<string[]> {
      const keys = `/projects/${project}/api_keys`;
      const account = await post(`/projects/${project}/service_accounts`, by.key, { name: 'robot' });
      const made = [
        await post(keys, by.key, { name: 'theirs' }),
        await post(keys, by.key, { name: 'of nobody', user_id: null }),
        await post(keys, by.key, { name: 'of an account', service_account_id: account.id }),
        await post(keys, by.key, { name: 'of another', user_id: other.id }),
        await post(`/projects/${project}/service_accounts/${account.id}/api_keys`, by.key, {}),
        account.api_key,
      ];
      return made.map(({ value }) => value);
    }

    test('a person’s budget, and their group’s, holds for all keys that they have made, and what these have spent', async () => {
      const group = await post('/groups', owner.key, { name: 'leads' });
      await post(`/groups/${group.id}/users`, owner.key, { user_id: lead.id });
      const keys = await keysBy(lead);
      const others = await post(`/projects/${project}/api_keys`, owner.key, { name: 'of nobody', user_id: null });
      for (const key of keys) assert.equal(await call(key), 200);
      const ofLead = { name: 'lead', holders: [{ type: 'user', id: lead.id }], amount_usd: keys.length + 1 };
      const budget = await post('/budgets', owner.key, ofLead);
      assert.equal(await spent(budget), String(keys.length), 'what was spent before counts');
      await inForce(keys, (status) => status === 429);
      await spends(budget, keys.length + 1, keys);
      assert.equal(await call(others.value), 200, 'it is made by somebody else');

      const path = `${company.headgate.url}/v1/organization/budgets/${budget.id}`;
      assert.equal((await ask(path, { method: 'DELETE', key: owner.key })).status, 200);
      await inForce(keys, (status) => status === 200);
      const ofGroup = { name: 'leads', holders: [{ type: 'group', id: group.id }], amount_usd: 1 };
      const shared = await post('/budgets', owner.key, ofGroup);
      await inForce(keys, (status) => status === 429);
      await spends(shared, 1, keys);
      assert.equal(await call(others.value), 200);
    });

    test('so does the key of a product, whoever rotates it', async () => {
      const { value: first } = await keyOfProduct(owner);
      const budget = { name: 'owner', holders: [{ type: 'user', id: owner.id }], amount_usd: 1 };
      await post('/budgets', owner.key, budget);
      await inForce([first], (status) => status === 429);
    });

    async function keyOfProduct(by: Hired): Promise<{ value: string }> {
      return (await post('/products/desk/rotate', by.key, {})).api_key;
    }

    test('what is a person’s ends with them, and what they have made for others goes on, within their budget', async () => {
      const gone = await company.hire('gone');
      await post(`/projects/${project}/users`, owner.key, { user_id: gone.id, role: 'owner' });
      await assignRole(company.admin(), { type: 'user', id: gone.id, projectId: null }, 'role_admin');
      const [theirs, ...others] = await keysBy(gone);
      await post('/budgets', owner.key, { name: 'gone', holders: [{ type: 'user', id: gone.id }], amount_usd: 100 });
      await inForce([theirs!, ...others], (status) => status === 429);
      const removed = await ask(`${company.headgate.url}/v1/organization/users/${gone.id}`, {
        method: 'DELETE',
        key: owner.key,
      });
      assert.equal(removed.status, 200, removed.text);
      await inForce([theirs!], (status) => status === 401);
      await inForce(others, (status) => status === 429);
      for (const key of others) assert.equal(await call(key), 200);
    });

    test('who has made a key is told by the API and the command', async () => {
      const { created_by: maker } = await post(`/projects/${project}/api_keys`, lead.key, { name: 'mine' });
      assert.deepEqual(maker, { type: 'user', id: lead.id, name: 'lead' });
      const { stdout } = await company.headgate.command('keys', 'list', '--json');
      const { data } = JSON.parse(stdout) as { data: { name: string; owner: object; created_by: object }[] };
      const of = (name: string) => data.find((key) => key.name === name);
      assert.deepEqual(of('mine')?.created_by, { type: 'user', id: lead.id });
      assert.deepEqual(of('mine')?.owner, { type: 'user', id: lead.id });
      assert.deepEqual(of('of nobody')?.owner, null);
      assert.ok(data.some(({ created_by: by }) => (by as { type?: string } | null)?.type === 'operator'));
    });
  });
}
