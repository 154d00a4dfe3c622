import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WAIT_MS } from '../../src/testing/wait.ts';
import { becomeOwner, CHROMIUM, visit } from './browser.ts';

const skip = CHROMIUM === null ? 'Chromium is not installed: the console was not opened' : false;

test('a product is made, calls what was chosen for it, is changed, given another secret and deleted', {
  skip,
}, async (t) => {
  await using visited = await visit('products: { kiosk: { name: Kiosk, routes: [echo] } }');
  await becomeOwner(visited);
  const { page, origin, headgate, complaints, expected } = visited;
  const dialog = page.getByRole('dialog');
  const answers = (key: string, model: string, wanted: number) =>
    t.waitFor(
      async () => {
        const answer = await fetch(`${headgate.url}/v1/chat/completions`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: JSON.stringify({ model, max_tokens: 20, messages: [{ role: 'user', content: 'Hello' }] }),
        });
        await answer.arrayBuffer();
        assert.equal(answer.status, wanted);
      },
      { timeout: WAIT_MS },
    );
  const secretShown = async () => {
    const secret = await dialog.getByRole('region', { name: 'API key' }).innerText();
    await dialog.getByRole('button', { name: 'I have kept it' }).click();
    return secret.trim();
  };

  await page.goto(`${origin}/settings/products?create=yes`);
  expected.add('400 /v1/organization/products');
  await dialog.getByLabel('Id').fill('help desk');
  await dialog.getByRole('button', { name: 'Take away system' }).click();
  await dialog.getByLabel('What it may call', { exact: true }).fill('priced');
  await dialog.getByLabel('Budget in dollars').fill('5');
  await dialog.getByRole('button', { name: 'Create product' }).click();
  await dialog.getByRole('alert').first().waitFor();
  assert.equal(await dialog.getByLabel('Id').inputValue(), 'help desk', 'what was typed is kept');
  await dialog.getByLabel('Id').fill('helpdesk');
  await dialog.getByRole('button', { name: 'Create product' }).click();
  const first = await secretShown();
  await answers(first, 'priced', 200);
  await answers(first, 'echo', 403);

  await page.goto(`${origin}/settings/products`);
  await page.getByRole('row', { name: /^helpdesk In force priced 1 \$0\.0.* of \$5\.00$/ }).waitFor();
  await page.getByRole('link', { name: 'helpdesk' }).click();
  await page.reload();
  await dialog.getByRole('button', { name: 'Change product' }).click();
  await dialog.getByLabel('Name').fill('Help desk');
  await dialog.getByLabel('What it may call', { exact: true }).fill('echo');
  await dialog.getByRole('button', { name: 'Save product' }).click();
  await dialog.getByText('priced, echo').waitFor();
  await answers(first, 'echo', 200);

  await dialog.getByRole('button', { name: 'Rotate secret' }).click();
  await dialog.getByLabel('The secret that it has now').selectOption('Ends at once');
  await dialog.getByRole('button', { name: 'Rotate secret' }).click();
  const second = await secretShown();
  await answers(second, 'echo', 200);
  await answers(first, 'echo', 401);

  await dialog.getByRole('button', { name: 'Delete product' }).click();
  await dialog.getByText(/^Its last call was /).waitFor();
  assert.equal(await dialog.getByRole('button', { name: 'Delete product' }).isDisabled(), true, 'it is in use');
  await dialog.getByLabel('Type helpdesk to go on').fill('helpdesk');
  await dialog.getByRole('button', { name: 'Delete product' }).click();
  await dialog.waitFor({ state: 'detached' });
  await answers(second, 'echo', 401);
  assert.deepEqual(complaints, []);

  await page.getByRole('link', { name: 'Kiosk' }).click();
  await dialog.getByText(/^Set in headgate\.yaml, line \d+$/).waitFor();
  assert.equal(await dialog.getByRole('button', { name: 'Change product' }).count(), 0);
  await dialog.getByRole('button', { name: 'Make its first key' }).click();
  await dialog.getByRole('button', { name: 'Make key' }).click();
  await answers(await secretShown(), 'echo', 200);
  await dialog.getByRole('button', { name: 'Rotate secret' }).waitFor();
  assert.deepEqual(complaints, []);
});
