import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { ask } from '../http/client.ts';
import { becomeOwner, CHROMIUM, postAsOwner, type Visited, visit } from './browser.ts';

const skip = CHROMIUM === null ? 'Chromium is not installed: the console was not opened' : false;
const DAY = 86_400;
/** One more than a page of the history has. */
const PRICES = 101;

let visited: Visited;

before(async () => {
  if (skip) return;
  visited = await visit();
  const { headgate, vendor } = visited;
  await headgate.reload(`providers:
  lab: { base_url: "${vendor.url}", api_key: lab-key, models: [plain] }
echo: true`);
  await becomeOwner(visited);
  for (const model of ['plain', 'echo']) {
    const body = { model, messages: [{ role: 'user', content: 'Hello' }] };
    await ask(`${headgate.url}/v1/chat/completions`, { key: headgate.key, body });
  }
});
afterEach(() => visited?.page.unrouteAll());
after(async () => {
  await visited?.[Symbol.asyncDispose]();
});

test('while a key gets another secret its dialog stays: the secret is shown nowhere else', { skip }, async () => {
  const { page, origin } = visited;
  const answered = Promise.withResolvers<void>();
  await page.route('**/rotate', async (route) => {
    await answered.promise;
    await route.continue();
  });
  await page.goto(`${origin}/settings/keys`);
  await page.getByRole('table').getByRole('link', { name: 'first key' }).click();
  await page.getByRole('button', { name: 'Rotate secret' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rotate the secret of first key' });
  await dialog.getByRole('button', { name: 'Rotate secret' }).click();
  await page.keyboard.press('Escape');
  await page.mouse.click(20, 20);
  answered.resolve();
  await page
    .getByRole('dialog')
    .getByText(/^hg_live_/)
    .waitFor();
});

test('what stands there until another answer is there is not downloaded under its name', { skip }, async () => {
  const { page, origin } = visited;
  await page.goto(`${origin}/usage`);
  const download = page.getByRole('button', { name: 'Download CSV' });
  await page.getByRole('table').waitFor();
  assert.ok(await download.isEnabled());
  const answered = Promise.withResolvers<void>();
  await page.route(/\/v1\/usage\/summary/, async (route) => {
    await answered.promise;
    await route.continue();
  });
  await page.getByLabel('Period').selectOption('Last 7 days');
  await page.waitForURL(/period=7/);
  assert.ok(await download.isDisabled());
  answered.resolve();
  await page.getByRole('button', { name: 'Download CSV', disabled: false }).waitFor();
});

test('of the prices of a model the newest are shown, and the earlier ones at a press', { skip }, async () => {
  const { page, origin } = visited;
  const tomorrow = (Math.floor(Date.now() / 1000 / DAY) + 1) * DAY;
  for (let number = 1; number <= PRICES; number += 1) {
    const price = { input_per_1m: number, output_per_1m: number };
    await postAsOwner(visited, '/price_overrides', { model: 'plain', price, effective_at: tomorrow + number * DAY });
  }
  await page.goto(`${origin}/models?open=plain`);
  const sheet = page.getByRole('dialog', { name: 'plain', exact: true });
  const line = (number: number) => sheet.getByText(`$${number}.00 in, $${number}.00 out`, { exact: true });
  await line(PRICES).waitFor();
  assert.equal(await line(1).count(), 0);
  await sheet.getByRole('button', { name: 'Show earlier prices' }).click();
  await line(1).waitFor();
});

test('a log without calls offers only what would show some, and says of what no price is known', { skip }, async () => {
  const { page, origin } = visited;
  const showAll = page.getByRole('button', { name: 'Show all that is kept' });
  await page.goto(`${origin}/logs?status=failed`);
  await showAll.click();
  await page.waitForURL(/range=all/);
  await page.getByText('No call fits these filters').waitFor();
  assert.equal(await showAll.count(), 0);
  await page.goto(`${origin}/logs?model=plain`);
  await page.getByRole('table').getByRole('link').first().click();
  await page
    .getByRole('dialog')
    .getByText('The cost is not known: input, output have no price in the catalog.')
    .waitFor();
});
