import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { ask } from '../http/client.ts';
import { IS_NIGHTLY } from '../support/nightly.ts';
import { becomeOwner, CHROMIUM, postAsOwner, type Visited, visit } from './browser.ts';
import { PAGES } from './pages.ts';
import { settled } from './settled.ts';

const skip =
  CHROMIUM === null
    ? 'Chromium is not installed: the console was not opened'
    : process.env.HEADGATE_HTTP_LAYER === 'node' && 'What pages make of answers is the same with either HTTP layer';
/** As the browser adds it up: the part of the screen that moved, times how far. */
const MOST = 0.05;
const WATCH = `
  window.shifted = 0;
  window.moved = [];
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries()) {
      window.shifted += value;
      for (const { node } of sources) window.moved.push(value.toFixed(3) + ' ' + (node?.outerHTML ?? '').slice(0, 120));
    }
  }).observe({ type: 'layout-shift', buffered: true });`;
const DRAWN = 'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))';

let visited: Visited;

before(async () => {
  if (skip) return;
  visited = await visit();
  await becomeOwner(visited);
  const { headgate, page } = visited;
  await page.addInitScript(WATCH);
  for (let number = 0; number < 12; number += 1) {
    const { id } = await postAsOwner(visited, '/projects', { name: `Project ${number}` });
    await postAsOwner(visited, `/projects/${id}/api_keys`, { name: `key ${number}` });
    await postAsOwner(visited, '/groups', { name: `Group ${number}` });
    const holders = [{ type: 'project', id }];
    await postAsOwner(visited, '/budgets', { name: `Budget ${number}`, holders, amount_usd: '1', interval: 'month' });
    const body = { model: number % 2 === 0 ? 'priced' : 'echo', messages: [{ role: 'user', content: 'Hello' }] };
    await ask(`${headgate.url}/v1/chat/completions`, { key: headgate.key, body });
  }
  await postAsOwner(visited, '/routes', { id: 'acme/fast', yaml: 'strategy: [cheapest]\ntargets: [echo, priced]\n' });
});
after(async () => {
  await visited?.[Symbol.asyncDispose]();
});

/** Opens a page to which each answer of the API comes only once the one before it is drawn. */
async function openSlowly(page: Page, address: string): Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  const oneByOne = (route: Route) => {
    last = last.then(async () => {
      await route.continue();
      await (await route.request().response())?.finished();
      await page.evaluate(DRAWN);
    });
    return last;
  };
  await page.route('**/v1/**', oneByOne);
  await page.goto(address);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await settled(page);
  await last;
  await page.unroute('**/v1/**');
}

const WIDTHS = [1_440, 375];

for (const [index, path] of [...PAGES, '/settings/budgets?view=limits', '/settings/members?view=roles'].entries()) {
  for (const width of IS_NIGHTLY ? WIDTHS : [WIDTHS[index % WIDTHS.length]!]) {
    test(`${path} does not jump while its answers come in one by one, at ${width} px`, { skip }, async () => {
      const { page, origin } = visited;
      await page.setViewportSize({ width, height: 900 });
      await openSlowly(page, origin + path);
      const [shifted, moved] = await page.evaluate<[number, string[]]>('[window.shifted, window.moved]');
      assert.ok(shifted <= MOST, `things moved by ${shifted}: ${moved.join('\n')}`);
    });
  }
}
