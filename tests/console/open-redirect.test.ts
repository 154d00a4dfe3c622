import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownAddress } from '../../console/src/shell/own-address.ts';
import { becomeOwner, CHROMIUM, newContext, OWNER, visit } from './browser.ts';

const skip = CHROMIUM === null ? 'Chromium is not installed: the console was not opened' : false;
const ORIGIN = 'https://gate.example.com';
/** Addresses that some browser, router or proxy may take for another site's, or for code. */
const FOREIGN = [
  ...[
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '\\/evil.example',
    '/\\/evil.example',
  ],
  ...[
    '/\t/evil.example/',
    '/\n/evil.example',
    '/\r/evil.example',
    '\t//evil.example',
    ' //evil.example',
    '/ /evil.example',
  ],
  ...[
    '/.//evil.example',
    '/..//evil.example',
    '/./\\evil.example',
    '/a/..//evil.example',
    '/%2e//evil.example',
    '/%2e%2e//evil.example',
  ],
  ...[
    '/%09/evil.example',
    '/%2f/evil.example',
    '/%2F%2Fevil.example',
    '/%5cevil.example',
    '/%5C%5Cevil.example',
    '/%00/evil.example',
  ],
  ...[
    'https://evil.example',
    'https:evil.example',
    'https:/evil.example',
    'HTTPS://evil.example',
    `${ORIGIN}.evil.example`,
    `${ORIGIN}@evil.example`,
  ],
  ...[
    '//user@evil.example',
    '//gate.example.com@evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    'java\tscript:alert(1)',
    'blob:x',
  ],
  ...[
    '/\u200b/evil.example',
    '/\u202e/evil.example',
    '/\u00a0/evil.example',
    '/\u2028/evil.example',
    '/\ufeff/evil.example',
    'evil.example',
    '',
    '@evil.example',
    '?x',
    '#x',
    '.',
  ],
];

test('only a path of this gateway is gone on to', () => {
  for (const wanted of FOREIGN) assert.equal(ownAddress(wanted, ORIGIN), `${ORIGIN}/`, JSON.stringify(wanted));
  assert.equal(ownAddress(undefined, ORIGIN), `${ORIGIN}/`);
  for (const wanted of [
    '/',
    '/logs',
    '/logs?status=error&to=//x',
    '/models/lab%2Fm1',
    '/usage?from=2026-01-01#a',
    '/a@b:c',
  ])
    assert.equal(ownAddress(wanted, ORIGIN), ORIGIN + wanted);
});

test('whoever signs in by somebody’s link stays here, and a link’s secret leaves the address bar at once', {
  skip,
}, async () => {
  await using visited = await visit('sign_in: { attempts_per_address: 1000 }');
  const { page, origin, link, complaints, context } = visited;
  await page.goto(link, { waitUntil: 'load' });
  await page.getByLabel('Your name').waitFor();
  assert.equal(page.url(), `${origin}/welcome`);
  assert.equal(await page.evaluate<number>('history.length'), 2, 'the address with the secret has no entry of its own');
  await becomeOwner(visited);
  const elsewhere: string[] = [];
  const signInBy = async (to: string) => {
    const theirs = await newContext(context.browser()!);
    const visitor = await theirs.newPage();
    theirs.on('request', (request) => void (request.url().startsWith(origin) || elsewhere.push(request.url())));
    await visitor.goto(`${origin}/sign-in?to=${to}`);
    await visitor.getByLabel('Email address').fill(OWNER.email);
    await visitor.getByLabel('Password').fill(OWNER.password);
    await visitor.getByRole('button', { name: 'Sign in', exact: true }).click();
    await visitor.waitForURL((url) => url.pathname !== '/sign-in');
    const address = visitor.url();
    await theirs.close();
    return address;
  };
  for (const to of [
    '/%09/evil.example/',
    '//evil.example',
    '/%5Cevil.example',
    '/.//evil.example',
    '/%0d/evil.example',
  ])
    assert.equal(await signInBy(to), `${origin}/`, to);
  assert.equal(await signInBy(encodeURIComponent('/logs?status=failed')), `${origin}/logs?status=failed`);
  assert.deepEqual([...elsewhere, ...complaints], []);
});
