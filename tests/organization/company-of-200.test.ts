import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import OpenAI from 'openai';
import { answer } from '../../src/testing/answers.ts';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { WAIT_MS } from '../../src/testing/wait.ts';
import { ask } from '../http/client.ts';
import { linkIn, TestBrowser } from '../sign-in/browser.ts';
import { startHeadgate } from '../support/headgate.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TEAMS = ['search', 'ads', 'support', 'data', 'platform'];
const PEOPLE = 200;
/** A call of `dear` with so many tokens costs a dollar. */
const OUTPUT = 100;

test('the company of docs/organization.md is set up as it is written there', async (t) => {
  await using vendor = await startFakeProvider();
  vendor.plan(answer({ usage: { prompt_tokens: 1, completion_tokens: OUTPUT } }));
  await using headgate = await startHeadgate({
    config: `
echo: true
limits: { requests_per_minute: 100000 }
server: { public_url: "http://localhost:9" }
providers: { lab: { base_url: "${vendor.url}", only: [{ id: dear, price: { input_per_1m: 0, output_per_1m: 10000 } }] } }
`,
  });
  const text = readFileSync(join(ROOT, 'docs/organization.md'), 'utf8');
  const section = text.slice(text.indexOf('## A company of 200'));
  const script = /```sh\n([\s\S]*?)```/.exec(section)?.[1] ?? '';
  const folder = mkdtempSync(join(tmpdir(), 'company-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const people = Array.from({ length: PEOPLE }, (_, index) => `${TEAMS[index % TEAMS.length]} p${index}@example.com`);
  writeFileSync(join(folder, 'people.txt'), `${people.join('\n')}\n`);
  const command = `headgate() { "${process.execPath}" "${join(ROOT, 'bin/headgate.js')}" "$@"; }\n`;
  await promisify(execFile)(
    'bash',
    ['-c', `set -euo pipefail\n${command}${script.replaceAll('http://127.0.0.1:8080', headgate.url)}`],
    { cwd: folder, env: { ...process.env, HEADGATE_DATA: headgate.data } },
  );

  // The key of the first start no longer administers once somebody has signed in.
  const { stdout: shownKey } = await headgate.command('admin-keys', 'create', '--name', 'test', '--json');
  const { value: key } = JSON.parse(shownKey) as { value: string };
  const { organization } = new OpenAI({
    adminAPIKey: key,
    apiKey: null,
    baseURL: `${headgate.url}/v1`,
  }).admin;
  const projects = (await all(organization.projects.list())).filter(({ name }) => name !== 'Default project');
  assert.deepEqual(new Set(projects.map(({ name }) => name)), new Set(TEAMS));
  const invites = await all(organization.invites.list({ limit: 100 }));
  assert.equal(invites.length, PEOPLE);
  for (const { id, name } of await all(organization.groups.list())) {
    const invited = invites.filter((invite) => (invite as unknown as { groups: string[] }).groups.includes(id));
    assert.equal(invited.length, PEOPLE / TEAMS.length, name);
    const team = projects.find((project) => project.name === name)!;
    assert.deepEqual(
      (await all(organization.projects.groups.list(team.id))).map((each) => each.group_id),
      [id],
    );
  }
  const budgets = await ask(`${headgate.url}/v1/organization/budgets`, { key: headgate.key });
  assert.equal((budgets.json as { data: unknown[] }).data.length, TEAMS.length);
  assert.equal((await organization.spendLimit.retrieve()).threshold_amount, 2_000_000);

  const links = readFileSync(join(folder, 'links.txt'), 'utf8').trim().split('\n');
  assert.equal(links.length, PEOPLE);
  for (const line of links) assert.match(line, /^p\d+@example\.com http:\/\/localhost:9\/welcome#\S+$/);
  for (const line of readFileSync(join(folder, 'keys.txt'), 'utf8').trim().split('\n')) {
    const body = { model: 'echo', messages: [{ role: 'user', content: 'hi' }] };
    const { status, text: told } = await ask(`${headgate.url}/v1/chat/completions`, { key: line.split(' ')[1]!, body });
    assert.equal(status, 200, told);
  }

  // The 200th person opens their link, and makes a key in the project of their team, which is theirs and calls.
  const setup = async (path: string, sent?: object) => {
    const { status, text: told, json } = await ask(`${headgate.url}/v1/organization${path}`, { key, body: sent });
    assert.equal(status, 200, told);
    return json as { id: string; value: string; data: { id: string; name: string }[]; api_key: { id: string } };
  };
  const [email, link = ''] = links.find((line) => line.startsWith(`p${PEOPLE - 1}@`))!.split(' ');
  const browser = new TestBrowser(headgate, 'http://localhost:9');
  const password = 'a password of theirs';
  const opened = await browser.post('/auth/link/open', { link: linkIn(link), name: 'P', password });
  assert.equal(opened.status, 200, JSON.stringify(opened.json));
  assert.equal(opened.at('person.email'), email);
  const me = String(opened.at('person.id'));
  const teamName = people[PEOPLE - 1]!.split(' ')[0]!;
  const { id: team } = projects.find(({ name }) => name === teamName)!;
  const inTeam = `/organization/projects/${team}`;
  const mine = await browser.post(`${inTeam}/api_keys`, { name: 'mine' });
  assert.equal(mine.status, 200, JSON.stringify(mine.json));
  assert.deepEqual([mine.at('owner.user.id'), mine.at('created_by.id')], [me, me]);
  const secret = String(mine.at('value'));
  const chat = (model: string, max_tokens = OUTPUT) =>
    ask(`${headgate.url}/v1/chat/completions`, {
      key: secret,
      body: { model, max_tokens, messages: [{ role: 'user', content: 'hi' }] },
    });
  assert.equal((await chat('echo')).status, 200);

  // They see the keys of their team, and touch none that is not theirs.
  const colleague = await setup(`/projects/${team}/api_keys`, { name: 'of a colleague', user_id: null });
  const product = await setup('/products', { id: 'helpdesk', routes: ['echo'], project_id: team });
  const shown = await browser.get(`${inTeam}/api_keys`);
  assert.deepEqual(shown.each('name').toSorted(), ['helpdesk', 'mine', 'of a colleague', 'production']);
  const production = (await setup(`/projects/${team}/api_keys`)).data.find(({ name }) => name === 'production')!;
  for (const { id } of [production, colleague, product.api_key]) {
    for (const [path, sent] of [
      [`/${id}`, { enabled: false }],
      [`/${id}`, { spend_limit: null }],
      [`/${id}/rotate`, { overlap_seconds: 0 }],
    ] as const)
      assert.equal((await browser.post(`${inTeam}/api_keys${path}`, sent)).status, 403, path);
    assert.equal((await browser.delete(`${inTeam}/api_keys/${id}`)).status, 403);
  }
  const { id: account } = (await setup(`/projects/${team}/service_accounts`)).data[0]!;
  assert.equal((await browser.delete(`${inTeam}/service_accounts/${account}`)).status, 403);
  for (const owner of [{ user_id: null }, { service_account_id: account }])
    assert.equal((await browser.post(`${inTeam}/api_keys`, { name: 'x', ...owner })).status, 403);

  // Their group's budget refuses what is beyond it, also with a key that they made before.
  const group = (await setup('/groups?limit=100')).data.find(({ name }) => name === teamName)!;
  await setup('/budgets', { name: 'all of us', holders: [{ type: 'group', id: group.id }], amount_usd: 2 });
  await t.waitFor(async () => assert.equal((await chat('dear', 10 * OUTPUT)).status, 429), { timeout: WAIT_MS });
  assert.equal((await chat('dear')).status, 200);
  assert.equal((await chat('dear')).status, 200);
  const refused = await chat('dear');
  assert.deepEqual([refused.status, refused.text.includes('all of us')], [429, true], refused.text);

  // Once they are removed, their key is refused within a second, and the team's goes on.
  await organization.users.delete(me);
  await t.waitFor(async () => assert.equal((await chat('echo')).status, 401), { timeout: WAIT_MS });
  assert.equal((await browser.get(`${inTeam}/api_keys`)).status, 401);
  const [, ofProduction = ''] = readFileSync(join(folder, 'keys.txt'), 'utf8').split(`${teamName} `);
  const answered = await ask(`${headgate.url}/v1/models`, { key: ofProduction.split('\n')[0]! });
  assert.equal(answered.status, 200);
});

async function all<Item>(pages: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of pages) items.push(item);
  return items;
}
