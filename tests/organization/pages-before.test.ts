import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { WAIT_MS } from '../../src/testing/wait.ts';
import { ask } from '../http/client.ts';
import { type Company, type Hired, startCompany } from './lab.ts';

let company: Company;
let owner: Hired;
before(async () => {
  const providers = ['one', 'two', 'three'].map((id) => `${id}: { base_url: "http://127.0.0.1:9", models: [m] }`);
  company = await startCompany({ config: `providers: { ${providers.join(', ')} }` });
  owner = await company.hire('olga', 'owner');
});
after(() => company[Symbol.asyncDispose]());

type Listed = { id: string; has_more: boolean; data: { id: string }[] };

async function send(path: string, body?: object): Promise<Listed> {
  const { status, json, text } = await ask(`${company.headgate.url}/v1/organization${path}`, { key: owner.key, body });
  assert.equal(status, 200, text);
  return json as Listed;
}

/** What a filter shows of a list, from one end to the other, and again from the other end, in pages of so many. */
async function bothWays(path: string, limit: number): Promise<[string[], string[]]> {
  const page = (place: string) => send(`${path}${path.includes('?') ? '&' : '?'}limit=${limit}${place}`);
  const forth: string[] = [];
  for (let place = ''; ; place = `&after=${forth.at(-1)}`) {
    const { data, has_more } = await page(place);
    forth.push(...data.map(({ id }) => id));
    if (!has_more) break;
  }
  const back = [forth.at(-1)!];
  for (;;) {
    const { data, has_more } = await page(`&before=${back[0]}`);
    back.unshift(...data.map(({ id }) => id));
    assert.ok(back.length <= forth.length, 'no item is told twice');
    if (!has_more) return [forth, back];
  }
}

test('what stands before an item is told page by page, as what stands behind it is', { timeout: WAIT_MS }, async () => {
  const people = [];
  for (const name of ['ada', 'ben', 'cleo', 'dan']) people.push(await company.hire(name));
  const [ada, ben] = people as [Hired, Hired];
  const projects = [];
  for (const name of ['a', 'b', 'c', 'd', 'e']) projects.push((await send('/projects', { name })).id);
  const keys = `/projects/${projects[0]}/api_keys`;
  for (const { id } of [ada, ben]) await send(`/projects/${projects[0]}/users`, { user_id: id, role: 'member' });
  for (const user of [ada, ben, ada, ben, ada]) await send(keys, { name: 'x', user_id: user.id });
  for (const project of projects.slice(1)) await send(`/projects/${project}/api_keys`, { name: 'x' });
  for (const project of [projects[1], projects[3]]) await send(`/projects/${project}/archive`, {});

  const emails = [ada, people[3]!, owner].map(({ email }) => `emails[]=${email}`).join('&');
  const lists = {
    [keys]: 5,
    [`${keys}?owner_project_access=active`]: 5,
    '/api_keys': 8,
    '/projects': 4,
    '/projects?include_archived=true': 6,
    [`/users?${emails}`]: 3,
    '/providers': 3,
    [`/projects/${projects[0]}/rate_limits`]: 7,
  };
  for (const [path, count] of Object.entries(lists)) {
    for (const limit of [1, 2, 3]) {
      const [forth, back] = await bothWays(path, limit);
      assert.deepEqual(back, forth, `${path}, ${limit} at once`);
      assert.equal(forth.length, count, path);
    }
  }
});

test('where a filter leaves nothing, the page before an item is empty, and the list was looked through once', {
  timeout: WAIT_MS,
}, async () => {
  const { id: project } = await send('/projects', { name: 'all are there' });
  const made = [];
  for (const name of ['a', 'b', 'c', 'd'])
    made.push((await send(`/projects/${project}/api_keys`, { name, user_id: owner.id })).id);
  const path = `/projects/${project}/api_keys?owner_project_access=inactive&limit=1`;
  const { data, has_more } = await send(`${path}&before=${made[3]}`);
  assert.deepEqual([data, has_more], [[], false]);
});

test('a place in a list of keys that is none is refused by the name that it was asked with', async () => {
  for (const path of ['/api_keys', '/admin_api_keys', '/projects/proj_00_acme/api_keys']) {
    for (const place of ['after', 'before']) {
      const url = `${company.headgate.url}/v1/organization${path}?${place}=key_of_nobody`;
      const { status, json } = await ask(url, { key: owner.key });
      const { param, message } = (json as { error: { param: string; message: string } }).error;
      assert.deepEqual([status, param], [400, place], path);
      assert.match(message, new RegExp(`\`${place}\` is no key`));
    }
  }
});

test('the audit log and what a webhook was told are told in either order, and before an item, as other lists are', async () => {
  const { id: endpoint } = await endpointWith(['a', 'b', 'c', 'd', 'e']);
  for (const path of [
    `/webhook_endpoints/${endpoint}/deliveries`,
    '/organization/audit_logs?event_types=project.created',
  ]) {
    const newest = await idsOf(`${path}${path.includes('?') ? '&' : '?'}limit=100`);
    assert.ok(newest.length >= 5);
    assert.deepEqual(newest, newest.toSorted().toReversed(), path);
    for (const [order, ids] of [
      ['desc', newest],
      ['asc', newest.toReversed()],
      [undefined, newest],
    ] as const) {
      const page = (place: string) =>
        idsOf(`${path}${path.includes('?') ? '&' : '?'}limit=2${order === undefined ? '' : `&order=${order}`}${place}`);
      assert.deepEqual(await page(''), ids.slice(0, 2), `${path} ${order}`);
      assert.deepEqual(await page(`&after=${ids[1]}`), ids.slice(2, 4), `${path} ${order}`);
      assert.deepEqual(await page(`&before=${ids[3]}`), ids.slice(1, 3), `${path} ${order}`);
      assert.deepEqual(await page(`&before=${ids[1]}`), ids.slice(0, 1), `${path} ${order}`);
    }
  }
});

async function idsOf(path: string): Promise<string[]> {
  const { status, json, text } = await ask(`${company.headgate.url}/v1${path}`, { key: owner.key });
  assert.equal(status, 200, text);
  return (json as Listed).data.map(({ id }) => id);
}

/** An endpoint that nobody answers at, with a delivery for each project that was made and archived. */
async function endpointWith(names: readonly string[]): Promise<{ id: string }> {
  const body = { name: 'ours', url: 'https://hook.example.com/', event_types: ['project.archived'] };
  const { json } = await ask(`${company.headgate.url}/v1/webhook_endpoints`, { key: owner.key, body });
  for (const name of names) await send(`/projects/${(await send('/projects', { name })).id}/archive`, {});
  return json as { id: string };
}
