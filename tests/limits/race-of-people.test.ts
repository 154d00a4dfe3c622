import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answer } from '../../src/testing/answers.ts';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { ask as askSettings } from '../http/client.ts';
import { startCompany } from '../organization/lab.ts';
import { timeoutsOf } from '../support/timeouts.ts';
import { ask } from '../workers/ask.ts';
import { BEYOND, body, CALLS, callOf, OUTPUT, PATH, spentOf, until, usd } from './calls-at-once.ts';

/** In nano-dollars: what a person may spend, the group that they are in with another, and a pool of that person and of the project. */
const [PERSON, GROUP, POOL] = [150_000_000, 400_000_000, 600_000_000];

for (const workers of [1, 4]) {
  test(`a thousand calls at once spend no budget of a person, a group or a pool by more than it has (${workers} processes)`, async (t) => {
    await using vendor = await startFakeProvider();
    vendor.plan(answer({ usage: { prompt_tokens: 1, completion_tokens: OUTPUT } }));
    await using company = await startCompany({
      args: ['--workers', `${workers}`],
      config: `
providers:
  lab: { base_url: "${vendor.url}", only: [{ id: small, price: { input_per_1m: 0, output_per_1m: 10 } }] }
limits: { requests_per_minute: 1000000, tokens_per_minute: 1000000000 }
retries: { attempts: 1 }
timeouts: ${timeoutsOf()}
`,
    });
    const { headgate } = company;
    const { key } = await company.hire('owner', 'owner');
    const post = async (path: string, sent: object) => {
      const { status, text, json } = await askSettings(`${headgate.url}/v1/organization${path}`, { key, body: sent });
      assert.equal(status, 200, text);
      return json as { id: string; value: string };
    };
    const [ada, ben] = [await company.hire('ada'), await company.hire('ben')];
    const project = (await post('/projects', { name: 'search' })).id;
    const group = (await post('/groups', { name: 'team' })).id;
    for (const { id: user_id } of [ada, ben]) {
      await post(`/projects/${project}/users`, { user_id, role: 'member' });
      await post(`/groups/${group}/users`, { user_id });
    }
    const keys = [
      await post(`/projects/${project}/api_keys`, { name: 'ada', user_id: ada.id }),
      await post(`/projects/${project}/api_keys`, { name: 'ben', user_id: ben.id }),
      await post(`/projects/${project}/api_keys`, { name: 'nobody' }),
    ];
    const person = { type: 'user', id: ada.id };
    const budgets = [
      await post('/budgets', { name: 'ada', amount_usd: PERSON / 1e9, holders: [person] }),
      await post('/budgets', { name: 'team', amount_usd: GROUP / 1e9, holders: [{ type: 'group', id: group }] }),
      await post('/budgets', {
        name: 'pool',
        amount_usd: POOL / 1e9,
        holders: [person, { type: 'project', id: project }],
      }),
    ];
    const refusalOf = async (secret: string) => (await ask(headgate, PATH, body(BEYOND), secret)).text;
    // Each process looks at each key separately, so each key is sent to all of them.
    for (const { value } of keys) {
      for (let seen = 0; seen < 8 * workers; seen += 1) {
        if (!(await refusalOf(value)).includes('insufficient_quota')) seen = -1;
      }
    }
    const before = await spentOf(headgate);

    const ends = await Promise.all(
      Array.from({ length: CALLS }, (_, index) => callOf(headgate, keys[index % keys.length]!.value, index)),
    );
    assert.deepEqual([...new Set(ends)].toSorted(), ['200', '429', 'left']);
    t.diagnostic(`${ends.filter((end) => end === '429').length} of ${CALLS} were refused`);

    const sums = async () => {
      const spent = await spentOf(headgate);
      const [one = 0, two = 0, three = 0] = keys.map(({ id }) => (spent.get(id) ?? 0) - (before.get(id) ?? 0));
      return [one, one + two, one + two + three] as const;
    };
    // Once every settlement is there, and workers have given back what they had leased: exactly what was not spent is left.
    await until(async () => {
      const [ofPerson, ofGroup, ofPool] = await sums();
      const isRight = [
        [await refusalOf(keys[0]!.value), PERSON - ofPerson, PERSON],
        [await refusalOf(keys[1]!.value), GROUP - ofGroup, GROUP],
        [await refusalOf(keys[2]!.value), POOL - ofPool, POOL],
      ] as const;
      return isRight.every(([text, left, whole]) => text.includes(`has ${usd(left)} left of ${usd(whole)} `));
    });
    const spent = await sums();
    for (const [index, amount] of [PERSON, GROUP, POOL].entries()) {
      assert.ok(spent[index]! <= amount, `${spent[index]} of ${amount}`);
      const path = `${headgate.url}/v1/organization/budgets/${budgets[index]!.id}`;
      const { spent_usd, reserved_usd } = (await askSettings(path, { key })).json as Record<string, string>;
      assert.deepEqual([Math.round(Number(spent_usd) * 1e9), reserved_usd], [spent[index], '0']);
    }
  });
}
