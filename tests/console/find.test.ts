import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Route } from 'playwright-core';
import { ask } from '../http/client.ts';
import { violationsOn } from './axe.ts';
import { becomeOwner, CHROMIUM, postAsOwner, type Visited, visit } from './browser.ts';

const skip = CHROMIUM === null ? 'Chromium is not installed: the console was not opened' : false;

let visited: Visited;

before(async () => {
  if (skip) return;
  visited = await visit('', { models: ['alphabet-1', 'betamax-1'] });
  await becomeOwner(visited);
});
after(async () => {
  await visited?.[Symbol.asyncDispose]();
});

async function openFind() {
  const { page, origin } = visited;
  await page.goto(`${origin}/models`);
  await page.getByRole('heading', { level: 1, name: 'Models' }).waitFor();
  await page.keyboard.press('Control+k');
  const find = page.getByRole('dialog', { name: 'Find' });
  await find.waitFor();
  return { find, input: find.getByRole('combobox') };
}

test('an answer that comes late does not take the place of a newer one', { skip }, async () => {
  const { page, complaints } = visited;
  const { find, input } = await openFind();
  const held = Promise.withResolvers<Route>();
  await page.route('**/v1/organization/search?query=alphabet*', (route) => held.resolve(route));
  await input.fill('alphabet');
  const route = await held.promise;
  await find.getByText('Looking…').waitFor();
  await input.fill('betamax');
  await find.getByRole('option', { name: /^betamax-1/ }).waitFor();
  await route.continue().catch(() => undefined);
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  assert.deepEqual(await find.getByRole('option').allInnerTexts(), ['betamax-1\nlab']);
  await page.unroute('**/v1/organization/search?query=alphabet*');
  await input.fill('alphabet');
  await find.getByRole('option', { name: /^alphabet-1/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'alphabet-1' }).waitFor();
  assert.deepEqual(complaints.splice(0), []);
});

test('what is typed at once is asked for once, and what is found is chosen by the keyboard alone', {
  skip,
}, async () => {
  const { page, complaints } = visited;
  await postAsOwner(visited, '/groups', { name: 'Cartographers' });
  await postAsOwner(visited, '/projects', { name: 'Cartography' });
  const { find, input } = await openFind();
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname.endsWith('/search')) asked.push(searchParams.get('query')!);
  });
  await input.fill('cartog');
  await find.getByRole('option', { name: 'Cartographers' }).waitFor();
  assert.deepEqual(asked, ['cartog']);
  assert.deepEqual(await violationsOn(page), []);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/settings\/groups\?open=/);
  await page.getByRole('dialog', { name: 'Cartographers' }).waitFor();
  assert.deepEqual(complaints.splice(0), []);
});

test('a request is found by its id, and what is nowhere is said to be', { skip }, async () => {
  const { page, headgate, complaints } = visited;
  const body = { model: 'alphabet-1', messages: [{ role: 'user', content: 'Hello' }] };
  const { headers } = await ask(`${headgate.url}/v1/chat/completions`, { key: headgate.key, body });
  const id = headers.get('x-request-id')!;
  const { find, input } = await openFind();
  await input.fill(`${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`);
  await find.getByText('Nothing has that name.').waitFor();
  await input.fill(id);
  await find.getByRole('option', { name: id }).click();
  await page.waitForURL(/\/logs\?open=/);
  await page.getByRole('dialog', { name: /^Call of/ }).waitFor();
  assert.deepEqual(complaints.splice(0), []);
});

test('a list that is longer than a page reads says so, and leads to what finds the rest', { skip }, async () => {
  const { page, origin, complaints } = visited;
  const data = Array.from({ length: 100 }, (_, number) => ({
    ...{ id: `group_${number}`, object: 'group', name: `Group ${number}`, created_at: 1_790_000_000, version: 1 },
    ...{ is_scim_managed: false, member_count: 0, role_count: 0, projects: { object: 'list', data: [] } },
  }));
  const json = { object: 'list', data, first_id: 'group_0', last_id: 'group_99', has_more: true, next: 'group_99' };
  await page.route('**/v1/organization/groups?*', (route) => route.fulfill({ json }));
  await page.goto(`${origin}/settings/groups`);
  await page.getByText('A list that this page goes by is longer than 2,000').waitFor();
  await page.getByRole('button', { name: 'Find something by its name' }).click();
  await page.getByRole('dialog', { name: 'Find' }).waitFor();
  await page.keyboard.press('Escape');
  await page.unroute('**/v1/organization/groups?*');
  await page.goto(`${origin}/settings/groups`);
  await page.getByText('Cartographers').waitFor();
  assert.equal(await page.getByText('A list that this page goes by').count(), 0);
  assert.deepEqual(complaints.splice(0), []);
});

test('a key that is not among those that are read is opened all the same', { skip }, async () => {
  const { page, origin, complaints } = visited;
  const { id: project } = await postAsOwner(visited, '/projects', { name: 'Many' });
  const { id } = await postAsOwner(visited, `/projects/${project}/api_keys`, { name: 'the oldest' });
  const json = { object: 'list', data: [], first_id: null, last_id: null, has_more: false, next: null };
  await page.route('**/v1/organization/api_keys?limit=*', (route) => route.fulfill({ json }));
  await page.goto(`${origin}/settings/keys?open=${id}`);
  await page.getByRole('dialog', { name: 'the oldest' }).waitFor();
  await page.unroute('**/v1/organization/api_keys?limit=*');
  assert.deepEqual(complaints.splice(0), []);
});
