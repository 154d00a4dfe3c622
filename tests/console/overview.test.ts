import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ask } from '../http/client.ts';
import { violationsOn } from './axe.ts';
import { becomeOwner, CHROMIUM, type Visited, visit } from './browser.ts';
import { settled } from './settled.ts';

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

async function call(model: string): Promise<number> {
  const { url, key } = visited.headgate;
  const body = { model, messages: [{ role: 'user', content: 'Hello' }] };
  return (await ask(`${url}/v1/chat/completions`, { key, body })).status;
}

/** Changes a setting as the signed-in person does. */
async function post(path: string, body: object): Promise<void> {
  const { context, origin } = visited;
  const answer = await context.request.post(`${origin}/v1/organization${path}`, { data: body, headers: { origin } });
  assert.equal(answer.status(), 200, await answer.text());
}

async function spentOfBudget(): Promise<number> {
  const { context, origin } = visited;
  const answer = await context.request.get(`${origin}/v1/organization/budgets`);
  return Number(((await answer.json()) as { data: { spent_usd: string }[] }).data[0]!.spent_usd);
}

async function defaultProject(): Promise<string> {
  const { context, origin } = visited;
  const answer = await context.request.get(`${origin}/v1/organization/projects`);
  return ((await answer.json()) as { data: { id: string }[] }).data[0]!.id;
}

async function reopen(): Promise<void> {
  const { page, origin } = visited;
  await page.goto(origin);
  await page.getByRole('heading', { name: 'Providers' }).waitFor();
}

test('a first visit is told what to do, in place, and each step goes once it is done', { skip }, async () => {
  const { page } = visited;
  await reopen();
  const steps = page.getByRole('region', { name: 'First steps' });
  const dialog = page.getByRole('dialog');
  await steps.getByRole('link', { name: 'Create key' }).click();
  await dialog.getByLabel('Name', { exact: true }).fill('laptop');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await dialog.getByRole('region', { name: 'API key', exact: true }).waitFor();
  await dialog.getByRole('button', { name: 'I have kept it' }).click();
  await dialog.waitFor({ state: 'detached' });
  await steps.getByRole('link', { name: 'Create key' }).waitFor({ state: 'detached' });

  await steps.getByRole('link', { name: 'Invite' }).click();
  await dialog.getByLabel('Email address').fill('grace@example.com');
  await dialog.getByRole('button', { name: 'Make the invitation' }).click();
  await dialog.getByRole('button', { name: 'I have kept it' }).click();
  await steps.getByRole('link', { name: 'Invite' }).waitFor({ state: 'detached' });
  assert.equal(new URL(page.url()).pathname, '/');
  await post(`/projects/${await defaultProject()}/api_keys`, {
    name: 'billing-bot',
    expires_in_seconds: 2 * 86_400 + 60,
  });
});

test('its numbers are what the ledger comes to, and lead to where they are taken apart', { skip }, async () => {
  const { page, headgate, complaints } = visited;
  for (const model of ['priced', 'priced', 'echo']) assert.equal(await call(model), 200);
  const { data: records } = await headgate.usage({ limit: '100' });
  const nano = records.reduce((sum, { cost_usd }) => sum + Math.round(Number(cost_usd ?? 0) * 1e9), 0);
  await reopen();
  const numbers = page.getByRole('region', { name: 'In numbers' });
  await numbers.getByRole('link', { name: /^Calls 3 / }).waitFor();
  await numbers.getByRole('link', { name: new RegExp(`^Spend \\$${nano / 1e9}`) }).waitFor();
  await page.getByRole('img', { name: 'Spend by day and model' }).waitFor();
  const keys = page.getByRole('region', { name: 'Dearest keys' });
  await keys.getByRole('link', { name: 'first key' }).click();
  await page.waitForURL(/\/usage\?key=/);
  await page.getByRole('button', { name: 'Remove the filter API key: first key' }).waitFor();
  await page.goBack();
  await numbers.getByRole('link', { name: /^Calls / }).click();
  await page.waitForURL(/\/usage\?measure=calls/);
  assert.deepEqual(complaints.splice(0), []);
});

test('what needs attention is told, and leads to where it is mended', { skip }, async () => {
  const { page, vendor } = visited;
  await post('/budgets', { name: 'Experiments', holders: [{ type: 'organization' }], amount_usd: 0.01, hard: false });
  // It is in force a moment later: calls before that do not count.
  do assert.equal(await call('priced'), 200);
  while ((await spentOfBudget()) === 0);
  vendor.plan('unauthorized', { model: 'priced', times: 1 });
  assert.notEqual(await call('priced'), 200);
  const project = await defaultProject();
  await post(`/projects/${project}/spend_limit`, { currency: 'USD', interval: 'month', threshold_amount: 1 });
  await post(`/projects/${project}/rate_limits/rate_limit_priced`, { max_requests_per_1_minute: 1 });
  await reopen();
  const attention = page.getByRole('region', { name: 'Needs attention' });
  await attention.getByText('lab refuses its key.').waitFor();
  await attention.getByText('The budget Experiments is used up.').waitFor();
  await attention.getByText('priced: the requests a minute of Default project are used up.').waitFor();
  await attention.getByRole('link', { name: 'The monthly limit of Default project is used up.' }).click();
  await page.waitForURL(/\/settings\/budgets\?view=limits&open=proj_/);
  await page.getByRole('dialog').waitFor();
  await page.goBack();
  await page.getByRole('listitem').filter({ hasText: /^lab/ }).getByText('refuses its key', { exact: true }).waitFor();
  await attention.getByRole('link', { name: /^The key billing-bot expires on [-0-9]+\. It ends in 2 days/ }).click();
  await page.waitForURL(/\/settings\/keys\?open=key_/);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`it is accessible, fits a telephone and does not jump while it fills, ${colorScheme}`, { skip }, async () => {
    const { page, complaints } = visited;
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.addInitScript(`
      window.shifted = 0;
      new PerformanceObserver((list) => { for (const { value } of list.getEntries()) window.shifted += value; })
        .observe({ type: 'layout-shift', buffered: true });`);
    await reopen();
    await settled(page);
    const shifted = await page.evaluate<number>('window.shifted');
    assert.ok(shifted < 0.05, `things moved by ${shifted}`);
    assert.deepEqual(await violationsOn(page), []);
    await page.setViewportSize({ width: 375, height: 800 });
    const [inner, whole] = await page.evaluate<number[]>('[innerWidth, document.documentElement.scrollWidth]');
    assert.ok(whole! <= inner!, `${whole} px wide on ${inner}`);
    await page.setViewportSize({ width: 1440, height: 900 });
    assert.deepEqual(complaints.splice(0), []);
  });
}
