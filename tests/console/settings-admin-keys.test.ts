import assert from 'node:assert/strict';
import { test } from 'node:test';
import { becomeOwner, CHROMIUM, visit } from './browser.ts';

const skip = CHROMIUM === null ? 'Chromium is not installed: the console was not opened' : false;

test('a key of administration is made, changes settings, is told of in the audit log, and is refused once it is revoked', {
  skip,
}, async () => {
  await using visited = await visit();
  await becomeOwner(visited);
  const { page, origin, headgate, complaints, expected } = visited;
  const dialog = page.getByRole('dialog');
  const create = async (secret: string) => {
    const answer = await fetch(`${headgate.url}/v1/organization/projects`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'By a script' }),
    });
    await answer.arrayBuffer();
    return answer.status;
  };

  await page.goto(`${origin}/settings/admin-keys`);
  await page.getByText('No administration keys yet').waitFor();
  await page.getByRole('button', { name: 'Create administration key' }).first().click();
  expected.add('400 /v1/organization/admin_api_keys');
  await dialog.getByLabel('Name').fill('Terraform');
  await dialog.getByLabel('Ends on').fill('2020-01-01');
  await dialog.getByRole('button', { name: 'Create administration key' }).click();
  await dialog.getByRole('alert').first().waitFor();
  assert.equal(await dialog.getByLabel('Name').inputValue(), 'Terraform', 'what was typed is kept');
  await dialog.getByLabel('Ends on').fill('');
  await dialog.getByRole('button', { name: 'Create administration key' }).click();
  const secret = (await dialog.getByRole('region', { name: 'Administration key' }).innerText()).trim();
  await page.keyboard.press('Escape');
  await dialog.getByText('it cannot be shown again').waitFor();
  await dialog.getByRole('button', { name: 'I have kept it' }).click();
  await dialog.waitFor({ state: 'detached' });
  assert.equal(await create(secret), 200);

  await page.getByRole('link', { name: 'Terraform' }).click();
  await page.reload();
  await dialog.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
  assert.equal(await page.getByText(secret).count(), 0, 'the secret is shown once');
  await dialog.getByRole('link', { name: 'What was changed with it' }).click();
  await page.getByRole('link', { name: 'project.created' }).waitFor();
  const who = page.getByLabel('Who').locator('option:checked');
  await who.and(page.getByText('Key: Terraform')).waitFor({ state: 'attached' });
  const changesOfKey = page.url();

  await page.goBack();
  await dialog.getByRole('button', { name: 'Revoke key' }).click();
  await dialog.getByText(/^A setting was last changed with it/).waitFor();
  const revoke = dialog.getByRole('button', { name: 'Revoke key' });
  assert.equal(await revoke.isDisabled(), true, 'it is in use: its name is typed');
  await dialog.getByLabel('Type Terraform to go on').fill('Terraform');
  await revoke.click();
  await page.getByText('No administration keys yet').waitFor();
  assert.equal(await create(secret), 401);

  // It is listed no more; what it did is, and for whom the log is filtered is still told.
  await page.goto(changesOfKey);
  await page.getByRole('link', { name: 'project.created' }).waitFor();
  const keyId = new URL(changesOfKey).searchParams.get('actor')!;
  assert.equal(await who.innerText(), keyId);
  assert.deepEqual(complaints, []);
});
