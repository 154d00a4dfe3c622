import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { becomeOwner, CHROMIUM, type Visited, visit } from './browser.ts';

const skip = CHROMIUM === null ? 'Chromium is not installed: the console was not opened' : false;

let visited: Visited;

before(async () => {
  if (skip) return;
  visited = await visit();
  const { headgate, vendor } = visited;
  await headgate.reload(manyModels(vendor.url));
  await becomeOwner(visited);
});
after(async () => {
  await visited?.[Symbol.asyncDispose]();
});

/** 1,500 models, of which one is served in another region. */
function manyModels(url: string): string {
  const others = Array.from({ length: 1_498 }, (_, number) => `{ id: maker/model-${number}-instruct }`);
  const priced = '{ id: priced, price: { input_per_1m: 1000, output_per_1m: 1000 } }';
  return `providers:
  lab: { base_url: "${url}", api_key: lab-key, region: eu, models: [${priced}, ${others.join(', ')}] }
  far: { base_url: "${url}", api_key: far-key, region: us, models: [{ id: distant }] }
echo: false`;
}

test('one of 1,500 models is found by a part of its name, as it is typed, and the address says what is shown', {
  skip,
}, async () => {
  const { page, origin, complaints } = visited;
  await page.goto(`${origin}/models`);
  await page.getByText('1,500 of 1,500 models').waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('1234 MAKER');
  await page.getByText('1 of 1,500 models').waitFor();
  await page.getByRole('row', { name: 'maker/model-1234-instruct' }).waitFor();
  await page.waitForURL(/search=1234\+MAKER/);
  await page.reload();
  await page.getByText('1 of 1,500 models').waitFor();
  await page.getByLabel('Search models').fill('none of these');
  await page.getByRole('button', { name: 'Show all models' }).click();
  await page.getByText('1,500 of 1,500 models').waitFor();

  await page.getByLabel('Price of a million tokens').selectOption({ label: 'Input up to $5' });
  await page.getByText('0 of 1,500 models').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByLabel('Region').selectOption('eu');
  await page.getByText('1,499 of 1,500 models').waitFor();
  await page.reload();
  await page.getByText('1,499 of 1,500 models').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByText('1,500 of 1,500 models').waitFor();
  assert.deepEqual(complaints.splice(0), []);
});

test('a letter that is typed while the address is written stays', { skip }, async () => {
  const { page, origin, complaints } = visited;
  await page.goto(`${origin}/models`);
  await page.getByText('1,500 of 1,500 models').waitFor();
  await page.evaluate(`for (const write of ['pushState', 'replaceState']) {
    const written = history[write];
    history[write] = function (...to) {
      written.apply(this, to);
      if (!location.search.endsWith('search=model-12')) return;
      const field = document.querySelector('input[type=search]');
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, 'model-123');
      field.dispatchEvent(new Event('input', { bubbles: true }));
    };
  }`);
  await page.getByLabel('Search models').fill('model-12');
  await page.waitForURL(/search=model-123$/);
  assert.equal(await page.getByLabel('Search models').inputValue(), 'model-123');
  assert.deepEqual(complaints.splice(0), []);
});

test('what is drawn stays little, and more is shown on demand', { skip }, async () => {
  const { page, origin } = visited;
  await page.goto(`${origin}/models`);
  const rows = page.getByRole('table').getByRole('row');
  await rows.nth(50).waitFor();
  assert.equal(await rows.count(), 51);
  await page.getByRole('button', { name: 'Show more' }).click();
  await rows.nth(100).waitFor();
});

test('models are compared side by side, and one is told whole, with where to go on', { skip }, async () => {
  const { page, origin, headgate, complaints } = visited;
  const answer = await fetch(`${headgate.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${headgate.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'priced', messages: [{ role: 'user', content: 'Hello' }] }),
  });
  await answer.text();
  await page.goto(`${origin}/models?search=priced`);
  await page.getByLabel('Compare priced').check();
  await page.getByLabel('Search models').fill('model-7-');
  await page.getByLabel('Compare maker/model-7-instruct').check();
  const comparison = page.getByRole('region', { name: 'Side by side' });
  await comparison.getByRole('cell', { name: '$1,000.00' }).first().waitFor();
  await comparison.getByRole('button', { name: 'Take priced away' }).click();
  await comparison.getByText('choose up to three more').waitFor();

  await page.goto(`${origin}/models?open=priced`);
  const sheet = page.getByRole('dialog', { name: 'priced' });
  await sheet.getByText('See these calls').waitFor();
  await sheet.getByText('$0.017').first().waitFor();
  assert.match(
    (await sheet.getByRole('link', { name: 'Try it' }).getAttribute('href')) ?? '',
    /playground\?model=priced$/,
  );
  assert.match(
    (await sheet.getByRole('link', { name: 'Connect' }).getAttribute('href')) ?? '',
    /connect\?model=priced$/,
  );
  assert.deepEqual(complaints.splice(0), []);
});

test('a model’s page tells which projects may use it, and which of their keys may not', { skip }, async () => {
  const { page, origin, context, complaints } = visited;
  const post = async (path: string, data: object): Promise<string> => {
    const answer = await context.request.post(`${origin}/v1/organization${path}`, { data, headers: { origin } });
    assert.equal(answer.status(), 200, await answer.text());
    return ((await answer.json()) as { id: string }).id;
  };
  const open = await post('/projects', { name: 'Open' });
  await post(`/projects/${open}/api_keys`, { name: 'for all' });
  const limited = await post(`/projects/${open}/api_keys`, { name: 'for another', allowed_models: ['distant'] });
  const closed = await post('/projects', { name: 'Closed' });
  await post(`/projects/${closed}/model_permissions`, { mode: 'deny_list', model_ids: ['priced'] });
  await page.goto(`${origin}/models?open=priced`);
  const table = page.getByRole('region', { name: 'Who may use it' });
  await table.getByRole('row', { name: /^Open Yes 1 of 2 ?Not for another$/ }).waitFor();
  await table.getByRole('row', { name: 'Closed No It has none' }).waitFor();
  await table.getByRole('link', { name: 'for another' }).click();
  await page.waitForURL(new RegExp(`/settings/keys\\?open=${limited}`));
  await page.getByRole('dialog', { name: 'for another' }).waitFor();
  assert.deepEqual(complaints.splice(0), []);
});
