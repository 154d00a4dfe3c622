import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { becomeOwner, CHROMIUM, OWNER, postAsOwner, type Visited, visit, visitAs } from './browser.ts';
import { settled } from './settled.ts';

const skip = CHROMIUM === null ? 'Chromium is not installed: the console was not opened' : false;

let visited: Visited;
let projectId: string;

before(async () => {
  if (skip) return;
  visited = await visit();
  await becomeOwner(visited);
  ({ id: projectId } = await postAsOwner(visited, '/projects', { name: 'Rockets' }));
});
after(async () => {
  await visited?.[Symbol.asyncDispose]();
});

/** By email. */
async function userId(email: string): Promise<string> {
  const answer = await visited.context.request.get(`${visited.origin}/v1/organization/users?limit=100`);
  const { data } = (await answer.json()) as { data: { id: string; email: string }[] };
  return data.find((user) => user.email === email)!.id;
}

test('whoever may not change members makes and changes keys of their own, and is offered no others', {
  skip,
}, async () => {
  const { origin } = visited;
  const { page, complaints } = await visitAs(visited, 'role_developer');
  const user_id = await userId(OWNER.email);
  const ofOwner = await postAsOwner(visited, `/projects/${projectId}/api_keys`, { name: 'hers', user_id });
  const ofNobody = await postAsOwner(visited, `/projects/${projectId}/api_keys`, { name: 'free', user_id: null });
  const dialog = page.getByRole('dialog');
  await page.goto(`${origin}/settings/keys?create=yes`);
  await dialog.getByLabel('Owner').waitFor();
  await settled(page);
  assert.deepEqual(await dialog.getByLabel('Owner').locator('option').allInnerTexts(), ['You']);
  await dialog.getByLabel('Name').first().fill('mine');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await dialog.getByRole('button', { name: 'I have kept it' }).click();
  await page.getByRole('link', { name: 'mine' }).click();
  await dialog.getByRole('button', { name: 'Rotate secret' }).waitFor();
  for (const key of [ofOwner, ofNobody]) {
    await page.goto(`${origin}/settings/keys?open=${key.id}`);
    await dialog.getByText('Begins and ends with').waitFor();
    await settled(page);
    for (const name of ['Rotate secret', 'Change limits', 'Turn off', 'Revoke key'])
      assert.equal(await dialog.getByRole('button', { name }).count(), 0, name);
  }
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('whoever makes keys in one project alone is offered that one, also to connect a program', { skip }, async () => {
  const { origin } = visited;
  const { page, complaints } = await visitAs(visited, 'role_viewer');
  const user_id = await userId('role_viewer@example.com');
  await postAsOwner(visited, `/projects/${projectId}/users`, { user_id, role: 'member' });
  const dialog = page.getByRole('dialog');
  await page.goto(`${origin}/settings/keys?create=yes`);
  await dialog.getByLabel('Name').first().fill('mine');
  assert.deepEqual(await dialog.getByLabel('Project').locator('option').allInnerTexts(), ['Rockets']);
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await dialog.getByRole('button', { name: 'I have kept it' }).click();
  await page.goto(`${origin}/connect`);
  await page.getByLabel('Project').selectOption({ label: 'Rockets' });
  await page.getByLabel('Name of a new key').fill('program');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('region', { name: 'Secret of program' }).waitFor();
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('whoever is in one project alone finds how to connect a program to it, and its models', { skip }, async () => {
  const { page, complaints } = await visitAs(visited, null);
  const user_id = await userId('nobody@example.com');
  await postAsOwner(visited, `/projects/${projectId}/users`, { user_id, role: 'member' });
  await page.goto(visited.origin);
  await page.getByRole('link', { name: 'Connect' }).click();
  await page.getByLabel('Name of a new key').fill('program of nobody');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('region', { name: 'Secret of program of nobody' }).waitFor();
  await page.getByRole('button', { name: 'Send this call' }).click();
  await page.getByText('service-provider').waitFor();
  await page.getByRole('link', { name: 'Models' }).click();
  await page.getByRole('link', { name: 'echo' }).first().click();
  await page.getByRole('dialog', { name: 'echo' }).waitFor();
  await settled(page);
  assert.equal(await page.getByRole('alert').count(), 0);
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('an administrator is offered to change no owner, and to give no more than they have; who leaves is signed out', {
  skip,
}, async () => {
  const { origin } = visited;
  const { page, complaints } = await visitAs(visited, 'role_admin');
  await postAsOwner(visited, '/roles', { role_name: 'Key maker', permissions: ['api.admin_keys.write'] });
  const email = 'role_admin@example.com';
  const [owner, own] = [await userId(OWNER.email), await userId(email)];
  const dialog = page.getByRole('dialog');
  await page.goto(`${origin}/settings/members?open=${owner}`);
  await dialog.getByLabel('Role to give').waitFor();
  await settled(page);
  const roles = await dialog.getByLabel('Role to give').locator('option').allInnerTexts();
  assert.ok(roles.includes('Viewer') && !roles.includes('Key maker'), roles.join());
  assert.equal(await dialog.getByRole('button', { name: 'Remove member' }).count(), 0);
  await page.goto(`${origin}/settings/members?open=${own}`);
  await dialog.getByRole('button', { name: 'Leave the organization' }).click();
  await dialog.getByLabel(`Type ${email} to go on`).fill(email);
  await dialog.getByRole('button', { name: 'Leave the organization' }).click();
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  assert.deepEqual(
    complaints.filter((each) => !each.startsWith('401 ')),
    [],
  );
  await page.context().close();
});
