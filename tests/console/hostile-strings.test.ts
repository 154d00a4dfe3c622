import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask } from '../http/client.ts';
import { hostileStrings } from '../organization/hostile-strings.ts';
import { becomeOwner, CHROMIUM, type Visited, visit } from './browser.ts';
import { PAGES } from './pages.ts';

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

test('500 hostile strings in names, prompts, user agents and errors are text on every page, and break none', {
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
  assert.ok(kept > 150, `only ${kept} of them were taken as names`);
  for (const width of [1_440, 375]) {
    await page.setViewportSize({ width, height: 900 });
    for (const path of width === 375 ? PAGES : [...PAGES, ...STATES]) {
      await page.goto(origin + path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      assert.deepEqual(await page.evaluate(STRANGERS), [], path);
      const [inner, whole] = await page.evaluate<number[]>(WIDTHS);
      assert.ok(whole! <= inner!, `${path} is ${whole} px wide on ${inner}`);
    }
  }
  // Addresses name models and calls that there are not.
  const unexpected = complaints.filter((complaint) => !/^404 \/v1\/(usage|models\/catalog)\//.test(complaint));
  assert.deepEqual([asked, unexpected], [[], []]);
});

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
