import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { becomeOwner, CHROMIUM, newContext, type Visited, visit } from './browser.ts';

const skip = CHROMIUM === null ? 'Chromium is not installed: the console was not opened' : false;
const NOBODY = 'Nobody is an owner of this gateway yet';

let visited: Visited;

before(async () => {
  if (!skip) visited = await visit('');
});
after(async () => {
  await visited?.[Symbol.asyncDispose]();
});

test('the numeric address leads to the one where people sign in, which says where the first owner’s link is', {
  skip,
}, async () => {
  const { page, origin, headgate } = visited;
  await page.goto(`${headgate.url}/`);
  await page.getByText(NOBODY).waitFor();
  assert.equal(new URL(page.url()).origin, origin);
  await page.getByText('npx headgate owner-link').waitFor();

  await becomeOwner(visited);
  const context = await newContext(visited.context.browser()!);
  const stranger = await context.newPage();
  const asked = stranger.waitForResponse((response) => response.url().endsWith('/v1/auth/sign_in'));
  await stranger.goto(`${origin}/sign-in`);
  assert.equal(((await (await asked).json()) as { has_owner: boolean }).has_owner, true);
  await stranger.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  assert.equal(await stranger.getByText(NOBODY).count(), 0);
  await context.close();
});
