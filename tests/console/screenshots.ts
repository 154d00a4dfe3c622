import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { ask } from '../http/client.ts';
import { becomeOwner, OWNER, postAsOwner, type Visited, visit } from './browser.ts';
import { PAGES } from './pages.ts';

/**
 * `npm run screenshots` writes a picture of every page into `tests/console/.screenshots`, for a person to look at: empty, full,
 * the detail of its first line, while it loads and where it could not be read; light and dark, on a wide screen and on a
 * telephone.
 */
const FOLDER = fileURLToPath(new URL('.screenshots', import.meta.url));
const WIDTHS = [1_440, 375];
const THEMES = ['light', 'dark'] as const;
const API = /\/v1\/(?!auth\/session$)/;
const DAY_MS = 86_400_000;
/** Calls are made on so many days. */
const DAYS = 12;
const MODELS = ['priced', 'large-2026', 'small-2026', 'a-model-with-quite-a-long-name-2026-11-01', 'echo'];
const NAMES = [
  'billing-bot',
  'A name of sixty characters, which is as long as most may be ok',
  'بوابة النماذج الذكية',
  'nightly 🚀 evaluation',
  '<b>not bold</b>',
];

rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
const folder = mkdtempSync(join(tmpdir(), 'headgate-screenshots-'));
const clockFile = join(folder, 'clock');
const setClock = (daysAgo: number) => writeFileSync(clockFile, String(-daysAgo * DAY_MS));
setClock(DAYS);
const clock = new URL('../support/jumping-clock.ts', import.meta.url);
{
  await using visited = await visit('', {
    models: MODELS.slice(1, -1),
    env: { CLOCK_FILE: clockFile, NODE_OPTIONS: `--import ${clock}` },
  });
  await becomeOwner(visited);
  await photograph(visited, 'empty', opened);
  await photograph(visited, 'loading', loading);
  await photograph(visited, 'failed', failed);
  await fill(visited);
  // The session has ended in all those days.
  const data = { email: OWNER.email, password: OWNER.password };
  const { context, origin } = visited;
  await context.request.post(`${origin}/v1/auth/sign_in/password`, { data, headers: { origin } });
  await photograph(visited, 'full', opened);
  await photograph(visited, 'detail', detail);
}
rmSync(folder, { recursive: true });

/** @param show - brings a page to what is to be seen; `false`: there is nothing of the kind */
async function photograph(
  { page, origin }: Visited,
  state: string,
  show: (page: Page, address: string) => Promise<boolean>,
): Promise<void> {
  for (const path of PAGES) {
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        if (!(await show(page, origin + path))) continue;
        const name = path === '/' ? 'overview' : path.slice(1).replaceAll('/', '-');
        const fullPage = state === 'full' || state === 'empty';
        await page.screenshot({ path: join(FOLDER, `${name}.${state}.${width}.${colorScheme}.png`), fullPage });
        await page.unroute(API);
      }
    }
  }
}

async function opened(page: Page, address: string): Promise<boolean> {
  await page.goto(address);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
  return true;
}

async function loading(page: Page, address: string): Promise<boolean> {
  await page.route(API, () => undefined);
  await page.goto(address);
  await page.getByRole('heading', { level: 1 }).waitFor();
  return true;
}

async function failed(page: Page, address: string): Promise<boolean> {
  const json = { error: { message: 'The store does not answer.', type: 'internal_error', code: null, param: null } };
  await page.route(API, (route) => route.fulfill({ status: 500, headers: { 'x-request-id': 'req_0123456789' }, json }));
  await page.goto(address);
  await page.getByRole('alert').first().waitFor();
  await page.waitForLoadState('networkidle');
  return true;
}

async function detail(page: Page, address: string): Promise<boolean> {
  await opened(page, address);
  const first = page.getByRole('main').locator('tbody tr td:first-child a[href*="open="]').first();
  if ((await first.count()) === 0) return false;
  await first.click();
  await page.getByRole('dialog').waitFor();
  await page.waitForLoadState('networkidle');
  return true;
}

/** Keys, projects, budgets and calls under names of all kinds. */
async function fill(visited: Visited): Promise<void> {
  const { headgate, context, origin } = visited;
  const keys: string[] = [];
  for (const name of NAMES) {
    const { id } = await postAsOwner(visited, '/projects', { name });
    keys.push((await postAsOwner<{ value: string }>(visited, `/projects/${id}/api_keys`, { name })).value);
    const holders = [{ type: 'project', id }];
    await postAsOwner(visited, '/budgets', { name, holders, amount_usd: '1', interval: 'life', hard: false });
    await postAsOwner(visited, '/groups', { name });
    await postAsOwner(visited, '/admin_api_keys', { name });
    const product = { id: `product-${keys.length}`, name, routes: ['priced'], spend_limit: { amount_usd: 5 } };
    await postAsOwner(visited, '/products', product);
    await postAsOwner(visited, '/invites', { email: `${keys.length}@example.com`, role: 'reader' });
  }
  const data = { name: 'Pager', url: 'https://example.com/hook', event_types: ['spend_limit.reached'] };
  await context.request.post(`${origin}/v1/webhook_endpoints`, { data, headers: { origin } });
  await postAsOwner(visited, '/routes', { id: 'acme/fast', yaml: 'strategy: [cheapest]\ntargets: [echo, priced]\n' });
  for (let daysAgo = DAYS - 1; daysAgo >= 0; daysAgo -= 1) {
    setClock(daysAgo);
    for (const [number, key] of keys.entries()) {
      for (const model of MODELS.slice(0, 1 + ((daysAgo + number) % MODELS.length))) {
        const body = { model, max_tokens: 20, stream: number === 1, messages: [{ role: 'user', content: model }] };
        await ask(`${headgate.url}/v1/chat/completions`, { key, body });
      }
    }
  }
}
