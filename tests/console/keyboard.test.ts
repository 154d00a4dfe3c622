import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { becomeOwner, CHROMIUM, OWNER, postAsOwner, visit } from './browser.ts';

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
  await type('Name of the organization', 'Acme');
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

  await page.getByRole('button', { name: 'Acme' }).first().waitFor();
  const [record] = (await headgate.usage()).data;
  assert.deepEqual([record?.api_key_name, record?.status], ['laptop', 'succeeded']);
  await keyboard.press('Control+k');
  await keyboard.type('overv');
  await keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  assert.deepEqual(complaints, []);
});

test('a passkey that cannot be made leaves its person signed in, and the link is not opened twice', {
  skip,
}, async () => {
  await using visited = await visit();
  const { page, link, origin, expected } = visited;
  expected.add('500 /v1/auth/passkeys/options');
  const json = { error: { message: 'No passkeys today.', type: 'internal_error', code: null, param: null } };
  await page.route('**/v1/auth/passkeys/options', (route) => route.fulfill({ status: 500, json }));
  await page.goto(link);
  await page.getByLabel('Email address').fill(OWNER.email);
  await page.getByLabel('Your name').fill(OWNER.name);
  await page.getByLabel('Add a passkey of this device').check();
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('No passkeys today.').waitFor();
  // Nothing would sign them in again, so they cannot go on before there is a password.
  assert.equal(await page.getByRole('link', { name: 'go on without it' }).count(), 0);
  await page.getByLabel('Password').fill('correct horse battery');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('link', { name: 'go on without it' }).click();
  await page.waitForURL(`${origin}/`);
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  assert.deepEqual(visited.complaints, []);
});

test('pages, keys, people and models are found from anywhere, and `?` tells the keys', { skip }, async () => {
  await using visited = await visit('routes: { acme/fast: { name: Fast, targets: [priced] } }');
  const { page, origin, complaints } = visited;
  await becomeOwner(visited);
  const { id: project } = await postAsOwner(visited, '/projects', { name: 'Rockets' });
  await postAsOwner(visited, `/projects/${project}/api_keys`, { name: 'thruster' });
  await page.goto(`${origin}/logs`);
  await page.getByRole('heading', { level: 1, name: 'Logs' }).waitFor();
  const find = page.getByRole('dialog', { name: 'Find' });
  const goTo = async (typed: string, item: string) => {
    await page.keyboard.press('Control+k');
    await page.keyboard.type(typed);
    await find.getByRole('option', { name: item }).click();
    await find.waitFor({ state: 'detached' });
  };
  const close = async (name: string) => {
    const sheet = page.getByRole('dialog', { name });
    await sheet.waitFor();
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
  };
  await goTo('thrus', 'thruster Rockets');
  await close('thruster');
  await goTo('lovel', OWNER.email);
  await close(OWNER.name);
  await goTo('acme/f', 'Fast');
  await close('acme/fast');
  await goTo('try pric', 'try priced');
  await page.getByRole('heading', { level: 1, name: 'Playground' }).waitFor();
  assert.equal(await page.getByLabel('Model 1').inputValue(), 'priced');
  for (let number = 0; number < 20; number += 1) await postAsOwner(visited, '/projects', { name: `p${number}` });
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Playground' }).click();
  await goTo('thrus', 'thruster Rockets');
  await close('thruster');
  await page.getByRole('button', { name: 'Help' }).click();
  await page.getByRole('menuitem', { name: 'Keys' }).click();
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('?');
  const keys = page.getByRole('dialog', { name: 'Keys' });
  await keys.getByText('The search of the page').waitFor();
  await page.keyboard.press('Escape');
  await keys.waitFor({ state: 'detached' });
  assert.deepEqual(complaints, []);
});
