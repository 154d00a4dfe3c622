import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fillStore } from '../../bench/store/fill.ts';
import { becomeOwner, CHROMIUM, OWNER, visit } from './browser.ts';

const skip = CHROMIUM === null ? 'Chromium is not installed: the console was not opened' : false;
const CALLS = 4_000;
const DAYS = 360;

test('a year of more models than a chart tells apart is drawn from its first day on', { skip }, async () => {
  await using visited = await visit();
  const { page, context, headgate } = visited;
  await becomeOwner(visited);
  await headgate.stop();
  await fillStore(headgate.data, CALLS, (number) => ({ key: 1, kind: 3, model: `model-${number % 12}` }), DAYS);
  await headgate.restart();
  const origin = new URL(headgate.url.replace('127.0.0.1', 'localhost')).origin;
  const data = { email: OWNER.email, password: OWNER.password };
  await context.request.post(`${origin}/v1/auth/sign_in/password`, { data, headers: { origin } });
  for (const path of ['/', '/usage']) {
    await page.goto(`${origin}${path}?period=365`);
    await page.getByRole('button', { name: 'Show as table' }).click();
    const days = page.getByRole('region', { name: /by day/ }).getByRole('row');
    const spent = await days.filter({ hasText: /\$0\.\d*[1-9]/ }).count();
    assert.ok(spent >= DAYS, `${spent} of ${DAYS} days on ${path}`);
  }
});
