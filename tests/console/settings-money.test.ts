import assert from 'node:assert/strict';
import { test } from 'node:test';
import OpenAI from 'openai';
import { WAIT_MS } from '../../src/testing/wait.ts';
import { startReceiver } from '../organization/webhook-receiver.ts';
import { becomeOwner, CHROMIUM, visit } from './browser.ts';

const skip = CHROMIUM === null ? 'Chromium is not installed: the console was not opened' : false;

test('a budget stops calls, its alert comes to a webhook and is shown, and more for a while lets calls go on', {
  skip,
}, async (t) => {
  const receiver = await startReceiver();
  t.after(() => receiver.close());
  await using visited = await visit('server: { webhook_hosts: [127.0.0.1] }');
  await becomeOwner(visited);
  const { page, origin, headgate, complaints } = visited;
  const dialog = page.getByRole('dialog');
  const { key } = await headgate.createKey();
  const status = async () => {
    const answer = await fetch(`${headgate.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'priced', max_tokens: 20, messages: [{ role: 'user', content: 'Hello' }] }),
    });
    await answer.arrayBuffer();
    return answer.status;
  };
  const comesTo = (wanted: number) =>
    t.waitFor(async () => assert.equal(await status(), wanted), { timeout: WAIT_MS, interval: 100 });

  await page.goto(`${origin}/settings/webhooks?create=yes`);
  await dialog.getByLabel('Name').fill('Pager');
  await dialog.getByLabel('Address').fill(receiver.url);
  await dialog.getByLabel('spend_alert.triggered').check();
  await dialog.getByRole('button', { name: 'Add endpoint' }).click();
  const secret = (await dialog.getByRole('region', { name: 'Signing secret' }).innerText()).trim();
  assert.match(secret, /^whsec_/);
  await dialog.getByRole('button', { name: 'I have kept it' }).click();
  await page.getByRole('link', { name: 'Pager' }).click();
  await dialog.getByRole('button', { name: 'Send test event' }).click();
  await dialog.getByText('It answered with the status 204.').waitFor();

  await page.goto(`${origin}/settings/budgets?create=yes`);
  await dialog.getByLabel('Name').fill('All of us');
  await dialog.getByLabel('Who spends it').selectOption({ label: 'The whole organization' });
  await dialog.getByLabel('Dollars').fill('0.30');
  await dialog.getByRole('textbox', { name: 'Alerts at per cent of it' }).fill('50');
  await dialog.getByRole('button', { name: 'Create budget' }).click();
  await dialog.waitFor({ state: 'detached' });
  await comesTo(429);

  const isAlert = ({ body }: { body: string }) => body.includes('"All of us"');
  await receiver.until(() => receiver.received.some(isAlert), 'the alert of the budget');
  const { headers, body } = receiver.received.find(isAlert)!;
  const event: unknown = await new OpenAI({ apiKey: 'unused', webhookSecret: secret }).webhooks.unwrap(body, headers);
  const { type, data } = event as { type: string; data: { name: string; alert_usd: number } };
  assert.deepEqual([type, data.name, data.alert_usd], ['spend_alert.triggered', 'All of us', 0.15]);
  await page.goto(`${origin}/settings/webhooks`);
  await page.getByRole('link', { name: 'Pager' }).click();
  await dialog
    .getByRole('row', { name: /^spend_alert\.triggered Delivered 204/ })
    .first()
    .waitFor();
  await page.goto(origin);
  const attention = page.getByRole('region', { name: 'Needs attention' });
  await attention.getByRole('link', { name: /^The budget All of us refuses calls/ }).click();
  await page.waitForURL(/\/settings\/budgets\?open=/);
  await dialog.getByText('The whole organization').waitFor();
  await dialog.getByRole('button', { name: 'Give more' }).click();
  await dialog.getByLabel('Dollars more').fill('5');
  await dialog.getByRole('button', { name: 'Give more' }).click();
  await dialog.getByText('$5.00 until').waitFor();
  await comesTo(200);
  await dialog.getByRole('button', { name: 'Delete budget' }).click();
  await dialog.getByRole('button', { name: 'Delete budget' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('No budgets yet').waitFor();

  await page.getByRole('link', { name: 'Monthly limits' }).click();
  await page.getByText(/spent this month; there is no limit/).waitFor();
  await page.getByRole('button', { name: 'Set limit' }).click();
  await dialog.getByLabel('Dollars a month (UTC)').fill('0.01');
  await dialog.getByRole('button', { name: 'Save limit' }).click();
  await comesTo(429);
  await page.getByRole('button', { name: 'Take away limit' }).click();
  await dialog.getByText('Calls that it would refuse go through').waitFor();
  await dialog.getByRole('button', { name: 'Take away limit' }).click();
  await page.getByRole('button', { name: 'Set limit' }).waitFor();
  await comesTo(200);

  await page.getByRole('button', { name: 'Add alert' }).click();
  await dialog.getByLabel('When so many dollars are spent in a month').fill('900');
  await dialog.getByRole('button', { name: 'Add alert' }).click();
  await page.getByRole('button', { name: 'Delete the alert at $900.00' }).click();
  await dialog.getByRole('button', { name: 'Delete alert' }).click();
  await page.getByText('An alert tells people').waitFor();
  assert.deepEqual(complaints, []);
});

test('a project is made, its models narrowed, renamed and archived; the audit log tells it, and is exported', {
  skip,
}, async () => {
  await using visited = await visit();
  await becomeOwner(visited);
  const { page, origin, complaints } = visited;
  const dialog = page.getByRole('dialog');
  await page.goto(`${origin}/settings/projects?create=yes`);
  await dialog.getByLabel('Name').fill('Rockets');
  await dialog.getByRole('button', { name: 'Create project' }).click();
  await dialog.getByRole('button', { name: 'Change models' }).click();
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Save models' }).waitFor({ state: 'detached' });
  await dialog.getByRole('button', { name: 'Change models' }).click();
  await dialog.getByLabel('It may use').selectOption({ label: 'Only these models' });
  await dialog.getByLabel('Models', { exact: true }).fill('echo');
  await dialog.getByRole('button', { name: 'Save models' }).click();
  await dialog.getByText('Only echo.').waitFor();
  await dialog.getByRole('button', { name: 'Change the rates of echo', exact: true }).click();
  await dialog.getByLabel('Requests a minute').fill('7');
  await dialog.getByRole('button', { name: 'Save rates' }).click();
  await dialog.getByRole('row', { name: /echo 7 / }).waitFor();
  await dialog.getByRole('button', { name: 'Rename project' }).click();
  await dialog.getByLabel('Name').fill('Moon rockets');
  await dialog.getByRole('button', { name: 'Rename project' }).click();
  await page.getByRole('heading', { level: 2, name: 'Moon rockets' }).waitFor();
  await dialog.getByRole('button', { name: 'Archive project' }).click();
  await dialog.getByText('None of its keys is on.').waitFor();
  await dialog.getByRole('button', { name: 'Archive project' }).click();
  await dialog.getByText('Archived: its keys are refused').waitFor();

  await page.goto(`${origin}/settings/audit-log?type=project.updated`);
  await page.getByRole('link', { name: 'project.updated' }).click();
  const changes = dialog.getByRole('region', { name: 'Before and after' });
  await changes.getByRole('row', { name: 'name Rockets Moon rockets' }).waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Export' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: '1 entries as JSON lines' }).click(),
  ]);
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  const [entry, ...others] = Buffer.concat(chunks).toString().trim().split('\n');
  assert.equal((JSON.parse(entry!) as { type: string }).type, 'project.updated');
  assert.deepEqual(others, []);
  assert.deepEqual(complaints, []);
});
