import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { becomeOwner, CHROMIUM, OWNER, type Visited, visit, visitAgain, visitAs } from './browser.ts';
import { settled } from './settled.ts';

const skip = CHROMIUM === null ? 'Chromium is not installed: the console was not opened' : false;

let shared: Visited;
before(async () => {
  if (skip) return;
  shared = await visit('server: { provider_hosts: [127.0.0.1] }');
  await becomeOwner(shared);
  await visitAs(shared, 'role_viewer');
});
after(async () => {
  await shared?.[Symbol.asyncDispose]();
});

test('who saves something after their session has ended signs in there, and it is saved', { skip }, async () => {
  await using visited = await visitAgain(shared);
  const { page, origin, context } = visited;
  await page.goto(`${origin}/settings/general`);
  const name = page.getByLabel('Name of the organization');
  await name.fill('Rockets');
  await context.clearCookies();
  await page.getByRole('button', { name: 'Save name' }).click();
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  await dialog.getByLabel('Password').fill(OWNER.password);
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('navigation', { name: 'Headgate' }).getByText('Rockets').waitFor();
  await page.reload();
  assert.equal(await name.inputValue(), 'Rockets');
});

const FORMS = [
  { at: '/settings/keys?create=yes', label: 'Name', save: 'Create key', after: 'I have kept it' },
  { at: '/providers?add=yes', label: 'Name in model ids', save: 'Add provider', after: 'Test it' },
  { at: '/settings/groups?create=yes', label: 'Name', save: 'Create group', after: 'Rename group' },
  { at: '/settings/members?view=roles&create=yes', label: 'Name', save: 'Create role', after: null },
  { at: '/settings/projects?create=yes', label: 'Name', save: 'Create project', after: 'Rename project' },
] as const;

/** Whoever comes back to a page after a while has all of it read again. */
async function comeBack({ page }: Pick<Visited, 'page'>): Promise<void> {
  await page.clock.fastForward(10_000);
  await page.evaluate('document.dispatchEvent(new Event("visibilitychange", { bubbles: true }))');
}

test('who comes back to a form after their session has ended signs in over it, and it is as they have left it', {
  skip,
}, async () => {
  await using visited = await visitAgain(shared);
  const { page, origin, context, vendor } = visited;
  await page.clock.install();
  const again = page.getByRole('dialog', { name: 'Sign in again' });
  for (const { at, label, save, after } of FORMS) {
    await page.goto(origin + at);
    const form = page.getByRole('dialog').filter({ has: page.getByRole('button', { name: save }) });
    await form.getByLabel(label, { exact: true }).fill('typed');
    if (at.startsWith('/providers')) await form.getByLabel('Address').fill(vendor.url);
    await context.clearCookies();
    await comeBack(visited);
    await again.getByText('Your session has ended.').waitFor();
    await again.getByRole('button', { name: 'Close' }).click();
    await again.waitFor({ state: 'detached' });
    await form.getByRole('button', { name: save }).click();
    await again.getByLabel('Password').fill(OWNER.password);
    await again.getByRole('button', { name: 'Sign in', exact: true }).click();
    await again.waitFor({ state: 'detached' });
    if (after !== null) await page.getByRole('dialog').getByRole('button', { name: after }).waitFor();
    await form.waitFor({ state: 'detached' });
  }
});

test('whose session has ended is asked to sign in by whatever page they go to', { skip }, async () => {
  await using visited = await visitAgain(shared);
  const { page, origin, context } = visited;
  await page.goto(origin);
  await settled(page);
  await context.clearCookies();
  await page.getByRole('link', { name: 'Logs' }).click();
  const again = page.getByRole('dialog', { name: 'Sign in again' });
  await again.getByLabel('Password').fill(OWNER.password);
  await again.getByRole('button', { name: 'Sign in', exact: true }).click();
  await again.waitFor({ state: 'detached' });
  await page.getByText('You are not signed in').waitFor({ state: 'detached' });
});

test('a page is not gone on with by another person than it was made for', { skip }, async () => {
  await using visited = await visitAgain(shared);
  const { page, origin, context } = visited;
  await page.goto(`${origin}/settings/general`);
  const name = page.getByLabel('Name of the organization');
  await name.fill('Rockets of Ada');
  await context.clearCookies();
  await page.getByRole('button', { name: 'Save name' }).click();
  const again = page.getByRole('dialog', { name: 'Sign in again' });
  const { password } = OWNER;
  await page.route('**/v1/auth/sign_in/password', (route) =>
    route.continue({ postData: JSON.stringify({ email: 'role_viewer@example.com', password }) }),
  );
  await again.getByLabel('Password').fill(password);
  await again.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('navigation', { name: 'Headgate' }).getByText('role_viewer').waitFor();
  assert.equal(await name.count(), 0);
  assert.equal(await page.getByText('Rockets of Ada').count(), 0);
});

test('a page starts over where another person has signed in in another tab', { skip }, async () => {
  await using visited = await visitAgain(shared);
  const { page, origin, context } = visited;
  await page.clock.install();
  await page.goto(`${origin}/settings/general`);
  const name = page.getByLabel('Name of the organization');
  await name.fill('Rockets of Ada');
  const data = { email: 'role_viewer@example.com', password: OWNER.password };
  const signedIn = await context.request.post(`${origin}/v1/auth/sign_in/password`, { data, headers: { origin } });
  assert.equal(signedIn.status(), 200);
  const startedOver = page.waitForEvent('load');
  await comeBack(visited);
  await startedOver;
  await page.getByRole('navigation', { name: 'Headgate' }).getByText('role_viewer').waitFor();
  assert.equal(await name.count(), 0);
});
