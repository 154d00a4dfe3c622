import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { becomeOwner, OWNER, visit } from '../tests/console/browser.ts';
import { spread } from './report/statistics.ts';
import { fillStore } from './store/fill.ts';

/**
 * `node bench/console.ts [--records 1000000] [--rounds 9] [--data FOLDER]`: measures the console in Chromium over a
 * store with many records. For Overview, Usage and Logs it prints the slowest API answer of each opening, and the time
 * until nothing loads. For the search in Models, it prints the time from each letter to its paint. A named folder is
 * kept, and filled only if it has no records.
 */
const { values } = parseArgs({
  options: {
    records: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '9' },
    data: { type: 'string' },
  },
});
const MODELS = 1_500;
const TYPED = 'model-1234';

/** Runs in the page: a message that is sent in a frame arrives when the frame is painted. */
const NOTE_PAINTS = `
  globalThis.painted = [];
  document.addEventListener('input', ({ timeStamp }) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => painted.push(performance.now() - timeStamp);
    requestAnimationFrame(() => channel.port2.postMessage(null));
  }, { capture: true });
`;

const home = values.data === undefined ? mkdtempSync(join(tmpdir(), 'headgate-console-')) : null;
const data = values.data ?? join(home!, 'data');
await using visited = await visit('', { data });
const { headgate, vendor, page } = visited;
await headgate.stop();
await fillStore(data, Number(values.records));
const models = Array.from({ length: MODELS }, (_, number) => `{ id: maker/model-${number}-instruct }`);
await headgate.restart(`
providers: { lab: { base_url: "${vendor.url}", api_key: lab-key, models: [${models.join(', ')}] } }
limits: { requests_per_minute: 100000, max_reports: 100 }
`);
// A restart may change the port.
const { origin } = new URL(headgate.url.replace('127.0.0.1', 'localhost'));
// A folder that was kept already has its owner.
const signedIn = await page.request.post(`${origin}/v1/auth/sign_in/password`, {
  data: { email: OWNER.email, password: OWNER.password },
  headers: { origin },
});
if (!signedIn.ok()) {
  const { json } = await headgate.command('owner-link', '--json');
  await becomeOwner({ ...visited, link: (json as { url: string }).url.replace('127.0.0.1', 'localhost') });
}

for (const [name, path, bound] of [
  ['Overview', '/', 300],
  ['Usage', '/usage', 300],
  ['Logs', '/logs', 100],
  ['Logs, failed', '/logs?status=failed&range=all', 100],
  ['Logs, interrupted', '/logs?status=interrupted&range=all', 100],
] as const) {
  const rounds: Opening[] = [];
  for (let round = 0; round < Number(values.rounds); round += 1) rounds.push(await opened(page, origin + path));
  // `null` means that nothing had loaded for 500 ms before the page sent its first request.
  const asking = rounds.filter(({ slowest }) => slowest !== null);
  const slowest = spread(asking.flatMap((round) => round.slowest ?? []));
  if (slowest === null) throw new Error(`No opening of ${name} asked for anything.`);
  const whole = spread(rounds.map((round) => round.whole))!;
  const worst = rounds.find((round) => round.slowest === slowest.max)!.asked;
  console.log(
    `${name}: slowest answer ${slowest.median.toFixed(0)} ms (${slowest.min.toFixed(0)} to ${slowest.max.toFixed(0)}, ${worst}), ` +
      `${bound} wanted; the whole page ${whole.median.toFixed(0)} ms; ${asking.length} of ${rounds.length} openings`,
  );
}
const typed = spread(await typing(page))!;
console.log(
  `Models: a letter is painted in ${typed.median.toFixed(0)} ms (${typed.min.toFixed(0)} to ${typed.max.toFixed(0)}), 50 wanted`,
);
await headgate.stop();
if (home !== null) rmSync(home, { recursive: true });

/** `slowest`: the duration of the slowest API request; `null` without one. Both are ms. */
type Opening = { slowest: number | null; whole: number; asked: string };

/** Opens a page as a reload does, until nothing loads. */
async function opened(on: Page, address: string): Promise<Opening> {
  await on.goto('about:blank');
  const startedAt = performance.now();
  await on.goto(address, { waitUntil: 'networkidle' });
  // The wait for the network ends 500 ms after the last load.
  const whole = performance.now() - startedAt - 500;
  const asked = await on.evaluate(() =>
    (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
      .filter(({ name }) => new URL(name).pathname.startsWith('/v1/'))
      .map(({ name, requestStart, responseEnd }) => ({ path: new URL(name).pathname, ms: responseEnd - requestStart })),
  );
  const [slowest] = asked.sort((a, b) => b.ms - a.ms);
  return { slowest: slowest?.ms ?? null, whole, asked: slowest?.path ?? 'nothing' };
}

/** The time in ms from each key to the paint that follows it. */
async function typing(on: Page): Promise<number[]> {
  await on.goto(`${origin}/models`);
  // Waits for the whole list, including built-in models.
  await on.getByText(/[\d,]+ of 1,5\d\d models/).waitFor();
  await on.evaluate(NOTE_PAINTS);
  const search = on.getByLabel('Search models');
  await search.pressSequentially(TYPED, { delay: 150 });
  for (const _ of TYPED) await search.press('Backspace', { delay: 150 });
  return on.evaluate<number[]>('painted');
}
