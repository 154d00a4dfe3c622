import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { becomeOwner, CHROMIUM, type Visited, visit } from './browser.ts';

const skip = CHROMIUM === null ? 'Chromium is not installed: the console was not opened' : false;

let visited: Visited;

before(async () => {
  if (skip) return;
  visited = await visit();
  await becomeOwner(visited);
});
after(async () => {
  await visited?.[Symbol.asyncDispose]();
});

test('a key is made in place, stands in what is pasted, and the call that is sent with it is in the logs', {
  skip,
}, async () => {
  const { page, origin, vendor, complaints } = visited;
  await page.goto(`${origin}/connect?model=priced`);
  await page.getByText('Make a key first').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Send this call' }).isDisabled(), true);
  const program = page.getByRole('region', { name: 'In a terminal' });
  assert.match((await program.textContent()) ?? '', /hg_live_…/);

  await page.getByLabel('Name of a new key').fill('bot 🚀');
  await page.getByRole('button', { name: 'Create key' }).press('Enter');
  const secret = (await page.getByRole('region', { name: 'Secret of bot 🚀' }).textContent()) ?? '';
  assert.match(secret, /^hg_live_[0-9A-Za-z]{49}$/);
  const shown = (await program.textContent()) ?? '';
  assert.ok(shown.includes(secret) && shown.includes(`${origin}/v1/chat/completions`) && shown.includes('priced'));

  await page.getByRole('button', { name: 'Codex' }).click();
  const codex = (await page.getByRole('region', { name: '~/.codex/config.toml' }).textContent()) ?? '';
  assert.ok(codex.includes(`base_url = "${origin}/v1"`) && codex.includes('wire_api = "responses"'));
  assert.match(page.url(), /client=codex/);

  await page.getByLabel('What to ask').fill('What is it?');
  await page.getByRole('button', { name: 'Send this call' }).click();
  await page.getByText('$0.017').waitFor();
  await page.getByText('service-provider').waitFor();
  const { messages } = JSON.parse(String(vendor.requests.at(-1)!.body)) as { messages: { content: string }[] };
  assert.equal(messages.at(-1)?.content, 'What is it?');
  await page.setViewportSize({ width: 375, height: 800 });
  const [inner, whole] = await page.evaluate<number[]>('[innerWidth, document.documentElement.scrollWidth]');
  assert.ok(whole! <= inner!, `${whole} px wide on ${inner}`);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole('link', { name: 'See it in the logs' }).click();
  await page.getByRole('dialog', { name: 'Call of priced' }).getByText('bot 🚀').waitFor();
  assert.deepEqual(complaints.splice(0), []);
});

test('a service account gets a key of its own, and a call that is refused says why', { skip }, async () => {
  const { page, origin, complaints, expected } = visited;
  expected.add('404 /v1/chat/completions');
  await page.goto(`${origin}/connect?model=no-such-model`);
  await page.getByText('No model of the catalog has this name').waitFor();
  await page.getByLabel('Name of a new key').fill('nightly');
  await page.getByLabel('Whose it is').selectOption({ label: 'A service account of its own' });
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('region', { name: 'Secret of nightly' }).waitFor();
  await page.getByRole('button', { name: 'Send this call' }).click();
  await page.getByRole('alert').getByText('no-such-model').waitFor();
  await page.getByRole('button', { name: 'I have kept it' }).click();
  await page.getByLabel('Or one that is there').selectOption({ index: 1 });
  await page.getByText('Its secret is known to nobody').waitFor();
  assert.deepEqual(complaints.splice(0), []);
});
