import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { WAIT_MS } from '../../src/testing/wait.ts';
import { becomeOwner, CHROMIUM, postAsOwner, type Visited, visit } from './browser.ts';

const skip = CHROMIUM === null ? 'Chromium is not installed: the console was not opened' : false;

let visited: Visited;

before(async () => {
  if (skip) return;
  visited = await visit();
  const { headgate, vendor } = visited;
  const stated = '{ id: stated, price: { input_per_1m: 7, output_per_1m: 7 } }';
  await headgate.reload(`providers:
  lab: { base_url: "${vendor.url}", api_key: lab-key, models: [{ id: plain }, ${stated}] }
echo: true`);
  await becomeOwner(visited);
});
after(async () => {
  await visited?.[Symbol.asyncDispose]();
});

/** What a call is answered with, and what it says that it cost. */
async function call(model: string): Promise<{ status: number; cost: string | null }> {
  const { headgate } = visited;
  const answer = await fetch(`${headgate.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${headgate.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] }),
  });
  await answer.arrayBuffer();
  return { status: answer.status, cost: answer.headers.get('service-cost-usd') };
}

test('a price of one’s own is set, bills calls, and is ended, and the history tells of it', { skip }, async (t) => {
  const { page, origin, complaints, expected } = visited;
  const sheet = page.getByRole('dialog', { name: 'plain', exact: true });
  const costs = (is: (cost: string | null) => boolean) =>
    t.waitFor(async () => assert.ok(is((await call('plain')).cost)), { timeout: WAIT_MS });
  await page.goto(`${origin}/models?open=plain`);
  await sheet.getByText('None is kept: nobody says what it costs.').waitFor();
  await costs((cost) => cost === null);
  await sheet.getByRole('button', { name: 'Set a price of your own' }).click();
  const form = page.getByRole('dialog', { name: 'Set the price of plain' });
  expected.add('400 /v1/organization/price_overrides');
  await form.getByLabel('Input').fill('a lot');
  await form.getByLabel('Output').fill('1000');
  await form.getByRole('button', { name: 'Set price' }).click();
  await form.getByText(/input_per_1m/).waitFor();
  assert.equal(await form.getByLabel('Output').inputValue(), '1000', 'what was typed is kept');
  await form.getByLabel('Input').fill('1000');
  await form.getByLabel('Note').fill('A contract.');
  await form.getByRole('button', { name: 'Set price' }).click();
  const line = sheet.getByRole('listitem').filter({ hasText: '$1,000.00 in, $1,000.00 out' });
  await line.filter({ hasText: 'In force,' }).waitFor();
  await costs((cost) => Number(cost) > 0);
  await sheet.getByRole('region', { name: 'Prices' }).getByRole('cell', { name: '$1,000.00' }).first().waitFor();

  await sheet.getByRole('button', { name: 'End the price of $1,000.00 in, $1,000.00 out' }).click();
  await page.getByRole('button', { name: 'End price' }).click();
  await line.filter({ hasText: 'until' }).waitFor();
  assert.equal(await line.getByRole('button').count(), 0);
  await costs((cost) => cost === null);

  await page.goto(`${origin}/models?open=stated`);
  const stated = page.getByRole('dialog', { name: 'stated', exact: true });
  await stated.getByRole('listitem').filter({ hasText: 'set in the configuration file' }).waitFor();
  assert.equal(await stated.getByRole('button', { name: 'Set a price of your own' }).count(), 0);
  assert.deepEqual(complaints.splice(0), []);
});

test('a price that replaces one with rates of a cache and long prompts takes nothing over without a word', {
  skip,
}, async (t) => {
  const { page, origin, context, complaints } = visited;
  const price = {
    input_per_1m: 2,
    output_per_1m: 8,
    cache_read_per_1m: 0.2,
    cache_write_per_1m: 2.5,
    tiers: [{ above_prompt_tokens: 200_000, input_per_1m: 4 }],
  };
  await postAsOwner(visited, '/price_overrides', { model: 'plain', price });
  await t.waitFor(async () => assert.ok(Number((await call('plain')).cost) > 0), { timeout: WAIT_MS });
  await page.goto(`${origin}/models?open=plain`);
  await page.getByRole('region', { name: 'Prices' }).getByRole('cell', { name: '$2.00' }).waitFor();
  await page.getByRole('button', { name: 'Set a price of your own' }).click();
  const form = page.getByRole('dialog', { name: 'Set the price of plain' });
  assert.equal(await form.getByLabel('Input').inputValue(), '2');
  for (const cache of ['Read from a cache', 'Written to a cache', 'Written to a cache for an hour'])
    assert.equal(await form.getByLabel(cache, { exact: true }).inputValue(), '');
  await form.getByText('$0.20 so far.').waitFor();
  await form.getByText('The price of now also has rates of long prompts; this one will not').waitFor();
  await form.getByLabel('Input').fill('3');
  await form.getByRole('button', { name: 'Set price' }).click();
  await form.waitFor({ state: 'detached' });
  const prices = await context.request.get(`${origin}/v1/organization/models/plain/prices`);
  const { data } = (await prices.json()) as { data: { in_force: boolean; pricing: Record<string, unknown> }[] };
  const { pricing = {} } = data.find(({ in_force: isInForce }) => isInForce) ?? {};
  const { cache_read_per_1m, cache_write_per_1m, cache_write_1h_per_1m, tiers } = pricing;
  assert.deepEqual(
    { cache_read_per_1m, cache_write_per_1m, cache_write_1h_per_1m, tiers },
    {
      cache_read_per_1m: 3,
      cache_write_per_1m: 3,
      cache_write_1h_per_1m: 3,
      tiers: [],
    },
  );
  assert.deepEqual(complaints.splice(0), []);
});

test('a model is given another name, is called by it, and loses it', { skip }, async (t) => {
  const { page, origin, complaints, expected } = visited;
  const name = `team/${'a-name-that-is-long-'.repeat(3)}`;
  const sheet = page.getByRole('dialog', { name: 'plain', exact: true });
  const answers = (status: number) =>
    t.waitFor(async () => assert.equal((await call(name)).status, status), { timeout: WAIT_MS });
  await page.goto(`${origin}/models?open=plain`);
  await sheet.getByText('It has none that was set up here.').waitFor();
  await sheet.getByRole('button', { name: 'Add a name' }).click();
  const form = page.getByRole('dialog', { name: 'Another name of plain' });
  expected.add('400 /v1/organization/aliases');
  await form.getByLabel('Name').fill('stated');
  await form.getByRole('button', { name: 'Add name' }).click();
  await form.getByText('is the name of a model').waitFor();
  await form.getByLabel('Name').fill(name);
  await form.getByRole('button', { name: 'Add name' }).click();
  await sheet.getByRole('button', { name: `Delete the name ${name}` }).waitFor();
  await answers(200);
  await sheet.getByText(`Also called`).waitFor();
  await page.setViewportSize({ width: 375, height: 800 });
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 375);
  await page.setViewportSize({ width: 1280, height: 800 });
  await sheet.getByRole('button', { name: `Delete the name ${name}` }).click();
  await page.getByRole('button', { name: 'Delete name' }).click();
  await sheet.getByText('It has none that was set up here.').waitFor();
  await answers(404);
  assert.deepEqual(complaints.splice(0), []);
});
