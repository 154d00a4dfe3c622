import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Caller, fillStore } from '../../bench/store/fill.ts';
import { becomeOwner, CHROMIUM, OWNER, visit } from './browser.ts';

const skip = CHROMIUM === null ? 'Chromium is not installed: the console was not opened' : false;
const CALLS = 4_000;
const DAYS = 360;
const KEYS = 1_500;

type Filled = { calls: number; days: number; callerOf: (number: number) => Caller };

/** Shows the owner a gateway that has had so many calls. */
async function withCalls(
  { calls, days, callerOf }: Filled,
  look: (page: Page, origin: string) => Promise<void>,
): Promise<void> {
  await using visited = await visit();
  const { page, context, headgate } = visited;
  await becomeOwner(visited);
  await headgate.stop();
  await fillStore(headgate.data, calls, callerOf, { days });
  await headgate.restart();
  const origin = new URL(headgate.url.replace('127.0.0.1', 'localhost')).origin;
  const data = { email: OWNER.email, password: OWNER.password };
  await context.request.post(`${origin}/v1/auth/sign_in/password`, { data, headers: { origin } });
  await look(page, origin);
}

test('a year of more models than a chart tells apart is drawn from its first day on', { skip }, async () => {
  const callerOf = (number: number) => ({ key: 1, kind: 3, model: `model-${number % 12}` });
  await withCalls({ calls: CALLS, days: DAYS, callerOf }, async (page, origin) => {
    for (const path of ['/', '/usage']) {
      await page.goto(`${origin}${path}?period=365`);
      await page.getByRole('button', { name: 'Show as table' }).click();
      const days = page.getByRole('region', { name: /by day/ }).getByRole('row');
      const spent = await days.filter({ hasText: /\$0\.\d*[1-9]/ }).count();
      assert.ok(spent >= DAYS, `${spent} of ${DAYS} days on ${path}`);
    }
  });
});

test('each of many keys can be chosen in the log', { skip }, async () => {
  const callerOf = (number: number) => ({ key: number, kind: 3, model: 'one' });
  await withCalls({ calls: KEYS, days: 20, callerOf }, async (page, origin) => {
    await page.goto(`${origin}/logs`);
    await page.getByLabel('API key').getByRole('option').nth(KEYS).waitFor({ state: 'attached' });
  });
});
