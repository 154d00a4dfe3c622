import assert from 'node:assert/strict';
import { test } from 'node:test';
import { becomeOwner, CHROMIUM, visit } from './browser.ts';

const skip = CHROMIUM === null ? 'Chromium is not installed: the console was not opened' : false;

test('the organization is given another name, and what the configuration rules is shown with its line', {
  skip,
}, async () => {
  await using visited = await visit('limits: { requests_per_minute: 4321 }');
  const { page, origin, complaints } = visited;
  await becomeOwner(visited);
  await page.goto(`${origin}/settings/general`);
  await page.getByLabel('Name of the organization').fill('Analytical Engines');
  await page.getByRole('button', { name: 'Save name' }).click();
  await page.getByRole('navigation', { name: 'Headgate' }).getByText('Analytical Engines').waitFor();
  const row = page.getByRole('row').filter({ hasText: 'limits.requests_per_minute' });
  assert.match(await row.innerText(), /4321\s+Set in headgate\.yaml, line \d+/);
  assert.equal(await page.getByText('timeouts.connect').count(), 0, 'what nobody set is not in the way');
  await page.getByRole('button', { name: /^Show the \d+ settings that nobody set$/ }).click();
  await page.getByText('timeouts.connect').waitFor();
  await page.goto(`${origin}/settings/about`);
  await page.getByText('On disk').waitFor();
  assert.deepEqual(complaints, []);
});
