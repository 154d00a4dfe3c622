import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { violationsOn } from './axe.ts';
import { becomeOwner, CHROMIUM, type Visited, visit } from './browser.ts';
import { PAGES } from './pages.ts';
import { settled } from './settled.ts';

/** And what stands behind a page's address where it shows something else. */
const STATES = [
  '/logs?live=yes',
  '/logs?range=own&status=failed&open=none',
  '/models?compare=echo,priced',
  '/models?open=priced',
  '/settings/products?open=kiosk',
  '/settings/products?create=yes',
  '/settings/admin-keys?create=yes',
];

const skip =
  CHROMIUM === null
    ? 'Chromium is not installed: the console was not opened'
    : process.env.HEADGATE_HTTP_LAYER === 'node' && 'What pages make of answers is the same with either HTTP layer';

let visited: Visited;

before(async () => {
  if (skip) return;
  visited = await visit('products: { kiosk: { name: Kiosk, routes: [priced, gone] } }');
  visited.expected.add('404 /v1/usage/none');
  await becomeOwner(visited);
});
after(async () => {
  await visited?.[Symbol.asyncDispose]();
});

for (const path of [...PAGES, ...STATES]) {
  test(`${path} is in its own place after a reload, accessible in both themes, and fits a telephone`, {
    skip,
  }, async () => {
    const { page, origin, complaints } = visited;
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await page.goto(origin + path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await settled(page);
    assert.deepEqual(await violationsOn(page), []);
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    assert.deepEqual(await violationsOn(page, 'theme'), [], 'in the dark');
    await page.setViewportSize({ width: 375, height: 800 });
    const [inner, whole] = await page.evaluate<number[]>('[innerWidth, document.documentElement.scrollWidth]');
    assert.ok(whole! <= inner!, `${whole} px wide on ${inner}`);
    await page.setViewportSize({ width: 1440, height: 900 });
    assert.deepEqual(complaints.splice(0), []);
  });
}
