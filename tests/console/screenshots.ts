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
 * the detail of its first line, while it loads and where it could not be read, and what is seen of some after a first step;
 * light and dark, on a wide screen and on a telephone.
 */
const FOLDER = fileURLToPath(new URL('.screenshots', import.meta.url));
const WIDTHS = [1_440, 375];
const THEMES = ['light', 'dark'] as const;
const API = /\/v1\/(?!auth\/session$)/;
const DAY_MS = 86_400_000;
/** Beside those that are named. */
const MORE_MODELS = 200;
const MORE_KEYS = 300;
const MEMBERS = 40;
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

/** What is seen of pages only after something was done on them: its name, the page, and what is done. */
const ACTS: readonly (readonly [string, string, (page: Page) => Promise<unknown>])[] = [
  ['answered', '/playground?model=priced,echo', (page) => say(page)],
  ['find', '/', (page) => page.keyboard.press('Control+k')],
  ['keys', '/', (page) => page.keyboard.press('?')],
  ['menu', '/', menuOpen],
  ['create', '/settings/keys?create=yes', dialogOpen],
  ['create', '/settings/budgets?create=yes', dialogOpen],
  ['add', '/providers?add=yes', dialogOpen],
  ['compare', '/models?compare=priced,echo', () => Promise.resolve()],
  ['price', '/models?open=tuned-model-1', (page) => page.getByRole('heading', { name: 'Price history' }).click()],
  ['edit', '/routes/editor?route=acme/fast', () => Promise.resolve()],
  ['nothing', '/no-such-page', () => Promise.resolve()],
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
    models: [...MODELS.slice(1, -1), ...Array.from({ length: MORE_MODELS }, (_, index) => `tuned-model-${index}`)],
    env: { CLOCK_FILE: clockFile, NODE_OPTIONS: `--import ${clock}` },
  });
  await photograph(visited, [visited.link.slice(visited.origin.length)], 'first', opened);
  await becomeOwner(visited);
  await photograph(visited, PAGES, 'empty', opened);
  await photograph(visited, PAGES, 'loading', loading);
  await photograph(visited, PAGES, 'failed', failed);
  await fill(visited);
  // The session has ended in all those days.
  const data = { email: OWNER.email, password: OWNER.password };
  const { context, origin } = visited;
  await context.request.post(`${origin}/v1/auth/sign_in/password`, { data, headers: { origin } });
  await photograph(visited, PAGES, 'full', opened);
  await photograph(visited, PAGES, 'detail', detail);
  for (const [state, path, act] of ACTS) {
    await photograph(visited, [path], state, async (page, address) => {
      await opened(page, address);
      await act(page);
      await page.waitForLoadState('networkidle');
      return true;
    });
  }
  await context.clearCookies();
  await photograph(visited, ['/sign-in'], 'signed-out', opened);
}
rmSync(folder, { recursive: true });

async function dialogOpen(page: Page): Promise<void> {
  await page.getByRole('dialog').waitFor();
}

/** On a telephone that of all pages, else the person's own. */
async function menuOpen(page: Page): Promise<void> {
  const drawer = page.getByRole('button', { name: 'Open the menu' });
  const own = page.getByRole('button', { name: 'Ada Lovelace' });
  await ((await drawer.isVisible()) ? drawer : own).click();
}

async function say(page: Page): Promise<void> {
  await page.getByLabel('What to say').fill('Say hello in one sentence.');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('Cost').nth(1).waitFor();
}

/** @param show - brings a page to what is to be seen; `false`: there is nothing of the kind */
async function photograph(
  { page, origin }: Visited,
  paths: readonly string[],
  state: string,
  show: (page: Page, address: string) => Promise<boolean>,
): Promise<void> {
  for (const path of paths) {
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        if (!(await show(page, origin + path))) continue;
        const [address = ''] = path.split(/[?#]/);
        const name = address === '/' ? 'overview' : address.slice(1).replaceAll('/', '-');
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

/** As many people and keys as a company has. */
async function hire(visited: Visited): Promise<void> {
  const { origin, context } = visited;
  for (let number = 0; number < MEMBERS; number += 1) {
    const email = `person.${number}@example.com`;
    type Invite = { invite_link: string };
    const { invite_link: link } = await postAsOwner<Invite>(visited, '/invites', { email, role: 'reader' });
    const theirs = await context.browser()!.newContext();
    const name = NAMES[number % NAMES.length];
    const data = { link: new URL(link).hash.slice(1), email, name, password: OWNER.password };
    await theirs.request.post(`${origin}/v1/auth/link/open`, { data, headers: { origin } });
    await theirs.close();
  }
  const { id } = await postAsOwner(visited, '/projects', { name: 'Everything else' });
  for (let number = 0; number < MORE_KEYS; number += 1)
    await postAsOwner(visited, `/projects/${id}/api_keys`, { name: `key ${number}` });
}

/** Keys, projects, budgets and calls under names of all kinds. */
async function fill(visited: Visited): Promise<void> {
  const { headgate, context, origin, vendor } = visited;
  const keys: string[] = [];
  await hire(visited);
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
      for (const model of ['acme/fast', ...MODELS.slice(0, 1 + ((daysAgo + number) % MODELS.length))]) {
        const body = { model, max_tokens: 20, stream: number === 1, messages: [{ role: 'user', content: model }] };
        await ask(`${headgate.url}/v1/chat/completions`, { key, body });
      }
    }
  }
  vendor.plan('overloaded');
  const body = { model: 'priced', messages: [{ role: 'user', content: 'x' }] };
  for (const key of keys) await ask(`${headgate.url}/v1/chat/completions`, { key, body });
  vendor.forget();
}
