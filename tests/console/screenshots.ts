import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { type Caller, fillStore } from '../../bench/store/fill.ts';
import { ask } from '../http/client.ts';
import { becomeOwner, OWNER, postAsOwner, type Visited, visit } from './browser.ts';
import { PAGES } from './pages.ts';
import { settled } from './settled.ts';

/**
 * `npm run screenshots [-- --records 1000000]` writes a picture of every page into `tests/console/.screenshots`, for a person to
 * look at: empty, full, the detail of its first line, while it loads and where it could not be read, and what is seen of some
 * after a first step; light and dark, on a wide screen and on a telephone. What is full has so many calls of 30 days behind it.
 */
const { values: options } = parseArgs({ options: { records: { type: 'string', default: '1000000' } } });
const FOLDER = fileURLToPath(new URL('.screenshots', import.meta.url));
const WIDTHS = [1_440, 375];
const THEMES = ['light', 'dark'] as const;
/** So much of a long page is in its picture, in px: what is taller is drawn too small to be read. */
const TALLEST = 2_400;
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

const ROUTES = {
  'acme/fast': 'strategy: [cheapest]\ntargets: [echo, priced]\n',
  'acme/rules': `# Long prompts go to the large one.
strategy:
  - rules:
      - { when: { prompt_tokens: { above: 20000 } }, use: [large-2026], only: true }
      - { when: { any: [{ tools: true }, { images: true }] }, use: [priced] }
  - cheapest
targets: [small-2026, priced, large-2026]
fallbacks: [echo]
limits: { attempts: 2, total: 30s, max_prompt_tokens: 200000 }
price: { input_per_1m: 0.5, output_per_1m: 1.25 }
regions: [eu]
`,
};

/** What is seen of pages only after something was done on them: its name, the page, and what is done. */
const ACTS: readonly (readonly [string, string, ((page: Page) => Promise<unknown>)?])[] = [
  ['answered', '/playground?model=priced,echo', (page) => say(page)],
  ['find', '/', (page) => page.keyboard.press('Control+k')],
  ['keys', '/', (page) => page.keyboard.press('?')],
  ['menu', '/', menuOpen],
  ['create', '/settings/keys?create=yes', dialogOpen],
  ['revoke', '/settings/keys?q=billing-bot&sort=spent', revoking],
  ['limits', '/settings/budgets?view=limits'],
  ['invites', '/settings/members?view=invites'],
  ['roles', '/settings/members?view=roles'],
  ['create', '/settings/budgets?create=yes', dialogOpen],
  ['add', '/providers?add=yes', dialogOpen],
  ['compare', '/models?compare=priced,echo'],
  ['price', '/models?open=tuned-model-1', (page) => page.getByRole('heading', { name: 'Price history' }).click()],
  ['by-key', '/usage?by=key&compare=yes'],
  ['table', '/usage', (page) => page.getByRole('button', { name: 'Show as table' }).click()],
  ['edit', '/routes/editor?route=acme/rules'],
  ['nothing', '/no-such-page'],
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
  const grown = await grow(visited);
  await photograph(grown, PAGES, 'full', opened);
  await photograph(grown, PAGES, 'detail', detail);
  for (const [state, path, act] of ACTS) {
    await photograph(grown, [path], state, async (page, address) => {
      await opened(page, address);
      await act?.(page);
      await settled(page);
      return true;
    });
  }
  await context.clearCookies();
  await photograph(grown, ['/sign-in'], 'signed-out', opened);
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

async function revoking(page: Page): Promise<void> {
  await page.getByRole('main').getByRole('link', { name: 'billing-bot' }).first().click();
  await page.getByRole('button', { name: 'Revoke key' }).click();
  await page.getByText(/^Used .* in the last 24 hours/).waitFor();
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
        const file = join(FOLDER, `${name}.${state}.${width}.${colorScheme}.png`);
        await page.screenshot({ path: file, ...(await frameOf(page, width, state === 'full' || state === 'empty')) });
        await page.unroute(API);
      }
    }
  }
}

/** The window, or the page as long as it is. */
async function frameOf(page: Page, width: number, isLong: boolean) {
  if (!isLong) return {};
  const height = Math.min(TALLEST, await page.evaluate<number>('document.documentElement.scrollHeight'));
  return { fullPage: true, clip: { x: 0, y: 0, width, height } };
}

async function opened(page: Page, address: string): Promise<boolean> {
  await page.goto(address);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await settled(page);
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
  await settled(page);
  return true;
}

async function detail(page: Page, address: string): Promise<boolean> {
  await opened(page, address);
  const first = page.getByRole('main').locator('tbody tr td:first-child a[href*="open="]').first();
  if ((await first.count()) === 0) return false;
  await first.click();
  await page.getByRole('dialog').waitFor();
  await settled(page);
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

/** As many calls as of a company, of keys that there are, put into the store itself while nothing serves. The new address is another. */
async function grow(visited: Visited): Promise<Visited> {
  const { headgate, context, origin } = visited;
  const answer = await context.request.get(`${origin}/v1/organization/api_keys?limit=500`);
  const keys = ((await answer.json()) as { data: { id: string }[] }).data.map(({ id }) => id);
  const part = (of: number) => (of % 1_000) / 1_000;
  const callerOf = (number: number): Caller => ({
    // Some call far more than others, and some models are called far more.
    key: keys[Math.floor(keys.length * part(number * 7_919) ** 3)]!,
    kind: 3,
    model: MODELS[Math.floor(MODELS.length * part(number * 104_729) ** 2)]!,
  });
  await headgate.stop();
  await fillStore(headgate.data, Number(options.records), callerOf);
  await headgate.restart();
  return { ...visited, origin: new URL(headgate.url.replace('127.0.0.1', 'localhost')).origin };
}

/** Keys, projects, budgets and calls under names of all kinds. */
async function fill(visited: Visited): Promise<void> {
  const { headgate, context, origin, vendor } = visited;
  const keys: string[] = [];
  await hire(visited);
  const users = await context.request.get(`${origin}/v1/organization/users?limit=100`);
  const people = ((await users.json()) as { data: { id: string }[] }).data.map(({ id }) => id);
  for (const name of NAMES) {
    const { id } = await postAsOwner(visited, '/projects', { name });
    keys.push((await postAsOwner<{ value: string }>(visited, `/projects/${id}/api_keys`, { name })).value);
    const holders = [{ type: 'project', id }];
    await postAsOwner(visited, '/budgets', { name, holders, amount_usd: '1', interval: 'life', hard: false });
    const { id: groupId } = await postAsOwner(visited, '/groups', { name });
    for (const user_id of people.splice(0, 6)) await postAsOwner(visited, `/groups/${groupId}/users`, { user_id });
    await postAsOwner(visited, `/projects/${id}/groups`, { group_id: groupId, role: 'member' });
    await postAsOwner(visited, `/projects/${id}/spend_limit`, {
      ...{ threshold_amount: 120_000, currency: 'USD', interval: 'month' },
    });
    await postAsOwner(visited, '/admin_api_keys', { name });
    const product = { id: `product-${keys.length}`, name, routes: ['priced'], spend_limit: { amount_usd: 5 } };
    await postAsOwner(visited, '/products', product);
    await postAsOwner(visited, '/invites', { email: `${keys.length}@example.com`, role: 'reader' });
  }
  const data = { name: 'Pager', url: 'https://example.com/hook', event_types: ['spend_limit.reached'] };
  await context.request.post(`${origin}/v1/webhook_endpoints`, { data, headers: { origin } });
  for (const [id, yaml] of Object.entries(ROUTES)) await postAsOwner(visited, '/routes', { id, yaml });
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
