import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { becomeOwner, CHROMIUM, type Visited, visit } from './browser.ts';
import { settled } from './settled.ts';

const skip = CHROMIUM === null ? 'Chromium is not installed: the console was not opened' : false;
/** Left of its middle, a field for a day has the month. */
/** On a busy machine reports of a page that was left still run when the next one asks. */
const MANY_REPORTS = 'limits: { max_reports: 1000 }';
const MONTH = { position: { x: 15, y: 15 } };
const DAY_TYPED = '10152026';

let visited: Visited;

before(async () => {
  if (skip) return;
  visited = await visit(MANY_REPORTS);
  await becomeOwner(visited);
});
after(async () => {
  await visited?.[Symbol.asyncDispose]();
});

/** Types as a person does, who sees each letter before the next. */
async function type(text: string): Promise<void> {
  for (const letter of text) {
    await visited.page.keyboard.type(letter);
    await visited.page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
  }
}

/** Types such a text behind the first word of what is there. */
async function typeBehindHello(field: Locator, text: string): Promise<void> {
  await field.click();
  await visited.page.keyboard.press('Home');
  for (const _ of 'Hello') await visited.page.keyboard.press('ArrowRight');
  await type(text);
}

test('what is typed in the middle of a text whose place is the address stays there', { skip }, async () => {
  const { page, origin } = visited;
  for (const [path, label, name] of [
    ['/playground?model=priced', 'System prompt', 'system'],
    ['/settings/keys', 'Search keys', 'q'],
  ] as const) {
    await page.goto(origin + path);
    const field = page.getByLabel(label);
    await field.fill('Hello world');
    await typeBehindHello(field, ' big');
    assert.equal(await field.inputValue(), 'Hello big world');
    await page.waitForURL((url) => url.searchParams.get(name) === 'Hello big world');
    await page.reload();
    await field.waitFor();
    assert.equal(await field.inputValue(), 'Hello big world');
  }
});

test('a period that is longer than the gateway adds up has its last days, and says so', { skip }, async () => {
  const { page, origin, complaints } = visited;
  const words = page.getByText('A period has at most 400 days');
  for (const path of ['/', '/usage']) {
    await page.goto(`${origin}${path}?from=2020-01-01&to=2026-11-20`);
    await words.waitFor();
    await settled(page);
    assert.equal(await page.getByLabel('First day (UTC)').inputValue(), '2025-10-17');
    assert.equal(await page.getByRole('alert').count(), 0);
    await page.goto(`${origin}${path}?from=2025-10-17&to=2026-11-20`);
    await page.getByLabel('First day (UTC)').waitFor();
    assert.equal(await words.count(), 0);
  }
  assert.deepEqual(complaints, []);
});

test('a period is typed part by part, and counts once it is whole', { skip }, async () => {
  const { page, origin, complaints } = visited;
  await page.goto(`${origin}/usage?from=2026-11-01&to=2026-11-20`);
  await page.getByLabel('First day (UTC)').click(MONTH);
  await type(DAY_TYPED);
  await page.waitForURL((url) => url.searchParams.get('from') === '2026-10-15');
  await page.keyboard.press('Tab');
  assert.equal(await page.getByLabel('First day (UTC)').inputValue(), '2026-10-15');
  assert.deepEqual(complaints.splice(0), []);

  await page.goto(`${origin}/logs?range=own&start=1793000000&end=1796000000`);
  const from = page.getByLabel('from');
  await from.click(MONTH);
  await type(DAY_TYPED);
  const start = String(Date.parse('2026-10-15T07:33:00Z') / 1000);
  await page.waitForURL((url) => url.searchParams.get('start') === start);
  assert.equal(await from.inputValue(), '2026-10-15T07:33');
  await from.fill('');
  await page.waitForURL((url) => !url.searchParams.has('start'));
  assert.deepEqual(complaints.splice(0), []);
});

test('a text that is marked up to beyond its dialog is not lost; a press beside the dialog closes it', {
  skip,
}, async () => {
  const { page, origin } = visited;
  await page.goto(`${origin}/usage?views=yes`);
  const dialog = page.getByRole('dialog');
  const name = dialog.getByRole('textbox');
  await name.fill('Every Monday');
  const { x, y } = (await name.boundingBox())!;
  await page.mouse.move(x + 60, y + 10);
  await page.mouse.down();
  await page.mouse.move(20, y + 10);
  await page.mouse.up();
  await type('Each');
  assert.match(await name.inputValue(), /^Each/);
  await page.mouse.click(20, 20);
  await dialog.waitFor({ state: 'detached' });
});
