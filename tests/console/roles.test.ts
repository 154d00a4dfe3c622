import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { becomeOwner, CHROMIUM, postAsOwner, type Visited, visit, visitAs } from './browser.ts';
import { PAGES } from './pages.ts';
import { settled } from './settled.ts';

const skip = CHROMIUM === null ? 'Chromium is not installed: the console was not opened' : false;
/** What buttons are called that change something of the organization. */
const CHANGES =
  /^(Add|Archive|Change|Create|Delete|Give|Invite|Make|New|Put|Remove|Rename|Revoke|Roll|Rotate|Save|Send test|Set|Take|Turn)\b/;
/** A person's own: everybody may change it. */
const OWN_PAGES = ['/settings/sign-in'];
/** Where a role changes something; `null`: no role at all. */
const CHANGES_AT: [role: string | null, pages: readonly string[]][] = [
  [null, []],
  ['role_viewer', []],
  ['role_billing', ['/settings/budgets']],
  ['role_developer', ['/connect', '/playground', '/settings/keys', '/']],
];

let visited: Visited;

before(async () => {
  if (skip) return;
  visited = await visit('server: { webhook_hosts: [127.0.0.1] }');
  await becomeOwner(visited);
  const { id } = await postAsOwner(visited, '/projects', { name: 'Rockets' });
  await postAsOwner(visited, `/projects/${id}/api_keys`, { name: 'billing-bot' });
  await postAsOwner(visited, '/groups', { name: 'Astronomers' });
  await postAsOwner(visited, '/budgets', {
    ...{ name: 'All', holders: [{ type: 'organization' }], amount_usd: '1', interval: 'month' },
  });
  await postAsOwner(visited, '/routes', { id: 'acme/fast', yaml: 'strategy: [cheapest]\ntargets: [echo, priced]\n' });
});
after(async () => {
  await visited?.[Symbol.asyncDispose]();
});

async function changesIn(place: Locator): Promise<string[]> {
  const names = await place.locator('button, a[href]').allInnerTexts();
  return names.map((name) => name.trim()).filter((name) => CHANGES.test(name));
}

for (const [role, changed] of CHANGES_AT) {
  test(`each page shows ${role ?? 'somebody without a role'} what they may see, and no button that would be refused`, {
    skip,
  }, async () => {
    const { origin } = visited;
    const { page, complaints } = await visitAs(visited, role);
    for (const path of PAGES) {
      await page.goto(origin + path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await settled(page);
      assert.deepEqual(complaints.splice(0), [], path);
      assert.equal(await page.getByRole('alert').count(), 0, `${path} tells of a failure`);
      if (changed.includes(path) || OWN_PAGES.includes(path)) continue;
      assert.deepEqual(await changesIn(page.getByRole('main')), [], path);
      const first = page.getByRole('main').locator('tbody tr td:first-child a[href*="open="]').first();
      if ((await first.count()) === 0) continue;
      await first.click();
      const sheet = page.getByRole('dialog');
      await sheet.waitFor();
      await settled(page);
      assert.deepEqual(await changesIn(sheet), [], `the detail at ${page.url()}`);
      assert.deepEqual(complaints.splice(0), [], `the detail at ${page.url()}`);
    }
    await page.context().close();
  });
}
