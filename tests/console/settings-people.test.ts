import assert from 'node:assert/strict';
import { test } from 'node:test';
import { becomeOwner, CHROMIUM, newContext, OWNER, visit } from './browser.ts';

const skip = CHROMIUM === null ? 'Chromium is not installed: the console was not opened' : false;

test('an invitation is made, opened by somebody else, and what they see goes by the role that they are given', {
  skip,
}, async () => {
  await using visited = await visit();
  await becomeOwner(visited);
  const { page, origin, context, complaints } = visited;
  await page.goto(`${origin}/settings/members?invite=yes`);
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Email address').fill('grace@example.com');
  await dialog.getByRole('button', { name: 'Make the invitation' }).click();
  const link = (await dialog.getByRole('region', { name: 'Link of the invitation' }).innerText()).trim();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await dialog.getByText('it cannot be shown again').waitFor();
  await dialog.getByRole('button', { name: 'I have kept it' }).click();
  await page.getByRole('link', { name: 'Invitations' }).click();
  await page.getByRole('row', { name: /grace@example.com Waiting/ }).waitFor();

  const guest = await newContext(context.browser()!);
  const theirs = await guest.newPage();
  await theirs.goto(link);
  await theirs.getByLabel('Your name').fill('Grace Hopper');
  await theirs.getByLabel('Password', { exact: true }).fill('a long enough password');
  await theirs.getByRole('button', { name: 'Sign in' }).click();
  await theirs.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await theirs.goto(`${origin}/settings/sign-in`);
  const menu = theirs.getByRole('navigation', { name: 'Settings' });
  await menu.getByRole('link', { name: 'Sign-in and sessions' }).waitFor();
  assert.equal(await menu.getByRole('link', { name: 'API keys' }).count(), 0, 'a reader without roles sees no keys');

  await page.goto(`${origin}/settings/members`);
  await page.getByRole('link', { name: 'Grace Hopper' }).click();
  await dialog.getByLabel('Role to give').selectOption({ label: 'Viewer' });
  await dialog.getByRole('button', { name: 'Give role' }).click();
  await dialog.getByRole('button', { name: 'Take the role Viewer' }).waitFor();
  await theirs.goto(`${origin}/settings/keys`);
  await theirs.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();
  await theirs.getByRole('searchbox', { name: 'Search keys' }).waitFor();
  assert.equal(await theirs.getByRole('button', { name: 'Create key' }).count(), 0, 'a viewer makes no keys');
  assert.equal(await menu.getByRole('link', { name: 'Audit log' }).count(), 0);
  await theirs.goto(`${origin}/settings/audit-log`);
  await theirs.getByText('It needs the permission api.audit_logs.read').waitFor();

  await dialog.getByRole('button', { name: 'Make an owner' }).click();
  const question = page.getByRole('dialog', { name: 'Make Grace Hopper an owner?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await dialog.getByRole('button', { name: 'Make an owner' }).click();
  await question.getByRole('button', { name: 'Make an owner' }).click();
  await question.waitFor({ state: 'detached' });
  await dialog.getByRole('button', { name: 'Make a reader' }).waitFor();
  await theirs.goto(`${origin}/settings/keys`);
  await theirs.getByRole('button', { name: 'Create key' }).first().waitFor();

  // Whoever gives away what only another can give back is told so.
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: OWNER.name }).click();
  await dialog.getByRole('button', { name: 'Make a reader' }).click();
  await dialog.getByText('Another owner has to make you an owner again.').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.getByText('Owner: may do everything').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Grace Hopper' }).click();

  await dialog.getByRole('button', { name: 'Remove member' }).click();
  await dialog.getByLabel('Type grace@example.com to go on').fill('grace@example.com');
  await dialog.getByRole('button', { name: 'Remove member' }).click();
  await dialog.waitFor({ state: 'detached' });
  await theirs.reload();
  await theirs.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  assert.deepEqual(complaints, []);
});

test('a member is put into a group, the group into a project, and each is taken out again', { skip }, async () => {
  await using visited = await visit();
  await becomeOwner(visited);
  const { page, origin, complaints } = visited;
  const dialog = page.getByRole('dialog');
  await page.goto(`${origin}/settings/groups?create=yes`);
  await dialog.getByLabel('Name').fill('Engineers');
  await dialog.getByRole('button', { name: 'Create group' }).click();
  await dialog.getByLabel('Member to put in').selectOption({ label: OWNER.name });
  await dialog.getByRole('button', { name: 'Put in', exact: true }).click();
  await dialog.getByRole('button', { name: `Take out ${OWNER.name}` }).waitFor();
  assert.equal(await dialog.getByLabel('Member to put in').count(), 0, 'nobody is left to be put in');

  await page.goto(`${origin}/settings/projects?create=yes`);
  await dialog.getByLabel('Name').fill('Rockets');
  await dialog.getByRole('button', { name: 'Create project' }).click();
  await dialog.getByLabel('Group to put in').selectOption({ label: 'Engineers' });
  await dialog.getByRole('button', { name: 'Put in as members' }).click();
  await dialog.getByRole('button', { name: 'Take out Engineers' }).waitFor();
  const cells = async (name: string) =>
    (await page.getByRole('row', { name }).getByRole('cell').allInnerTexts()).slice(0, 4).map((each) => each.trim());
  await page.goto(`${origin}/settings/groups`);
  await page.getByRole('row', { name: 'Rockets' }).waitFor();
  assert.deepEqual(await cells('Engineers'), ['Engineers', '1', '0', 'Rockets'], 'members, roles and projects');
  await page.getByRole('link', { name: 'Engineers' }).click();
  await dialog.getByRole('link', { name: 'Rockets' }).click();
  await dialog.getByRole('button', { name: 'Take out Engineers' }).waitFor();
  assert.deepEqual((await cells('Rockets')).slice(1, 3), ['0', '1']);
  await dialog.getByRole('button', { name: 'Take out Engineers' }).click();
  const question = page.getByRole('dialog', { name: 'Take out Engineers?' });
  await question.getByText('their keys in it are revoked for good').waitFor();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await dialog.getByRole('button', { name: 'Take out Engineers' }).click();
  await question.getByRole('button', { name: 'Take out', exact: true }).click();
  await dialog.getByLabel('Group to put in').waitFor();

  await page.goto(`${origin}/settings/groups`);
  await page.getByRole('link', { name: 'Engineers' }).click();
  await dialog.getByRole('button', { name: `Take out ${OWNER.name}` }).click();
  await page
    .getByRole('dialog', { name: `Take out ${OWNER.name}?` })
    .getByRole('button', { name: 'Take out', exact: true })
    .click();
  await dialog.getByText('Nobody yet.').waitFor();
  assert.deepEqual(complaints, []);
});

test('a passkey is added, signs in, and is removed', { skip }, async () => {
  await using visited = await visit();
  await becomeOwner(visited);
  const { page, origin, context, complaints } = visited;
  const client = await context.newCDPSession(page);
  await client.send('WebAuthn.enable');
  await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  });
  await page.goto(`${origin}/settings/sign-in`);
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await dialog.getByLabel('Name').fill('Laptop');
  await dialog.getByRole('button', { name: 'Make passkey' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Remove Laptop' }).waitFor();

  await page.getByRole('button', { name: OWNER.name }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();

  await page.goto(`${origin}/settings/sign-in`);
  await page.getByRole('row', { name: /This one .* Passkey/ }).waitFor();
  await page.getByRole('button', { name: 'Remove Laptop' }).click();
  await dialog.getByRole('button', { name: 'Remove passkey' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('None yet. A passkey signs you in').waitFor();
  assert.deepEqual(complaints, []);
});
