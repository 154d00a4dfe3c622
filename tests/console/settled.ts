import type { Page, Request } from 'playwright-core';

/** A stream of live calls has no end. */
const ENDLESS = '/v1/usage/live';
/** So many times in a row nothing was asked for, while what came was drawn. */
const QUIET_ROUNDS = 3;
const DRAWN = 'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))';

const open = new WeakMap<Page, Set<Request>>();

/** Begins to count what a page has asked for and has not got. Before its first navigation. */
export function countRequests(page: Page): void {
  const requests = new Set<Request>();
  open.set(page, requests);
  page.on('request', (request) => {
    if (!request.url().includes(ENDLESS)) requests.add(request);
  });
  const end = (request: Request) => void requests.delete(request);
  page.on('requestfinished', end);
  page.on('requestfailed', end);
  // What an earlier document asked for is told no more.
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame()) requests.clear();
  });
}

/**
 * Waits until a page has all that it asked for, has drawn it, and asks for nothing more because of it: sooner than
 * `networkidle`, which is half a second of silence.
 */
export async function settled(page: Page): Promise<void> {
  const requests = open.get(page)!;
  for (let quiet = 0; quiet < QUIET_ROUNDS; ) {
    await page.evaluate(DRAWN);
    quiet = requests.size === 0 ? quiet + 1 : 0;
  }
}
