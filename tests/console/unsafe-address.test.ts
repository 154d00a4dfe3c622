import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chromium } from 'playwright-core';
import { becomeOwner, CHROMIUM, OWNER, visit } from './browser.ts';

const skip = CHROMIUM === null ? 'Chromium is not installed: the console was not opened' : false;
/** As browsers without a clipboard for pages have it; the second lets no page copy at all. */
const NO_CLIPBOARD = "Object.defineProperty(navigator, 'clipboard', { value: undefined });";
const NO_COPYING = 'document.execCommand = () => false;';

test('where the address is plain HTTP and not this machine, signing in says what is wrong', { skip }, async () => {
  await using visited = await visit();
  const { port } = new URL(visited.origin);
  const browser = await chromium.launch({
    executablePath: CHROMIUM ?? '',
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--host-resolver-rules=MAP gate.test 127.0.0.1'],
  });
  const page = await browser.newPage();
  await page.goto(`http://gate.test:${port}/sign-in`);
  await page.getByText('This address is not safe').waitFor();
  assert.equal(await page.evaluate('isSecureContext'), false);
  assert.equal(await page.getByRole('button', { name: 'Sign in with a passkey' }).count(), 0);
  await page.getByLabel('Email address').fill(OWNER.email);
  await page.getByLabel('Password').fill(OWNER.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').getByText(`http://localhost:${port}`).waitFor();
  await browser.close();
});

test('what is copied is on the clipboard without a clipboard for pages, and is selected where no page may copy', {
  skip,
}, async () => {
  await using visited = await visit();
  const { page, origin, context, complaints } = visited;
  await context.addInitScript(NO_CLIPBOARD);
  await becomeOwner(visited);
  const pasted = async (): Promise<string> => {
    await page.goto(`${origin}/models`);
    await page.getByLabel('Search models').press('Control+v');
    return page.getByLabel('Search models').inputValue();
  };
  const snippet = page.getByRole('region', { name: 'In a terminal' });
  await page.goto(`${origin}/connect`);
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  const text = await snippet.innerText();
  assert.equal(await pasted(), text.replaceAll('\n', ' '));

  await context.addInitScript(NO_COPYING);
  await page.goto(`${origin}/settings/general`);
  const id = page.getByRole('button', { name: 'Copy org_' });
  await id.click();
  await id.getByText('Press Ctrl-C').waitFor();
  assert.match(await page.evaluate<string>('String(getSelection())'), /^org_\w+$/);
  await page.goto(`${origin}/connect`);
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByRole('button', { name: 'Press Ctrl-C' }).waitFor();
  await page.keyboard.press('Control+c');
  assert.equal(await pasted(), text.replaceAll('\n', ' '));
  assert.deepEqual(complaints, []);
});
