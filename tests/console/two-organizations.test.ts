import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { becomeOwner, CHROMIUM, OWNER, visit } from './browser.ts';
import { countRequests, settled } from './settled.ts';

const skip = CHROMIUM === null ? 'Chromium is not installed: the console was not opened' : false;

test('a page stays in the organization that it was opened in while another tab chooses another, and after a new sign-in', {
  skip,
}, async () => {
  await using visited = await visit('organizations: { acme: { name: Acme }, umbrella: { name: Umbrella } }');
  const { page, origin, context, headgate, complaints } = visited;
  await becomeOwner(visited);
  await page.goto(origin);
  await page.getByRole('navigation', { name: 'Headgate' }).getByText('Acme').waitFor();
  const link = ['--organization', 'umbrella', '--email', OWNER.email, '--json'];
  const { json } = await headgate.command('owner-link', ...link);
  const other = await context.newPage();
  countRequests(other);
  await other.goto((json as { url: string }).url);
  await other.getByLabel('Your name').fill(OWNER.name);
  await other.getByLabel('Password', { exact: true }).fill(OWNER.password);
  await other.getByRole('button', { name: 'Sign in' }).click();
  await other.getByRole('navigation', { name: 'Headgate' }).getByText('Umbrella').waitFor();

  const groupsOf = async (organization: string) => {
    const headers = { 'openai-organization': organization };
    const answer = await context.request.get(`${origin}/v1/organization/groups`, { headers });
    return ((await answer.json()) as { data: { name: string }[] }).data.map(({ name }) => name);
  };
  const make = async (on: Page, name: string) => {
    await on.getByRole('button', { name: 'Create group' }).first().click();
    await on.getByRole('dialog').getByLabel('Name').fill(name);
    await on.getByRole('dialog').getByRole('button', { name: 'Create group' }).click();
  };
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'Groups' }).click();
  await make(page, 'Rockets');
  await page.getByRole('button', { name: 'Rename group' }).waitFor();
  await page.getByRole('navigation', { name: 'Headgate' }).getByText('Acme').waitFor();
  assert.deepEqual([await groupsOf('acme'), await groupsOf('umbrella')], [['Rockets'], []]);

  await other.goto(`${origin}/settings/groups`);
  await settled(other);
  await context.clearCookies();
  await make(other, 'Comets');
  const again = other.getByRole('dialog', { name: 'Sign in again' });
  await again.getByLabel('Password').fill(OWNER.password);
  await again.getByRole('button', { name: 'Sign in', exact: true }).click();
  await other.getByRole('button', { name: 'Rename group' }).waitFor();
  assert.deepEqual([await groupsOf('acme'), await groupsOf('umbrella')], [['Rockets'], ['Comets']]);
  await other.reload();
  await other.getByRole('dialog', { name: 'Comets' }).waitFor();
  await other.keyboard.press('Escape');

  await other.getByRole('button', { name: 'Umbrella' }).click();
  await other.getByRole('menuitem', { name: 'Acme' }).click();
  await other.getByRole('navigation', { name: 'Headgate' }).getByText('Acme').waitFor();
  await page.keyboard.press('Escape');
  assert.deepEqual(complaints.splice(0), []);
});
