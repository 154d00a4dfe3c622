import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { CHROMIUM, OWNER, visit } from './browser.ts';

const skip = CHROMIUM === null ? 'Chromium is not installed: the console was not opened' : false;
/** More than any page has of what the focus can be on. */
const MOST = 120;
const FOCUSED = `(() => {
  const { activeElement: at } = document;
  return at.getAttribute('aria-label') ?? at.labels?.[0]?.textContent ?? at.textContent;
})()`;

/** Presses Tab until the focus is on what has this name. */
async function tabTo(page: Page, name: string): Promise<void> {
  const passed: string[] = [];
  for (let count = 0; count < MOST; count += 1) {
    await page.keyboard.press('Tab');
    const focused = (await page.evaluate<string>(FOCUSED)).trim();
    if (focused === name) return;
    passed.push(focused.slice(0, 40));
  }
  assert.fail(`Tab never came to “${name}”, but to: ${passed.join(' | ')}`);
}

test('from the one-time link to the first call by the keyboard alone', { skip }, async () => {
  await using visited = await visit();
  const { page, link, headgate, complaints } = visited;
  const { keyboard } = page;
  const type = async (field: string, text: string) => {
    await tabTo(page, field);
    await keyboard.type(text);
  };
  const press = async (button: string) => {
    await tabTo(page, button);
    await keyboard.press('Enter');
  };
  await page.goto(link);
  await page.getByRole('heading', { level: 1, name: 'Make this yours' }).waitFor();
  await type('Email address', OWNER.email);
  await type('Your name', OWNER.name);
  await type('Password', OWNER.password);
  await keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();

  await keyboard.press('g');
  await keyboard.press('c');
  await page.getByRole('heading', { level: 1, name: 'Connect' }).waitFor();
  await type('Name of a new key', 'laptop');
  await press('Create key');
  await page.getByRole('region', { name: 'Secret of laptop' }).waitFor();
  await press('Send this call');
  await page.getByRole('link', { name: 'See it in the logs' }).waitFor();
  await press('See it in the logs');
  await page
    .getByRole('dialog', { name: /^Call of/ })
    .getByText('laptop')
    .waitFor();
  await keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  const [record] = (await headgate.usage()).data;
  assert.deepEqual([record?.api_key_name, record?.status], ['laptop', 'succeeded']);
  await keyboard.press('Control+k');
  await keyboard.type('overv');
  await keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  assert.deepEqual(complaints, []);
});
