import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { ask } from '../http/client.ts';
import { hostileStrings } from '../organization/hostile-strings.ts';
import { becomeOwner, CHROMIUM, type Visited, visit } from './browser.ts';
import { PAGES } from './pages.ts';
import { settled } from './settled.ts';

const skip =
  CHROMIUM === null
    ? 'Chromium is not installed: the console was not opened'
    : process.env.HEADGATE_HTTP_LAYER === 'node' && 'What pages do with text is the same with either HTTP layer';
const CALLS = 60;
/** Pages of more, and addresses that say something hostile themselves. */
const STATES = [
  '/usage?by=key',
  '/logs?range=30d',
  '/playground?model=echo',
  ...[
    '<script>alert(1)</script>',
    '"><svg/onload=alert(1)>',
    'javascript:alert(1)',
    '__proto__',
    '%00',
    '\u202e',
  ].flatMap((text) => {
    const said = encodeURIComponent(text);
    return [
      `/settings/keys?q=${said}&open=${said}`,
      `/models?q=${said}&open=${said}`,
      `/logs?open=${said}`,
      `/${said}`,
    ];
  }),
];
/** What no text may bring into a page. The console's own scripts come from its own files. */
const STRANGERS = `[...document.querySelectorAll('script:not([src^="/assets/"]), iframe, object, embed, img:not([src="/icon.svg"]), [onerror], [onload], a[href^="javascript:"]')]
  .map(({ outerHTML }) => outerHTML)`;
const WIDTHS = '[innerWidth, document.documentElement.scrollWidth]';

test('500 hostile strings in names, prompts, answers, user agents and errors are text on every page, and break none', {
  skip,
}, async () => {
  await using visited = await visit('limits: { requests_per_minute: 100000 }');
  const { page, origin, complaints } = visited;
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.message());
    void dialog.dismiss();
  });
  await becomeOwner(visited);
  const kept = await fill(visited);
  // Those with characters that nobody sees are refused.
  assert.ok(kept > 100, `only ${kept} of them were taken as names`);
  for (const path of [...PAGES, ...STATES]) {
    await page.goto(origin + path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await settled(page);
    await isWhole(page);
    if (STATES.includes(path)) continue;
    await page.setViewportSize({ width: 375, height: 900 });
    await isWhole(page);
    // Its first detail, on both widths.
    const first = page.getByRole('main').locator('tbody tr td:first-child a[href*="open="]').first();
    if ((await first.count()) > 0) {
      await first.click();
      await page.getByRole('dialog').waitFor();
      await settled(page);
      await isWhole(page);
    }
    await page.setViewportSize({ width: 1_440, height: 900 });
    await isWhole(page);
  }
  await answers(visited);
  // Addresses name models and calls that there are not.
  const unexpected = complaints.filter((complaint) => !/^404 \/v1\/(usage|models\/catalog)\//.test(complaint));
  assert.deepEqual([asked, unexpected], [[], []]);
});

/** Nothing of the texts is anything but text, and nothing is wider than the screen. */
async function isWhole(page: Page): Promise<void> {
  assert.deepEqual(await page.evaluate(STRANGERS), [], page.url());
  const [inner, whole] = await page.evaluate<number[]>(WIDTHS);
  assert.ok(whole! <= inner!, `${page.url()} is ${whole} px wide on ${inner}`);
}

/** Every one of the strings is said to a model, which says it again. */
async function answers({ page, origin }: Visited): Promise<void> {
  await page.goto(`${origin}/playground?model=echo`);
  const said = hostileStrings()
    .map((text) => text.toWellFormed())
    .join('\n');
  await page.getByLabel('What to say').fill(said);
  await page.getByRole('button', { name: 'Send' }).click();
  const answer = page.getByRole('region', { name: 'Answer of echo' });
  await answer.getByText('Cost').waitFor();
  assert.ok((await answer.innerText()).length > said.length / 2, 'it was answered');
  await isWhole(page);
  await page.setViewportSize({ width: 375, height: 900 });
  await isWhole(page);
}

/** Names of projects, keys of both kinds, groups and products, and calls with prompts, user agents and models. Returns how many names were taken. */
async function fill({ context, origin, headgate }: Visited): Promise<number> {
  const post = (path: string, data: object) =>
    context.request.post(`${origin}/v1/organization${path}`, { data, headers: { origin } });
  const strings = hostileStrings().map((text) => text.toWellFormed());
  const first = ((await (await context.request.get(`${origin}/v1/organization/projects`)).json()) as Listed).data[0]!
    .id;
  let kept = 0;
  for (const [index, name] of strings.entries()) {
    const places = [`/projects/${first}/api_keys`, '/projects', '/admin_api_keys', '/groups', '/products'];
    const place = places[index % places.length]!;
    const made = await post(place, place === '/products' ? { id: `product-${index}`, name } : { name });
    assert.ok(made.status() === 200 || made.status() === 400, `${made.status()} ${await made.text()}`);
    if (made.ok()) kept += 1;
  }
  for (const text of strings.slice(0, CALLS)) {
    const printable = text.replaceAll(/[^\x20-\x7e]/g, '');
    for (const model of ['echo', text]) {
      await ask(`${headgate.url}/v1/chat/completions`, {
        key: headgate.key,
        headers: { 'user-agent': printable === '' ? 'x' : printable },
        body: { model, messages: [{ role: 'user', content: text }] },
      });
    }
  }
  return kept;
}

type Listed = { data: { id: string }[] };
