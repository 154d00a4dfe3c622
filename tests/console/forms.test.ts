import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { becomeOwner, CHROMIUM, postAsOwner, type Visited, visit } from './browser.ts';

const skip = CHROMIUM === null ? 'Chromium is not installed: the console was not opened' : false;

let visited: Visited;

before(async () => {
  if (skip) return;
  visited = await visit('server: { provider_hosts: [127.0.0.1] }');
  await becomeOwner(visited);
});
after(async () => {
  await visited?.[Symbol.asyncDispose]();
});

async function read<Json>(path: string): Promise<Json> {
  const answer = await visited.context.request.get(`${visited.origin}/v1/organization${path}`);
  return (await answer.json()) as Json;
}

test('alerts of a budget keep their digits', { skip }, async () => {
  const { page, origin, complaints } = visited;
  const body = { name: 'Fine', holders: [{ type: 'organization' }], amount_usd: '9', alerts: [0.125, 0.005, 0.07] };
  const { id } = await postAsOwner(visited, '/budgets', body);
  const dialog = page.getByRole('dialog');
  await page.goto(`${origin}/settings/budgets?open=${id}`);
  await dialog.getByText('12.5 %, 0.5 %, 7 %').waitFor();
  await dialog.getByRole('button', { name: 'Change budget' }).click();
  await dialog.getByRole('textbox', { name: 'Alerts at per cent of it' }).fill('99.9');
  await dialog.getByRole('button', { name: 'Save budget' }).click();
  await dialog.getByText('12.5 %, 0.5 %, 7 %, 99.9 %').waitFor();
  const { alerts } = await read<{ alerts: number[] }>(`/budgets/${id}`);
  assert.deepEqual(alerts.toSorted(), [0.005, 0.07, 0.125, 0.999]);
  assert.deepEqual(complaints.splice(0), []);
});

test('a name that somebody else changed meanwhile is told of, and what was typed stays', { skip }, async () => {
  const { page, origin, complaints, expected } = visited;
  expected.add('409 /v1/organization');
  await page.goto(`${origin}/settings/general`);
  const field = page.getByLabel('Name of the organization');
  await field.fill('Mine');
  await postAsOwner(visited, '', { name: 'Theirs' });
  await page.getByRole('button', { name: 'Save name' }).click();
  await page.getByRole('alert').waitFor();
  await page.getByRole('navigation', { name: 'Headgate' }).getByText('Theirs').waitFor();
  assert.equal(await field.inputValue(), 'Mine');
  for (const name of ['Mine', 'Mine again']) {
    await field.fill(name);
    await page.getByRole('button', { name: 'Save name' }).click();
    await page.getByRole('navigation', { name: 'Headgate' }).getByText(name, { exact: true }).waitFor();
  }
  assert.deepEqual(complaints.splice(0), []);
});

test('a credential whose weight or name is taken out of its field is not saved', { skip }, async () => {
  const { page, origin, vendor, complaints } = visited;
  const credentials = [{ key: 'lab-key', name: 'first' }];
  const body = { id: 'weighed', base_url: vendor.url, dialects: ['openai-chat'], credentials };
  await postAsOwner(visited, '/providers', body);
  type Credentials = { credentials: { name: string; weight: number }[] };
  const there = async () => {
    const { credentials: all } = await read<Credentials>('/providers/weighed');
    return all.map(({ name, weight }) => [name, weight]);
  };
  await page.goto(`${origin}/providers?open=weighed`);
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  const form = page.getByRole('dialog', { name: 'Change first' });
  const save = form.getByRole('button', { name: 'Save changes' });
  const isWrong = (label: string) => form.getByLabel(label).evaluate((field) => field.matches(':invalid'));
  await form.getByLabel('Weight').fill('');
  assert.equal(await isWrong('Weight'), true);
  await save.click();
  await form.getByLabel('Weight').fill('3');
  await form.getByLabel('Name').fill('');
  assert.equal(await isWrong('Name'), true);
  await save.click();
  assert.deepEqual(await there(), [['first', 1]]);
  await form.getByLabel('Name').fill('second');
  await save.click();
  await form.waitFor({ state: 'detached' });
  assert.deepEqual(await there(), [['second', 3]]);
  assert.deepEqual(complaints.splice(0), []);
});

test('what a provider is refused for is of the last that was asked, and of what the fields say', { skip }, async () => {
  const { page, origin, vendor, complaints, expected } = visited;
  expected.add('400 /v1/organization/providers').add('400 /v1/organization/providers/test');
  const form = page.getByRole('dialog');
  await page.goto(`${origin}/providers?add=yes`);
  await form.getByLabel('Name in model ids').fill('no such name');
  await form.getByLabel('Address').fill(vendor.url);
  await form.getByRole('button', { name: 'Add provider' }).click();
  await form.getByRole('alert').getByText('`id`').waitFor();
  await form.getByLabel('Address').fill('http://models.example.com/v1');
  await form.getByRole('button', { name: 'Test it' }).click();
  await form.getByRole('alert').getByText('`base_url` must begin with https://').waitFor();
  assert.equal(await form.getByRole('alert').count(), 1);
  await form.getByLabel('Address').fill(vendor.url);
  await form.getByRole('button', { name: 'Test it' }).click();
  const said = form.getByText(/^It (answers|lists|did not)/);
  await said.waitFor();
  await form.getByLabel('API key').fill('another');
  assert.equal(await said.count(), 0);
  assert.deepEqual(complaints.splice(0), []);
});

test('a statement of retention says that it is saved', { skip }, async () => {
  const { page, origin, complaints } = visited;
  await page.goto(`${origin}/settings/data`);
  await page.getByLabel('Retention').selectOption({ label: 'Nothing is kept (enhanced)' });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  assert.equal(await page.getByLabel('Retention').inputValue(), 'enhanced_zero_data_retention');
  assert.deepEqual(complaints.splice(0), []);
});

test('a budget of less than a cent is shown with its digits in the lists of keys and products', { skip }, async () => {
  const { page, origin, complaints } = visited;
  const { id } = await postAsOwner(visited, '/projects', { name: 'Cents' });
  const spend_limit = { amount_usd: '0.0004', interval: 'month' };
  await postAsOwner(visited, `/projects/${id}/api_keys`, { name: 'tiny', spend_limit });
  await postAsOwner(visited, '/products', { id: 'tiny', routes: ['echo'], spend_limit });
  for (const list of ['keys', 'products']) {
    await page.goto(`${origin}/settings/${list}?q=tiny`);
    await page.getByRole('row', { name: /^tiny/ }).getByText('of $0.0004').first().waitFor();
  }
  assert.deepEqual(complaints.splice(0), []);
});

test('the model of Connect can be taken out of its field, and a secret stays until it is kept', { skip }, async () => {
  const { page, origin, complaints } = visited;
  await postAsOwner(visited, '/projects', { name: 'Another' });
  await page.goto(`${origin}/connect?model=priced`);
  const model = page.getByLabel('Model or route');
  await model.fill('');
  await page.getByText('Make a key first').waitFor();
  assert.equal(await model.inputValue(), '');
  await model.pressSequentially('echo');
  assert.equal(await model.inputValue(), 'echo');
  await page.getByLabel('Name of a new key').fill('kept');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('region', { name: 'Secret of kept' }).waitFor();
  assert.equal(await page.getByLabel('Project').count(), 0, 'another project would take the secret away');
  await page.getByRole('button', { name: 'I have kept it' }).click();
  await page.getByLabel('Project').waitFor();
  assert.deepEqual(complaints.splice(0), []);
});

test('a form that makes a secret stays open until that is shown', { skip }, async () => {
  const { page, origin, complaints } = visited;
  const dialog = page.getByRole('dialog');
  const FORMS = [
    { at: '/settings/keys?create=yes', label: 'Name', typed: 'held', button: 'Create key', of: '/api_keys' },
    {
      at: '/settings/admin-keys?create=yes',
      label: 'Name',
      typed: 'held',
      button: 'Create administration key',
      of: '/admin_api_keys',
    },
    { at: '/settings/products?create=yes', label: 'Id', typed: 'held', button: 'Create product', of: '/products' },
    {
      at: '/settings/members?invite=yes',
      label: 'Email address',
      typed: 'held@example.com',
      button: 'Make the invitation',
      of: '/invites',
    },
  ];
  for (const { at, label, typed, button, of } of FORMS) {
    const asked = Promise.withResolvers<void>();
    const goesOn = Promise.withResolvers<void>();
    await page.goto(origin + at);
    await page.route(`**${of}`, async (route) => {
      if (route.request().method() === 'POST') {
        asked.resolve();
        await goesOn.promise;
      }
      await route.continue();
    });
    await dialog.getByLabel(label, { exact: true }).fill(typed);
    // A browser hands on a key that is pressed before it runs a timer that is due: Escape comes here as soon as it can.
    await dialog.getByRole('button', { name: button }).evaluate(async (element) => {
      element.click();
      for (let turn = 0; turn < 20; turn += 1) await null;
      const { KeyboardEvent } = element.ownerDocument.defaultView;
      element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }));
    });
    await asked.promise;
    await page.keyboard.press('Escape');
    await page.mouse.click(2, 2);
    assert.equal(await dialog.getByRole('button', { name: 'Cancel' }).isDisabled(), true);
    goesOn.resolve();
    await dialog.getByRole('button', { name: 'I have kept it' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.unroute(`**${of}`);
  }
  assert.deepEqual(complaints.splice(0), []);
});

test('neither a secret that is being made nor one that is shown is lost by Back', { skip }, async () => {
  const { page, origin, complaints } = visited;
  const dialog = page.getByRole('dialog');
  await page.goto(`${origin}/settings/keys`);
  await page.getByRole('button', { name: 'Create key' }).first().click();
  await dialog.getByLabel('Name', { exact: true }).fill('held');
  const [asked, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route('**/api_keys', async (route) => {
    if (route.request().method() === 'POST') {
      asked.resolve();
      await goesOn.promise;
    }
    await route.continue();
  });
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await asked.promise;
  await page.evaluate('history.back()');
  await page.waitForURL(/create=yes/);
  goesOn.resolve();
  await dialog.getByText('It is shown only this once.').waitFor();
  await page.evaluate('history.back()');
  await dialog.getByText('it cannot be shown again').waitFor();
  await dialog.getByRole('button', { name: 'I have kept it' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.unroute('**/api_keys');
  assert.deepEqual(complaints.splice(0), []);
});

test('a role of ones own can have every permission that there is', { skip }, async () => {
  const { page, origin, complaints } = visited;
  const dialog = page.getByRole('dialog');
  await page.goto(`${origin}/settings/members?view=roles&create=yes`);
  await dialog.getByLabel('Name', { exact: true }).fill('All of it');
  for (const box of await dialog.getByRole('checkbox').all()) await box.check();
  await dialog.getByRole('button', { name: 'Create role' }).click();
  await dialog.waitFor({ state: 'detached' });
  const { data } = await read<{ data: { name: string; permissions: string[] }[] }>('/roles?limit=100');
  const permissions = (wanted: string) => data.find(({ name }) => name === wanted)?.permissions.toSorted();
  assert.deepEqual(permissions('All of it'), permissions('Owner'));
  assert.deepEqual(complaints.splice(0), []);
});

test('a name that is to be typed is taken as it is shown', { skip }, async () => {
  const { page, origin, complaints } = visited;
  const { id } = await postAsOwner(visited, '/projects', { name: 'Two  spaces, cafe\u0301' });
  await postAsOwner(visited, `/projects/${id}/api_keys`, { name: 'in use' });
  const dialog = page.getByRole('dialog');
  await page.goto(`${origin}/settings/projects?open=${id}`);
  await dialog.getByRole('button', { name: 'Archive project' }).click();
  await dialog.getByLabel(/^Type /).fill('Two spaces, caf\u00e9');
  await dialog.getByRole('button', { name: 'Archive project' }).click();
  await dialog.getByText('Archived: its keys are refused').waitFor();
  assert.deepEqual(complaints.splice(0), []);
});
