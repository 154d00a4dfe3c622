import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { ask } from '../http/client.ts';
import { violationsOn } from './axe.ts';
import { becomeOwner, CHROMIUM, type Visited, visit } from './browser.ts';
import { settled } from './settled.ts';

const skip = CHROMIUM === null ? 'Chromium is not installed: the console was not opened' : false;
/** Names that would be code, or a formula, elsewhere. */
const KEY_NAME = '=1+1,"<b>حساب</b> 🚀';
const CALLS = [
  ['priced', 3],
  ['echo', 2],
] as const;

let visited: Visited;
let other: { id: string; key: string };

before(async () => {
  if (skip) return;
  visited = await visit();
  await becomeOwner(visited);
  const { headgate } = visited;
  const made = await headgate.command('keys', 'create', '--name', KEY_NAME, '--json');
  assert.equal(made.code, 0, made.stderr);
  other = made.json as typeof other;
  for (const [model, times] of CALLS) {
    for (let number = 0; number < times; number += 1) {
      const key = number === 0 ? other.key : headgate.key;
      const body = { model, messages: [{ role: 'user', content: 'Hello' }] };
      assert.equal((await ask(`${headgate.url}/v1/chat/completions`, { key, body })).status, 200);
    }
  }
});
after(async () => {
  await visited?.[Symbol.asyncDispose]();
});

type UsageRow = { model: string; api_key_id: string; cost_usd: number | null; total_tokens: number };

async function ledger(): Promise<UsageRow[]> {
  const { data } = await visited.headgate.usage({ limit: '100' });
  return data as UsageRow[];
}

/** Added up in nano-dollars, which are whole. */
const costOf = (records: readonly UsageRow[]) =>
  records.reduce((sum, { cost_usd }) => sum + Math.round((cost_usd ?? 0) * 1e9), 0) / 1e9;

/** What the page exports, as lines of cells. */
async function exported(): Promise<string[][]> {
  const { page } = visited;
  const waiting = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  const text = readFileSync(await (await waiting).path(), 'utf8');
  return text
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','));
}

async function open(search: string): Promise<void> {
  const { page, origin } = visited;
  await page.goto(`${origin}/usage${search}`);
  await page.getByRole('heading', { level: 2 }).waitFor();
  await page.getByRole('table').getByText('All', { exact: true }).waitFor();
}

test('what the page shows and exports is what the ledger comes to, in whole and of each model', { skip }, async () => {
  await open('');
  const records = await ledger();
  const [head = [], ...lines] = await exported();
  const spend = head.indexOf('spend_usd');
  const calls = head.indexOf('calls');
  const of = (name: string) => lines.find(([first]) => first === name)!;
  assert.deepEqual([Number(of('All')[spend]), Number(of('All')[calls])], [costOf(records), records.length]);
  for (const [model, times] of CALLS) {
    const cost = costOf(records.filter((record) => record.model === model));
    assert.deepEqual([Number(of(model)[spend] || 0), Number(of(model)[calls])], [cost, times]);
  }
  const { page } = visited;
  const measure = page.getByRole('group', { name: 'Measure' });
  await measure.getByRole('button', { name: new RegExp(`^Calls ${records.length} `) }).waitFor();
  assert.equal(lines.at(-1)![0], 'All');
});

test('a model of the table leads to its keys alone; the address shows the same again, and the filter goes', {
  skip,
}, async () => {
  const { page, complaints } = visited;
  await open('');
  await page.getByRole('table').getByRole('link', { name: 'priced' }).click();
  await page.waitForURL(/model=priced/);
  await page.getByRole('heading', { name: 'By API key' }).waitFor();
  await page.reload();
  await page.getByRole('table').getByRole('link', { name: KEY_NAME }).waitFor();
  const records = (await ledger()).filter(({ model }) => model === 'priced');
  const all = (await exported()).at(-1)!;
  assert.ok(all.includes(String(costOf(records))), `${all} have ${costOf(records)}`);
  assert.ok(
    (await exported()).some(([first]) => first!.startsWith(`"'=1+1`)),
    'no formula is in the file',
  );
  await page.getByRole('button', { name: 'Remove the filter Model: priced' }).click();
  await page.waitForURL((url) => !url.search.includes('model'));
  await page.getByLabel('Add a filter').selectOption('API key');
  await page.getByLabel('Only this API key').selectOption(KEY_NAME);
  await page.waitForURL(/key=key_/);
  await page.getByRole('button', { name: `Remove the filter API key: ${KEY_NAME}` }).waitFor();
  const measure = page.getByRole('group', { name: 'Measure' });
  await measure.getByRole('button', { name: /^Calls 2 / }).waitFor();
  assert.deepEqual(complaints.splice(0), []);
});

test('it is compared with the period before, and the chart is read as a table', { skip }, async () => {
  const { page, complaints } = visited;
  await open('?by=key&period=7');
  await page.getByRole('button', { name: 'Compare with the period before' }).click();
  await page.waitForURL(/compare=yes/);
  await page.getByRole('columnheader', { name: 'Spend before' }).waitFor();
  await page.getByText('Period before, all').waitFor();
  await page.getByRole('button', { name: 'Show as table' }).click();
  const table = page.getByRole('region', { name: 'Spend by day' });
  const days = await table.getByRole('row').count();
  assert.equal(days, 8, 'a head and seven days');
  await page.getByRole('button', { name: 'Show as chart' }).click();
  await page.getByRole('img', { name: 'Spend by day' }).waitFor();
  assert.deepEqual(complaints.splice(0), []);
});

test('the arrow keys go from day to day of the chart, and what each came to is read out and shown', {
  skip,
}, async () => {
  const { page, complaints } = visited;
  await open('?period=7');
  const walk = page.getByRole('slider', { name: 'Day of Spend by day' });
  const says = async (words: RegExp) => assert.match((await walk.getAttribute('aria-valuetext')) ?? '', words);
  await walk.focus();
  const today = new Date().toISOString().slice(8, 10).replace(/^0/, '');
  await says(new RegExp(`^[A-Z][a-z]+ ${today}: .*priced \\$${costOf(await ledger())}`));
  await page.locator('figure caption').waitFor();
  await page.keyboard.press('ArrowLeft');
  await says(/: nothing$/);
  await page.keyboard.press('Home');
  assert.equal(await walk.getAttribute('aria-valuenow'), '0');
  await page.keyboard.press('ArrowLeft');
  assert.equal(await walk.getAttribute('aria-valuenow'), '0');
  await page.keyboard.press('End');
  await says(/priced/);
  assert.deepEqual(await violationsOn(page), []);
  await page.keyboard.press('Escape');
  await page.locator('figure caption').waitFor({ state: 'detached' });
  assert.deepEqual(complaints.splice(0), []);
});

test('days that are drawn over are the period, and a bar that is pressed is the filter', { skip }, async () => {
  const { page } = visited;
  await open('');
  const chart = page.getByRole('img', { name: 'Spend by day' });
  const { x, y, width, height } = (await chart.boundingBox())!;
  await page.mouse.move(x + width * 0.5, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width - 12, y + height / 2, { steps: 4 });
  await page.mouse.up();
  await page.waitForURL(/from=\d{4}-\d\d-\d\d&to=\d{4}-\d\d-\d\d/);
  await page.getByLabel('First day (UTC)').waitFor();
  await open('?period=1');
  const bar = (await page.getByRole('img', { name: 'Spend by day' }).boundingBox())!;
  await page.mouse.move(bar.x + bar.width / 2 + 20, bar.y + bar.height * 0.75);
  await page.mouse.click(bar.x + bar.width / 2 + 20, bar.y + bar.height * 0.75);
  await page.waitForURL(/model=priced/);
});

test('a view is saved, opened and deleted', { skip }, async () => {
  const { page, origin } = visited;
  await open('?by=source&measure=calls');
  await page.getByRole('button', { name: 'Saved views' }).click();
  await page.getByLabel('Save what is shown now as').fill('Calls by source');
  await page.keyboard.press('Enter');
  await page.goto(`${origin}/usage?views=yes`);
  await page.getByRole('link', { name: 'Calls by source' }).click();
  await page.waitForURL((url) => url.search === '?by=source&measure=calls');
  await page.getByRole('button', { name: 'Saved views' }).click();
  await page.getByRole('button', { name: 'Delete the view Calls by source' }).click();
  await page.getByText('None yet').waitFor();
});

for (const colorScheme of ['light', 'dark'] as const) {
  for (const search of [
    '',
    '?by=key&measure=cached&compare=yes',
    '?views=yes',
    '?by=day&from=2026-01-01&to=2026-01-03',
  ]) {
    test(`/usage${search} is accessible and fits a telephone, ${colorScheme}`, { skip }, async () => {
      const { page, origin, complaints } = visited;
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.goto(`${origin}/usage${search}`);
      await settled(page);
      assert.deepEqual(await violationsOn(page), []);
      await page.setViewportSize({ width: 375, height: 800 });
      const [inner, whole] = await page.evaluate<number[]>('[innerWidth, document.documentElement.scrollWidth]');
      assert.ok(whole! <= inner!, `${whole} px wide on ${inner}`);
      await page.setViewportSize({ width: 1440, height: 900 });
      assert.deepEqual(complaints.splice(0), []);
    });
  }
}
