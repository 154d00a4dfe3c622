import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { becomeOwner, CHROMIUM, postAsOwner, type Visited, visit } from './browser.ts';

const skip = CHROMIUM === null ? 'Chromium is not installed: the console was not opened' : false;

let visited: Visited;

before(async () => {
  if (skip) return;
  visited = await visit('server: { webhook_hosts: [127.0.0.1] }');
  await becomeOwner(visited);
});
after(async () => {
  await visited?.[Symbol.asyncDispose]();
});

type Json = Readonly<Record<string, unknown>>;
type Form = {
  /** Below `/v1/organization`. */
  path: string;
  /** Where it is changed in the console. */
  at: string;
  buttons: { change: string; save: string };
  label: string;
  typed: string;
  /** What somebody else makes of it while the form is open. */
  theirs: Json;
  /** What is there in the end. */
  both: Json;
};

async function read(path: string): Promise<Json> {
  const answer = await visited.context.request.get(`${visited.origin}/v1/organization${path}`);
  return (await answer.json()) as Json;
}

const FORMS: Readonly<Record<string, () => Promise<Form>>> = {
  budget: async () => {
    const holders = [{ type: 'organization' }];
    const body = { name: randomUUID(), holders, amount_usd: '1', interval: 'month', recipients: ['a@example.com'] };
    const { id } = await postAsOwner(visited, '/budgets', body);
    const theirs = { recipients: ['b@example.com'], models: ['echo'] };
    return {
      ...{ path: `/budgets/${id}`, at: `/settings/budgets?open=${id}`, theirs },
      ...{ buttons: { change: 'Change budget', save: 'Save budget' }, label: 'Dollars', typed: '2' },
      both: { ...theirs, amount_usd: '2' },
    };
  },
  key: async () => {
    const { id: project } = await postAsOwner(visited, '/projects', { name: 'Rockets' });
    const { id } = await postAsOwner(visited, `/projects/${project}/api_keys`, { name: 'bot' });
    const theirs = { allowed_models: ['echo'], max_tokens_per_1_minute: 9 };
    return {
      ...{ path: `/projects/${project}/api_keys/${id}`, at: `/settings/keys?open=${id}`, theirs },
      ...{ buttons: { change: 'Change limits', save: 'Save limits' }, label: 'Requests a minute', typed: '7' },
      both: { ...theirs, max_requests_per_1_minute: 7, name: 'bot' },
    };
  },
  product: async () => {
    const { id } = await postAsOwner(visited, '/products', { id: 'billing', name: 'Billing', routes: ['echo'] });
    return {
      ...{ path: `/products/${id}`, at: `/settings/products?open=${id}` },
      ...{ buttons: { change: 'Change product', save: 'Save product' }, label: 'Name', typed: 'Bills' },
      theirs: { routes: ['priced'] },
      both: { routes: ['priced'], name: 'Bills' },
    };
  },
  role: async () => {
    const { id } = await postAsOwner(visited, '/roles', { role_name: 'Reader', permissions: ['api.keys.read'] });
    return {
      ...{ path: `/roles/${id}`, at: `/settings/members?view=roles&open=${id}` },
      ...{ buttons: { change: 'Change role', save: 'Save role' }, label: 'What it is for', typed: 'Looks' },
      theirs: { permissions: ['api.usage.read'] },
      both: { permissions: ['api.usage.read'], description: 'Looks', name: 'Reader' },
    };
  },
};

for (const [name, make] of Object.entries(FORMS)) {
  test(`a form of a ${name} tells that somebody else changed it, shows that, and changes only what was typed`, {
    skip,
  }, async () => {
    const { path, at, buttons, label, typed, theirs, both } = await make();
    const { page, origin, complaints, expected } = visited;
    expected.add(`409 /v1/organization${path}`);
    const dialog = page.getByRole('dialog');
    const save = dialog.getByRole('button', { name: buttons.save });
    await page.goto(origin + at);
    await dialog.getByRole('button', { name: buttons.change }).click();
    await dialog.getByLabel(label, { exact: true }).fill(typed);
    await postAsOwner(visited, path, theirs);
    await save.click();
    await dialog.getByRole('alert').waitFor();
    assert.equal(await dialog.getByLabel(label, { exact: true }).inputValue(), typed);
    await save.click();
    await save.waitFor({ state: 'detached' });
    const there = await read(path);
    assert.deepEqual(Object.fromEntries(Object.keys(both).map((member) => [member, there[member]])), both);
    assert.deepEqual(complaints.splice(0), []);
  });
}

test('what was read anew while a form was open is not taken for what the person has seen', { skip }, async () => {
  const { path, at, buttons, label, typed, theirs } = await FORMS.budget!();
  const { page, origin, complaints, expected } = visited;
  expected.add(`409 /v1/organization${path}`);
  const dialog = page.getByRole('dialog');
  await page.clock.install();
  await page.goto(origin + at);
  await dialog.getByRole('button', { name: buttons.change }).click();
  await dialog.getByLabel(label).fill(typed);
  await postAsOwner(visited, path, { ...theirs, amount_usd: '5' });
  await page.clock.fastForward(10_000);
  const again = page.waitForResponse(/\/v1\/organization\/budgets\?/);
  await page.evaluate('document.dispatchEvent(new Event("visibilitychange", { bubbles: true }))');
  await again;
  await dialog.getByRole('button', { name: 'Take away b@example.com' }).waitFor();
  await dialog.getByRole('button', { name: buttons.save }).click();
  await dialog.getByRole('alert').waitFor();
  assert.equal((await read(path)).amount_usd, '5');
  assert.deepEqual(complaints.splice(0), []);
});

test('a rate that was not changed is not sent, so that it goes on as the configuration says', { skip }, async () => {
  const { id } = await postAsOwner(visited, '/projects', { name: 'Rates' });
  const { page, origin, complaints } = visited;
  const dialog = page.getByRole('dialog').last();
  await page.goto(`${origin}/settings/projects?open=${id}`);
  await dialog.getByRole('button', { name: 'Change the rates of echo', exact: true }).click();
  await dialog.getByLabel('Requests a minute').fill('7');
  const sent = page.waitForRequest(/rate_limits\/[^?]/);
  await dialog.getByRole('button', { name: 'Save rates' }).click();
  assert.deepEqual((await sent).postDataJSON(), { max_requests_per_1_minute: 7 });
  await dialog.getByRole('row', { name: /echo 7 / }).waitFor();
  assert.deepEqual(complaints.splice(0), []);
});
