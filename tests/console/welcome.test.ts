import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHROMIUM, OWNER, visit } from './browser.ts';

const skip = CHROMIUM === null ? 'Chromium is not installed: the console was not opened' : false;

test('who wanted a passkey that the device did not make sets a password in its place, and signs in with it', {
  skip,
}, async () => {
  await using visited = await visit();
  const { page, origin, link, complaints } = visited;
  await page.addInitScript(
    'navigator.credentials.create = () => Promise.reject(new DOMException("No.", "NotAllowedError"))',
  );
  await page.goto(link);
  await page.getByLabel('Email address').fill(OWNER.email);
  await page.getByLabel('Your name').fill(OWNER.name);
  await page.getByLabel('Add a passkey of this device').check();
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').getByText('The device made no passkey').waitFor();
  await page.getByText('you need a passkey or a password').waitFor();
  await page.getByLabel('Add a passkey of this device').uncheck();
  await page.getByLabel('Password', { exact: true }).fill(OWNER.password);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  const theirs = await page.context().browser()!.newContext();
  const data = { email: OWNER.email, password: OWNER.password };
  const signedIn = await theirs.request.post(`${origin}/v1/auth/sign_in/password`, { data, headers: { origin } });
  assert.equal(signedIn.status(), 200, await signedIn.text());
  assert.deepEqual(complaints, []);
});
