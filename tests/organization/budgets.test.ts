import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { answer } from '../../src/testing/answers.ts';
import { type FakeProvider, startFakeProvider } from '../../src/testing/fake-provider.ts';
import { WAIT_MS } from '../../src/testing/wait.ts';
import { ask, errorOf } from '../http/client.ts';
import { ACME, type Company, type Hired, startCompany } from './lab.ts';
import { startReceiver, type WebhookReceiver } from './webhook-receiver.ts';

/** A call of `dear` costs a dollar, of `cheap` a cent. */
const OUTPUT = 100;
type Json = Record<string, unknown>;

let vendor: FakeProvider;
let receiver: WebhookReceiver;

before(async () => {
  [vendor, receiver] = await Promise.all([startFakeProvider(), startReceiver()]);
  vendor.plan(answer({ usage: { prompt_tokens: 1, completion_tokens: OUTPUT } }));
});
after(() => Promise.all([vendor.close(), receiver.close()]));

for (const workers of [1, 2]) {
  describe(`budgets, with ${workers} processes`, () => {
    let company: Company;
    let key: string;
    let people: Hired[];
    let keys: string[];

    before(async () => {
      company = await startCompany({
        config: `
server: { workers: ${workers}, webhook_hosts: [127.0.0.1] }
limits: { requests_per_minute: 1000000 }
products: { search: { routes: [dear, cheap] } }
providers:
  lab:
    base_url: "${vendor.url}"
    only:
      - { id: dear, price: { input_per_1m: 0, output_per_1m: 10000 } }
      - { id: cheap, price: { input_per_1m: 0, output_per_1m: 100 } }
`,
      });
      key = (await company.hire('owner', 'owner')).key;
      people = [await company.hire('ada'), await company.hire('ben'), await company.hire('eve')];
      keys = await Promise.all(people.map(({ id }) => company.keyOf({ userId: id, access: 'models' })));
    });
    after(() => company[Symbol.asyncDispose]());

    const send = (method: string, path: string, body?: object) =>
      ask(`${company.headgate.url}/v1/organization${path}`, { method, key, ...(body !== undefined && { body }) });
    const done = async (method: string, path: string, body?: object): Promise<Json> => {
      const { status, text, json } = await send(method, path, body);
      assert.equal(status, 200, text);
      return json as Json;
    };
    const budget = (body: object) => done('POST', '/budgets', body);
    const forget = ({ id }: Json) => done('DELETE', `/budgets/${String(id)}`);
    const call = (caller: string, model = 'dear', max_tokens = OUTPUT) =>
      ask(`${company.headgate.url}/v1/chat/completions`, {
        key: caller,
        body: { model, max_tokens, messages: [{ role: 'user', content: 'hi' }] },
      });
    const calls = async (caller: string, status: number, model?: string) => {
      const answered = await call(caller, model);
      assert.equal(answered.status, status, answered.text);
      return answered;
    };
    /** Once every process goes by a change for all of these: a call that may cost a thousand dollars is refused, or is not. */
    const inForce = async (is: boolean, callers: readonly string[]) => {
      const until = performance.now() + WAIT_MS;
      for (let seen = 0; seen < 8 * workers * callers.length; ) {
        assert.ok(performance.now() < until, `a budget is ${is ? 'not ' : ''}in force`);
        const { status } = await call(callers[seen % callers.length]!, 'dear', 1_000 * OUTPUT);
        seen = (status === 429) === is ? seen + 1 : 0;
      }
    };

    test('a group shares a budget, by who is in it now; others do not', async () => {
      const group = await done('POST', '/groups', { name: 'team' });
      for (const { id } of people.slice(0, 2)) await done('POST', `/groups/${String(group.id)}/users`, { user_id: id });
      const made = await budget({ name: 'team', holders: [{ type: 'group', id: group.id }], amount_usd: '0.5' });
      await inForce(true, keys.slice(0, 2));
      const refused = await calls(keys[1]!, 429);
      assert.match(String(errorOf(refused).message), /[Tt]he budget `team` has \$0\.5\d* left of \$0\.5\d* per month/);
      await calls(keys[2]!, 200);
      await calls(company.headgate.key, 200);
      await done('DELETE', `/groups/${String(group.id)}/users/${people[0]!.id}`);
      await inForce(false, [keys[0]!]);
      await calls(keys[1]!, 429);
      await forget(made);
    });

    test('of a person all keys together, and a pool of several; what was spent is told, and stays over a change', async () => {
      const [ada, ben] = people.map(({ id }) => ({ type: 'user', id }));
      const pool = await budget({ name: 'pool', holders: [ada, ben], amount_usd: 3.5, interval: 'life' });
      const more = await company.keyOf({ userId: people[0]!.id, access: 'models' });
      await inForce(true, [keys[0]!, more, keys[1]!]);
      await spends(pool, '3', [keys[0]!, more, keys[1]!]);
      const shown = await done('GET', `/budgets/${String(pool.id)}`);
      assert.deepEqual(
        [shown.spent_usd, shown.reserved_usd, shown.limit_usd, shown.resets_at],
        ['3', '0', '3.5', null],
      );
      const ends_at = Math.floor(Date.now() / 1000) + 3600;
      const raised = await done('POST', `/budgets/${String(pool.id)}`, {
        overrides: [{ amount_usd: '2', ends_at }],
        if_version: shown.version,
      });
      assert.deepEqual([raised.limit_usd, raised.spent_usd, raised.amount_usd], ['5.5', '3', '3.5']);
      assert.equal((await send('POST', `/budgets/${String(pool.id)}`, { hard: false, if_version: 1 })).status, 409);
      await spends(pool, '5', [keys[1]!]);
      await calls(more, 429);
      await forget(pool);
      await inForce(false, keys.slice(0, 2));
    });

    /** Calls in turn until so much is spent; from then on all are refused. */
    async function spends(made: Json, total: string, callers: readonly string[]): Promise<void> {
      const spent = async () => (await done('GET', `/budgets/${String(made.id)}`)).spent_usd;
      const until = performance.now() + WAIT_MS;
      for (let number = 0; (await spent()) !== total; number += 1) {
        assert.ok(performance.now() < until, `${String(await spent())} is spent of ${total}`);
        await call(callers[number % callers.length]!);
      }
      for (let number = 0; number < 8 * workers; number += 1) await calls(callers[number % callers.length]!, 429);
      assert.equal(await spent(), total);
    }

    test('where it is used up another model serves, against a budget of its own', async () => {
      const holders = [{ type: 'user', id: people[0]!.id }];
      const dear = await budget({ name: 'dear', holders, amount_usd: '0.1', instead: 'lab/cheap' });
      const cheap = await budget({ name: 'cheap', holders, amount_usd: '0.025', models: ['cheap'], interval: 'day' });
      const until = performance.now() + WAIT_MS;
      for (;;) {
        assert.ok(performance.now() < until, 'it is never refused');
        const { status, text } = await call(keys[0]!);
        if (status === 429) {
          assert.match(text, /cheap/);
          break;
        }
      }
      assert.equal((await done('GET', `/budgets/${String(cheap.id)}`)).spent_usd, '0.02');
      await forget(dear);
      await forget(cheap);
      await inForce(false, [keys[0]!]);
    });

    test('one that is not hard only counts, and is told of at each of its parts, once', async () => {
      const begun = receiver.received.length;
      const told = () =>
        receiver.received
          .slice(begun)
          .map(({ body }) => (JSON.parse(body) as { data: { name: string; alert_usd: number } }).data)
          .map(({ name, alert_usd }) => [name, alert_usd]);
      const { status, text } = await ask(`${company.headgate.url}/v1/webhook_endpoints`, {
        key,
        body: { name: 'x', url: receiver.url, event_types: ['spend_alert.triggered'] },
      });
      assert.equal(status, 200, text);
      const zoe = await company.hire('zoe');
      const zoes = await company.keyOf({ userId: zoe.id, access: 'models' });
      const holders = [{ type: 'user', id: zoe.id }];
      const made = await budget({ name: 'soft', holders, amount_usd: 2, hard: false, alerts: [0.5, 0.8, 1, 1.5] });
      // A process that does not know the budget yet does not count a call, so there are as many as it takes.
      const spend = async (usd: number) => {
        const until = performance.now() + WAIT_MS;
        while (Number((await done('GET', `/budgets/${String(made.id)}`)).spent_usd) < usd) {
          assert.ok(performance.now() < until, `the budget never counts ${usd} dollars`);
          await calls(zoes, 200);
        }
      };
      await spend(1);
      await receiver.until(() => told().length >= 1, 'the half');
      await spend(3);
      await receiver.until(() => told().length >= 4, 'the rest');
      assert.deepEqual(told(), [
        ['soft', 1],
        ['soft', 1.6],
        ['soft', 2],
        ['soft', 3],
      ]);
      await forget(made);
    });

    test('what its holders have spent in the period counts from its beginning, where that is known', async () => {
      const ida = await company.hire('ida');
      const [first, other] = await Promise.all([0, 1].map(() => company.keyOf({ userId: ida.id, access: 'models' })));
      for (const caller of [first!, first!, other!]) await calls(caller, 200);
      const project = await done('POST', '/projects', { name: 'young' });
      const ofIda = { type: 'user', id: ida.id };
      const group = await done('POST', '/groups', { name: 'late' });
      await done('POST', `/groups/${String(group.id)}/users`, { user_id: ida.id });
      const counted: [string, object, string][] = [
        ['by day', { holders: [ofIda], interval: 'day' }, '3'],
        ['by month', { holders: [ofIda], interval: 'month' }, '3'],
        ['in a pool', { holders: [ofIda, { type: 'project', id: project.id }], interval: 'week' }, '3'],
        ['for good', { holders: [ofIda], interval: 'life' }, '0'],
        ['of a model', { holders: [ofIda], models: ['dear'] }, '0'],
        ['of a group', { holders: [{ type: 'group', id: group.id }] }, '0'],
        ['of an empty project', { holders: [{ type: 'project', id: project.id }] }, '0'],
      ];
      for (const [name, body, spent] of counted) {
        const made = await budget({ name, amount_usd: 100, hard: false, ...body });
        assert.equal(made.spent_usd, spent, name);
        await forget(made);
      }
      const all = await budget({ name: 'everybody', holders: [{ type: 'organization' }], amount_usd: 1_000_000 });
      assert.ok(Number(all.spent_usd) >= 3, String(all.spent_usd));
      await forget(all);
      // The fourth dollar is the last.
      const hard = await budget({ name: 'ida', holders: [ofIda], amount_usd: 4 });
      await inForce(true, [first!, other!]);
      await spends(hard, '4', [first!, other!]);
      await forget(hard);
    });

    test('what a budget cannot be is refused with the name of the field', async () => {
      const holders = [{ type: 'organization' }];
      const made = await budget({ name: 'all', holders, amount_usd: '0.000000001', hard: false });
      const good = { name: 'other', holders, amount_usd: 1 };
      const cases: [string, object][] = [
        ['name', { ...good, name: 'all' }],
        ['amount_usd', { ...good, amount_usd: 0 }],
        ['amount_usd', { ...good, amount_usd: '1.0000000001' }],
        ['amount_usd', { ...good, amount_usd: 2e9 }],
        ['amount_usd', { ...good, amount_usd: -1 }],
        ['holders', { ...good, holders: [] }],
        ['holders.0.id', { ...good, holders: [{ type: 'group', id: 'group_none' }] }],
        ['holders.0.id', { ...good, holders: [{ type: 'user', id: 'user_none' }] }],
        ['holders.0.id', { ...good, holders: [{ type: 'project' }] }],
        ['holders.0.id', { ...good, holders: [{ type: 'organization', id: 'umbrella' }] }],
        ['holders.0.id', { ...good, holders: [{ type: 'product', id: 'none' }] }],
        ['holders.1.id', { ...good, holders: [...holders, { type: 'organization', id: ACME }] }],
        ['interval', { ...good, interval: 'year' }],
        ['alerts.1', { ...good, alerts: [0.5, 0.5] }],
        ['alerts.0', { ...good, alerts: [0] }],
        ['instead', { ...good, instead: 'nobody-knows' }],
        ['instead', { ...good, instead: 'lab/cheap', hard: false }],
        ['models', { ...good, models: [] }],
        ['overrides.0.ends_at', { ...good, overrides: [{ amount_usd: 1, ends_at: 'friday' }] }],
      ];
      for (const [param, body] of cases) {
        const refused = await send('POST', '/budgets', body);
        assert.deepEqual([refused.status, errorOf(refused).param], [400, param], refused.text);
      }
      const page = await done('GET', '/budgets?limit=100');
      assert.deepEqual(
        (page.data as Json[]).map(({ name }) => name),
        ['all'],
      );
      const renamed = await done('POST', `/budgets/${String(made.id)}`, { name: 'whole' });
      await forget(await budget({ ...good, name: 'all', hard: false }));
      await forget(renamed);
      const product = await budget({ ...good, holders: [{ type: 'product', id: 'search' }] });
      await forget(product);
    });
  });
}
