import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import OpenAI from 'openai';
import { ask } from '../http/client.ts';
import { linkIn, TestBrowser } from '../sign-in/browser.ts';
import { startHeadgate } from '../support/headgate.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TEAMS = ['search', 'ads', 'support', 'data', 'platform'];
const PEOPLE = 200;

test('the company of docs/organization.md is set up as it is written there', async (t) => {
  await using headgate = await startHeadgate({
    config: 'echo: true\nlimits: { requests_per_minute: 100000 }\nserver: { public_url: "http://localhost:9" }',
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

  const { organization } = new OpenAI({
    adminAPIKey: headgate.key,
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

  // Somebody opens their link, and makes a key of theirs in the project of their team, which calls.
  const [email, link = ''] = links[0]!.split(' ');
  const browser = new TestBrowser(headgate, 'http://localhost:9');
  const opened = await browser.post('/auth/link/open', {
    link: linkIn(link),
    name: 'P',
    password: 'a password of theirs',
  });
  assert.equal(opened.status, 200, JSON.stringify(opened.json));
  assert.equal(opened.at('person.email'), email);
  const { id: team } = projects.find(({ name }) => people[0]!.startsWith(`${name} `))!;
  const made = await browser.post(`/organization/projects/${team}/api_keys`, {
    name: 'mine',
    user_id: opened.at('person.id'),
  });
  assert.equal(made.status, 200, JSON.stringify(made.json));
  const body = { model: 'echo', messages: [{ role: 'user', content: 'hi' }] };
  const answer = await ask(`${headgate.url}/v1/chat/completions`, { key: String(made.at('value')), body });
  assert.equal(answer.status, 200, answer.text);
});

async function all<Item>(pages: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of pages) items.push(item);
  return items;
}
