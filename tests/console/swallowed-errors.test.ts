import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import type { Route } from 'playwright-core';
import { ask } from '../http/client.ts';
import { becomeOwner, CHROMIUM, type Visited, visit } from './browser.ts';

const skip = CHROMIUM === null ? 'Chromium is not installed: the console was not opened' : false;
/** More than the log reads at once. */
const CALLS = 55;

let visited: Visited;

const refuse = (route: Route) =>
  route.fulfill({ status: 403, json: { error: { message: 'The store is away.', code: 'internal_error' } } });

before(async () => {
  if (skip) return;
  visited = await visit();
  await becomeOwner(visited);
  const { url, key } = visited.headgate;
  const body = { model: 'echo', messages: [{ role: 'user', content: 'Hello' }] };
  for (let number = 0; number < CALLS; number += 1) await ask(`${url}/v1/chat/completions`, { key, body });
});
afterEach(() => visited?.page.unrouteAll());
after(async () => {
  await visited?.[Symbol.asyncDispose]();
});

test('where the rest of a list could not be read, the list says so and goes on', { skip }, async () => {
  const { page, origin } = visited;
  await page.goto(`${origin}/logs`);
  await page.route(/\/v1\/usage\?.*after=/, refuse);
  await page.getByRole('button', { name: 'Show more' }).click();
  await page.getByRole('alert').getByText('The store is away.').waitFor();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('alert').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Show more' }).click();
  await page.getByRole('button', { name: 'Show more' }).waitFor({ state: 'detached' });
  assert.equal(await page.getByRole('table').getByRole('row').count(), CALLS + 1);
});

test('an answer that was cut on its way is an error', { skip }, async () => {
  const { page, origin } = visited;
  await page.route(/\/v1\/usage\/summary/, (route) =>
    route.fulfill({ contentType: 'application/json', body: '{"object": "usage_summary", "totals": {' }),
  );
  await page.goto(`${origin}/usage`);
  await page.getByRole('alert').getByText('The answer of the gateway did not come whole.').first().waitFor();
});

test('a number of the overview that could not be read says so beside the others', { skip }, async () => {
  const { page, origin } = visited;
  await page.route(/\/v1\/usage\/first_tokens/, refuse);
  await page.goto(origin);
  await page.getByRole('region', { name: 'In numbers' }).getByRole('alert').getByText('Could not be read').waitFor();
});

test('whoever could not be signed out is told', { skip }, async () => {
  const { page, origin } = visited;
  await page.route('**/v1/auth/sign_out', (route) => route.abort('connectionrefused'));
  await page.goto(origin);
  await page.getByRole('button', { name: 'Ada Lovelace' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('dialog', { name: 'You are still signed in' }).getByText('cannot be reached').waitFor();
});

test('the values of a filter could not be read: that is not an empty list', { skip }, async () => {
  const { page, origin } = visited;
  await page.goto(`${origin}/usage`);
  await page.getByRole('table').waitFor();
  // Of all calls one has no product, which is none to choose.
  await page.getByLabel('Add a filter').selectOption('Product');
  await page.getByLabel('Only this Product').getByText('Choose one of 0').waitFor({ state: 'attached' });
  await page.route(/\/v1\/usage\/summary.*by=tool/, refuse);
  await page.getByLabel('Add a filter').selectOption('Tool');
  await page.getByRole('alert').getByText('The store is away.').waitFor();
});

test('a key of which nothing could be read can be revoked all the same, by its name', { skip }, async () => {
  const { page, origin } = visited;
  await page.goto(`${origin}/settings/keys`);
  await page.getByRole('table').getByRole('row').nth(1).getByRole('link').first().click();
  const name = await page.getByRole('dialog').getByRole('heading', { level: 2 }).innerText();
  await page.route(/\/api_keys\/key_\w+$/, (route) =>
    route.request().method() === 'GET' ? refuse(route) : route.continue(),
  );
  await page.getByRole('button', { name: 'Revoke key' }).click();
  const dialog = page.getByRole('dialog', { name: /^Revoke / });
  await dialog.getByRole('alert').getByText('The store is away.').waitFor();
  await dialog.getByLabel(/^Type .* to go on$/).fill(name);
  await dialog.getByRole('button', { name: 'Revoke key' }).click();
  await dialog.waitFor({ state: 'detached' });
});
