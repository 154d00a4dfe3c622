import assert from 'node:assert/strict';
import { test } from 'node:test';
import { becomeOwner, CHROMIUM, OWNER, visit } from './browser.ts';

const skip = CHROMIUM === null ? 'Chromium is not installed: the console was not opened' : false;

test('who saves something after their session has ended signs in there, and it is saved', { skip }, async () => {
  await using visited = await visit();
  const { page, origin, context } = visited;
  await becomeOwner(visited);
  await page.goto(`${origin}/settings/general`);
  const name = page.getByLabel('Name of the organization');
  await name.fill('Rockets of Ada');
  await context.clearCookies();
  await page.getByRole('button', { name: 'Save name' }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await dialog.getByLabel('Password').fill(OWNER.password);
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('navigation', { name: 'Headgate' }).getByText('Rockets of Ada').waitFor();
  await page.reload();
  assert.equal(await name.inputValue(), 'Rockets of Ada');
});
