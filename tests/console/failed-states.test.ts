import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Route } from 'playwright-core';
import { WAIT_MS } from '../../src/testing/wait.ts';
import { IS_NIGHTLY } from '../support/nightly.ts';
import { becomeOwner, CHROMIUM, type Visited, visit } from './browser.ts';
import { PAGES } from './pages.ts';
import { settled } from './settled.ts';

const skip =
  CHROMIUM === null
    ? 'Chromium is not installed: the console was not opened'
    : process.env.HEADGATE_HTTP_LAYER === 'node' && 'What pages make of answers is the same with either HTTP layer';
/** What the gateway's API is, but for who is signed in: that is known already once somebody looks at a page. */
const API = /\/v1\/(?!auth\/session$)/;

const refusal = (status: number, code: string, message: string) => (route: Route) =>
  route.fulfill({ status, json: { error: { message, type: code, code, param: null } } });
const WAYS = [
  {
    name: 'an error of the gateway',
    says: 'The store is away.',
    fail: refusal(500, 'internal_error', 'The store is away.'),
  },
  { name: 'a refusal', says: 'You may not do this.', fail: refusal(403, 'permission_denied', 'You may not do this.') },
  {
    name: 'no gateway at all',
    says: 'The gateway cannot be reached. Is it still running?',
    fail: (route: Route) => route.abort('connectionrefused'),
  },
];

let visited: Visited;

/** What is asked for again after a failure is so at once: nothing is seen of the pause between. */
const NO_PAUSES = `
  const { setTimeout: later } = window;
  window.setTimeout = (work, ms, ...given) => later(work, ms > 100 && ms < 2000 ? 10 : ms, ...given);
`;

before(async () => {
  if (skip) return;
  visited = await visit();
  await visited.page.addInitScript(NO_PAUSES);
  await becomeOwner(visited);
});
after(async () => {
  await visited?.[Symbol.asyncDispose]();
});

for (const [index, path] of PAGES.entries()) {
  const ways = IS_NIGHTLY ? WAYS : [WAYS[index % WAYS.length]!];
  for (const { name, says, fail } of ways) {
    test(`${path} says so on ${name}, and shows what it is for once that is over`, { skip }, async (t) => {
      const { page, origin } = visited;
      const broken: string[] = [];
      const note = (error: Error) => broken.push(String(error));
      page.on('pageerror', note);
      await page.route(API, fail);
      await page.goto(origin + path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      const told = page.getByRole('alert').filter({ hasText: says }).first();
      await told.waitFor();
      await settled(page);
      await page.unroute(API);
      const again = page.getByRole('button', { name: 'Try again' });
      await told.getByRole('button', { name: 'Try again' }).waitFor();
      // What was still being asked for may fail after the first press. Each press has its answer before the next.
      const goesOn = async () => {
        if ((await again.count()) > 0) await again.first().click({ timeout: 1_000 });
        await settled(page);
        assert.equal(await page.getByRole('alert').count(), 0);
      };
      await t.waitFor(goesOn, { timeout: WAIT_MS });
      page.off('pageerror', note);
      assert.deepEqual(broken, []);
    });
  }
}

test('a page with two answers that failed asks for both at one press, whichever comes first', { skip }, async () => {
  const { page, origin } = visited;
  await page.route(API, refusal(403, 'permission_denied', 'You may not do this.'));
  await page.goto(`${origin}/settings/general`);
  const told = page.getByRole('alert').filter({ hasText: 'You may not do this.' });
  await told.nth(1).waitFor();
  await page.unroute(API);
  const lateAnswer = Promise.withResolvers<void>();
  await page.route('**/v1/organization/configuration*', async (route) => {
    await lateAnswer.promise;
    await route.continue();
  });
  await told.first().getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('textbox', { name: 'Name of the organization' }).waitFor();
  lateAnswer.resolve();
  await page.getByRole('cell', { name: 'server.port' }).waitFor();
  assert.equal(await told.count(), 0);
  await page.unroute('**/v1/organization/configuration*');
});

test('without an answer to who is signed in, the console says so and goes on once there is one', { skip }, async () => {
  const { page, origin } = visited;
  for (const { says, fail } of WAYS) {
    await page.route('**/v1/auth/session', fail);
    await page.goto(origin);
    await page.getByRole('alert').filter({ hasText: says }).waitFor();
    await page.unroute('**/v1/auth/session');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  }
});

test('a page whose script does not come says so where it would stand, and is loaded again', { skip }, async () => {
  const { page, origin } = visited;
  await page.goto(origin);
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await page.route('**/assets/logs-*.js', (route) => route.abort('internetdisconnected'));
  await page.getByRole('link', { name: 'Logs', exact: true }).click();
  await page.getByRole('alert').filter({ hasText: 'This page could not be loaded.' }).waitFor();
  await page.unroute('**/assets/logs-*.js');
  await page.getByRole('button', { name: 'Load the page again' }).click();
  await page.getByRole('heading', { level: 1, name: 'Logs' }).waitFor();
});
