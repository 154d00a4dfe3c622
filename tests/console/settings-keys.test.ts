import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { WAIT_MS } from '../../src/testing/wait.ts';
import { ask } from '../http/client.ts';
import { becomeOwner, CHROMIUM, OWNER, postAsOwner, visit, visitAs } from './browser.ts';

const skip = CHROMIUM === null ? 'Chromium is not installed: the console was not opened' : false;

/** The status that a call of the model is answered with. */
async function callStatus(url: string, key: string, model = 'priced'): Promise<number> {
  const answer = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] }),
  });
  await answer.arrayBuffer();
  return answer.status;
}

async function secretOn(page: Page): Promise<string> {
  const secret = await page.getByRole('region', { name: 'API key', exact: true }).innerText();
  await page.getByRole('button', { name: 'I have kept it' }).click();
  return secret.trim();
}

test('a key is made, used, limited, turned off, rotated and revoked, and the data plane goes by it each time', {
  skip,
}, async (t) => {
  await using visited = await visit();
  await becomeOwner(visited);
  const { page, origin, headgate, complaints } = visited;
  const answers = (key: string, status: number, model?: string) =>
    t.waitFor(async () => assert.equal(await callStatus(headgate.url, key, model), status), { timeout: WAIT_MS });

  await page.goto(`${origin}/settings/keys?create=yes`);
  const sheet = page.getByRole('dialog');
  await sheet.getByLabel('Name', { exact: true }).waitFor();
  await page.keyboard.type('billing-bot');
  assert.equal(
    await sheet.getByLabel('Name', { exact: true }).inputValue(),
    'billing-bot',
    'the first field is in focus',
  );
  await sheet.getByLabel('Owner').selectOption({ label: 'A new service account…' });
  await sheet.getByLabel('Name of the service account').fill('Billing');
  await sheet.getByLabel('Addresses that it is used from').fill('nowhere');
  await sheet.getByRole('button', { name: 'Create key' }).click();
  await sheet.getByRole('alert').first().waitFor();
  assert.equal(await sheet.getByLabel('Name', { exact: true }).inputValue(), 'billing-bot', 'what was typed is kept');
  await sheet.getByRole('button', { name: 'Take away nowhere' }).click();
  await sheet.getByRole('button', { name: 'Create key' }).click();
  const first = await secretOn(page);
  await answers(first, 200);

  await page.getByRole('link', { name: 'billing-bot' }).click();
  await page.getByText('Billing (service account)').waitFor();
  await sheet.getByRole('button', { name: 'Change limits' }).click();
  await sheet.getByLabel('Models').fill('echo');
  await sheet.getByLabel('Requests a minute').fill('500');
  await sheet.getByRole('button', { name: 'Save limits' }).click();
  await page.getByText('500 requests a minute').waitFor();
  await answers(first, 403);
  await answers(first, 200, 'echo');

  await sheet.getByRole('button', { name: 'Turn off' }).click();
  await sheet.getByRole('button', { name: 'Turn on' }).waitFor();
  await answers(first, 401, 'echo');
  await sheet.getByRole('button', { name: 'Turn on' }).click();
  await sheet.getByRole('button', { name: 'Turn off' }).waitFor();
  await answers(first, 200, 'echo');

  await sheet.getByRole('button', { name: 'Rotate secret' }).click();
  await sheet.getByLabel('The secret that it has now').selectOption('Goes on for an hour');
  await sheet.getByRole('button', { name: 'Rotate secret' }).click();
  const second = await secretOn(page);
  assert.notEqual(second, first);
  await answers(second, 200, 'echo');
  await answers(first, 200, 'echo');

  await page.reload();
  await page.getByRole('heading', { level: 2, name: 'billing-bot' }).waitFor();
  await sheet.getByRole('button', { name: 'Revoke key' }).click();
  await sheet.getByText(/^Used .* in the last 24 hours, last .* by Billing\.$/).waitFor();
  const revoke = sheet.getByRole('button', { name: 'Revoke key' });
  assert.equal(await revoke.isDisabled(), true, 'it was used within the hour: its name is typed');
  await sheet.getByLabel('Type billing-bot to go on').fill('billing-bot');
  await revoke.click();
  await sheet.waitFor({ state: 'detached' });
  await answers(first, 401, 'echo');
  await answers(second, 401, 'echo');
  // A key from nowhere was refused, above.
  const unexpected = complaints.filter((each) => !/^400 \/v1\/organization\/projects\/\w+\/api_keys$/.test(each));
  assert.deepEqual(unexpected, []);
});

test('somebody whose group is in one project makes a key of theirs there, and sees no other', { skip }, async (t) => {
  await using visited = await visit();
  await becomeOwner(visited);
  const { origin, headgate } = visited;
  const { id: project } = await postAsOwner(visited, '/projects', { name: 'Search' });
  await postAsOwner(visited, '/projects', { name: 'Secret plans' });
  const { id: group } = await postAsOwner(visited, '/groups', { name: 'Searchers' });
  await postAsOwner(visited, `/projects/${project}/groups`, { group_id: group, role: 'member' });
  const { page, complaints } = await visitAs(visited, null, [group]);

  await page.goto(`${origin}/settings/keys`);
  await page.getByRole('button', { name: 'Create key' }).first().click();
  const sheet = page.getByRole('dialog');
  await sheet.getByLabel('Name', { exact: true }).fill('mine');
  assert.deepEqual(await sheet.getByLabel('Owner').locator('option').allInnerTexts(), ['You']);
  await sheet.getByRole('button', { name: 'Create key' }).click();
  const key = await secretOn(page);
  await t.waitFor(async () => assert.equal(await callStatus(headgate.url, key), 200), { timeout: WAIT_MS });
  await page.getByRole('link', { name: 'mine' }).click();
  await sheet.getByRole('button', { name: 'Rotate secret' }).waitFor();
  const filters = await page.getByLabel('Project', { exact: true }).locator('option').allInnerTexts();
  assert.deepEqual(filters, ['All projects', 'Search']);

  await page.goto(`${origin}/playground`);
  await page.getByRole('heading', { level: 1, name: 'Playground' }).waitFor();
  await page.waitForLoadState('networkidle');
  assert.equal(await page.getByRole('alert').count(), 0);
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('revoking a key says how often it was used in the last 24 hours, and not before', { skip }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-clock-'));
  const clockFile = join(folder, 'clock');
  writeFileSync(clockFile, String(-24 * 3_600_000 - 120_000));
  const clock = new URL('../support/jumping-clock.ts', import.meta.url);
  await using visited = await visit('', { env: { CLOCK_FILE: clockFile, NODE_OPTIONS: `--import ${clock}` } });
  const { page, origin, headgate, complaints, context } = visited;
  await becomeOwner(visited);
  const { id: projectId } = await postAsOwner(visited, '/projects', { name: 'Search' });
  const made = await postAsOwner<{ value: string }>(visited, `/projects/${projectId}/api_keys`, { name: 'nightly' });
  const call = async (path: string, body: object) => {
    const { status, text } = await ask(`${headgate.url}/v1/${path}`, { key: made.value, body });
    assert.equal(status, 200, text);
  };
  const chat = { model: 'echo', messages: [{ role: 'user', content: 'hi' }] };
  await call('chat/completions', chat);
  // No page asks while its session ends.
  await page.goto('about:blank');
  writeFileSync(clockFile, '0');
  // The session has ended in that day.
  const data = { email: OWNER.email, password: OWNER.password };
  await context.request.post(`${origin}/v1/auth/sign_in/password`, { data, headers: { origin } });
  await call('chat/completions', chat);
  await call('chat/completions', chat);
  await call('embeddings', { model: 'echo/text-embedding-3-small', input: 'hi' });

  await page.goto(`${origin}/settings/projects`);
  // What is spent and the limit are asked for apart, and either may come last.
  const cells = page.getByRole('row', { name: 'Search' }).getByRole('cell');
  const isShown = async () =>
    assert.deepEqual((await cells.allInnerTexts()).slice(0, 6), ['Search', '0', '0', '1', '$0.00', 'None']);
  await t.waitFor(isShown, { timeout: WAIT_MS });
  await page.goto(`${origin}/settings/keys?q=nightly`);
  await page.getByRole('link', { name: 'nightly' }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('button', { name: 'Revoke key' }).click();
  await sheet.getByText(/^Used 3 times in the last 24 hours, last /).waitFor();
  assert.deepEqual(complaints, []);
  rmSync(folder, { recursive: true });
});
