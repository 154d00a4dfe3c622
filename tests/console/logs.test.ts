import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { nextPoll } from '../../src/testing/wait.ts';
import { becomeOwner, CHROMIUM, newContext, type Visited, visit } from './browser.ts';

const skip = CHROMIUM === null ? 'Chromium is not installed: the console was not opened' : false;
const ROUTE = 'routes: { support: { targets: [lab/priced, echo], strategy: [cheapest] } }';
/** As a caller may name a key: it is text on every page. */
const HOSTILE = '<img src=x onerror=alert(1)> مفتاح 🚀';

let visited: Visited;
let otherKey: { id: string; key: string };

before(async () => {
  if (skip) return;
  visited = await visit(ROUTE);
  const { json } = await visited.headgate.command('keys', 'create', '--name', HOSTILE, '--json');
  otherKey = json as typeof otherKey;
  await becomeOwner(visited);
});
after(async () => {
  await visited?.[Symbol.asyncDispose]();
});

async function call(model: string, key = visited.headgate.key): Promise<string> {
  const answer = await fetch(`${visited.headgate.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] }),
  });
  await answer.text();
  return answer.headers.get('x-request-id') ?? '';
}

test('a call is a line, its filters stand in the address, and its sheet tells all of it', { skip }, async () => {
  const { page, origin, complaints } = visited;
  await call('priced');
  await call('priced', otherKey.key);
  const requestId = await call('support');
  await page.goto(`${origin}/logs`);
  const lines = page.getByRole('table').getByRole('row');
  await page.getByRole('row', { name: 'support' }).waitFor();
  assert.equal(await lines.count(), 4);

  await page.getByLabel('API key').selectOption({ label: HOSTILE });
  await page.getByRole('row', { name: 'support' }).waitFor({ state: 'detached' });
  assert.equal(await lines.count(), 2);
  assert.match(page.url(), /api_key_id=key_/);
  await page.reload();
  await page.getByRole('row', { name: HOSTILE }).waitFor();
  assert.equal(await lines.count(), 2);
  await page.getByRole('button', { name: 'Clear filters' }).click();

  await page.getByRole('row', { name: 'support' }).getByRole('link').press('Enter');
  const sheet = page.getByRole('dialog', { name: 'Call of support' });
  await sheet.getByText('cheapest: echo first').waitFor();
  await sheet.getByRole('img', { name: /of the call/ }).waitFor();
  await sheet.getByText('Headgate records no content').waitFor();
  await page.goBack();
  await sheet.waitFor({ state: 'detached' });

  await page.getByLabel('Request id, then Enter').fill(requestId);
  await page.getByLabel('Request id, then Enter').press('Enter');
  await sheet.getByText(requestId).waitFor();
  assert.deepEqual(complaints.splice(0), []);
});

test('a call that was sent to no provider was served by none, whoever looks', { skip }, async () => {
  const { page, origin, complaints } = visited;
  const requestId = await call('priced');
  for (const provider of ['lab', null]) {
    await page.route(`**/v1/usage/${requestId}`, async (route) => {
      const response = await route.fetch();
      const json = { ...((await response.json()) as object), provider, attempts: 0, attempt_details: [] };
      await route.fulfill({ response, json });
    });
    await page.goto(`${origin}/logs?open=${requestId}`);
    await page.getByRole('dialog').getByText('nobody: it was sent to no provider').waitFor();
    assert.equal(await page.getByText('not shown to you').count(), 0);
    // Pages ask again by themselves: an answer may come once nobody waits for it.
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  }
  assert.deepEqual(complaints.splice(0), []);
});

test('a refused call is found by its request id and by its status, and says why and what would help', {
  skip,
}, async () => {
  const { page, origin, complaints, headgate } = visited;
  const { json } = await headgate.command('keys', 'create', '--name', 'narrow', '--models', 'echo', '--json');
  const requestId = await call('priced', (json as { key: string }).key);
  while ((await headgate.command('usage', 'show', requestId)).code !== 0) await nextPoll();

  await page.goto(`${origin}/logs`);
  await page.getByRole('row', { name: 'support' }).waitFor();
  assert.equal(await page.getByRole('row', { name: 'narrow' }).count(), 0);
  await page.getByLabel('Status').selectOption({ label: 'Refused' });
  const line = page.getByRole('row', { name: 'narrow' });
  await line.waitFor();
  await line.getByRole('link').press('Enter');
  const sheet = page.getByRole('dialog', { name: 'Call of priced' });
  await sheet.getByText('model_not_allowed', { exact: true }).first().waitFor();
  await sheet.getByText(requestId).waitFor();
  await sheet.getByText('Nothing: it was sent to no provider.').waitFor();
  await sheet.getByRole('link', { name: 'change the models of the key' }).click();
  await page.getByRole('dialog', { name: 'narrow' }).waitFor();

  await page.goto(`${origin}/logs`);
  await page.getByLabel('Request id, then Enter').fill(requestId);
  await page.getByLabel('Request id, then Enter').press('Enter');
  await sheet.getByText(requestId).waitFor();
  assert.deepEqual(complaints.splice(0), []);
});

test('a log that is followed shows calls as they end, and those that ended while it was halted once it goes on', {
  skip,
}, async () => {
  const { page, origin, complaints } = visited;
  await page.goto(`${origin}/logs?live=yes&model=echo`);
  await page.getByText('No call fits these filters').waitFor();
  await call('echo');
  const lines = page.getByRole('row', { name: 'echo' });
  await lines.waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('Paused').waitFor();
  await call('echo');
  await call('echo');
  await page.getByRole('button', { name: 'Go on' }).click();
  await lines.nth(2).waitFor();
  assert.equal(await lines.count(), 3);
  await page.getByRole('button', { name: 'Stop following' }).click();
  await page.getByText('Following:').waitFor({ state: 'detached' });
  assert.deepEqual(complaints.splice(0), []);
});

test('a call that does not exist is told, and nothing else breaks', { skip }, async () => {
  const { page, origin } = visited;
  await page.goto(`${origin}/logs?open=usage_none`);
  await page.getByRole('alert').getByText('no usage record with this id').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.equal(new URL(page.url()).search, '');
});

test('times of before and after a change of the clock tell which they are', { skip }, async () => {
  const { context, origin } = visited;
  await call('priced');
  await call('priced');
  const timezoneId = 'Europe/Berlin';
  const theirs = await newContext(context.browser()!, { timezoneId, storageState: await context.storageState() });
  const page = await theirs.newPage();
  await page.addInitScript("localStorage.setItem('headgate.times', 'local')");
  const times = ['2026-10-25T01:30:00Z', '2026-10-25T00:30:00Z'].map((time) => Date.parse(time) / 1000);
  await page.route('**/v1/usage?*', async (route) => {
    const response = await route.fetch();
    const json = (await response.json()) as { data: object[] };
    await route.fulfill({
      response,
      json: { ...json, data: times.map((created_at, index) => ({ ...json.data[index], created_at })) },
    });
  });
  await page.goto(`${origin}/logs`);
  const cells = page.getByRole('row').getByRole('time');
  await cells.first().waitFor();
  const head = await page.getByRole('columnheader', { name: 'Time' }).innerText();
  const told = (await cells.allInnerTexts()).map((text) => (/UTC/.test(text) ? text : `${text} ${head}`));
  assert.match(told[0]!, /10-25 02:30:00.*UTC\+01:00/s);
  assert.match(told[1]!, /10-25 02:30:00.*UTC\+02:00/s);
  await page.goto(`${origin}/logs?range=own&start=none`);
  await page.getByLabel('from').waitFor();
  assert.equal(await page.getByText('NaN').count(), 0);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await theirs.close();
});

test('times stand in UTC, or as the clock of the machine has them where a person chose that', { skip }, async () => {
  const { context, origin } = visited;
  await call('priced');
  const [record] = (await visited.headgate.usage({ limit: '1' })).data;
  const timezoneId = 'Asia/Kolkata';
  const theirs = await newContext(context.browser()!, { timezoneId, storageState: await context.storageState() });
  const page = await theirs.newPage();
  await page.goto(`${origin}/logs`);
  const text = (ms: number) => new Date(ms).toISOString().slice(11, 19);
  const at = Number(record!.created_at) * 1000;
  const first = page.getByRole('table').getByRole('row').nth(1);
  await page.getByRole('columnheader', { name: 'Time (UTC)' }).waitFor();
  await first.getByText(text(at)).waitFor();
  await page.getByRole('button', { name: 'Ada Lovelace' }).click();
  await page.getByRole('menuitem', { name: 'Times as this clock has them' }).click();
  await page.getByRole('columnheader', { name: 'Time (UTC+05:30)' }).waitFor();
  await first.getByText(text(at + 5.5 * 3_600_000)).waitFor();
  await page.goto(`${origin}/logs?range=own`);
  await page.getByLabel('from').fill('2026-11-23T10:30');
  await page.waitForURL(`**start=${Date.parse('2026-11-23T10:30+05:30') / 1000}*`);
  await page.reload();
  assert.equal(await page.getByLabel('from').inputValue(), '2026-11-23T10:30');
  await page.goto(`${origin}/settings/audit-log`);
  await page.getByText('Times are UTC+05:30.').waitFor();
  await theirs.close();
});
