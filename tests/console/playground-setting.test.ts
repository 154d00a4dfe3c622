import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { becomeOwner, CHROMIUM, postAsOwner, type Visited, visit, visitAgain, visitAs } from './browser.ts';

const skip = CHROMIUM === null ? 'Chromium is not installed: the console was not opened' : false;

let shared: Visited;
before(async () => {
  if (skip) return;
  shared = await visit();
  await becomeOwner(shared);
});
after(async () => {
  await shared?.[Symbol.asyncDispose]();
});

test('somebody who may call in one project alone calls in that, and is shown nothing that is refused', {
  skip,
}, async () => {
  await using visited = await visitAgain(shared);
  const { origin, context } = visited;
  await postAsOwner(visited, '/projects', { name: 'Closed' });
  const { id } = await postAsOwner(visited, '/projects', { name: 'Rockets' });
  const { page, complaints } = await visitAs(visited, null);
  const users = await context.request.get(`${origin}/v1/organization/users?limit=100`);
  const { data } = (await users.json()) as { data: { id: string; email: string }[] };
  const user_id = data.find(({ email }) => email === 'nobody@example.com')!.id;
  await postAsOwner(visited, `/projects/${id}/users`, { user_id, role: 'owner' });
  await page.goto(`${origin}/playground?model=echo`);
  await page.getByLabel('Project').getByRole('option', { name: 'Rockets' }).waitFor({ state: 'attached' });
  assert.deepEqual(await page.getByLabel('Project').getByRole('option').allInnerTexts(), ['Rockets']);
  await page.getByLabel('What to say').fill('Over the moon');
  await page.getByRole('button', { name: 'Send' }).click();
  const answer = page.getByRole('region', { name: 'Answer of echo' });
  await answer.getByText('In all').waitFor();
  await answer.getByText('Over the moon').waitFor();
  assert.equal(await page.getByRole('alert').count(), 0);
  assert.equal(await answer.getByRole('link').count(), 0);
  assert.deepEqual(complaints, []);
});

test('the field of a model that was emptied shows who is asked', { skip }, async () => {
  await using visited = await visitAgain(shared);
  const { page, origin, complaints } = visited;
  await page.goto(`${origin}/playground`);
  const field = page.getByLabel('Model 1');
  await page.getByLabel('What to say').fill('Hello');
  await page.getByRole('button', { name: 'Send', disabled: false }).waitFor();
  const first = await field.inputValue();
  await field.fill('');
  await page.getByLabel('What to say').focus();
  assert.notEqual(first, '');
  assert.equal(await field.inputValue(), first);
  assert.deepEqual(complaints, []);
});

test('what is too long for an address stays out of it, and is sent', { skip }, async () => {
  await using visited = await visitAgain(shared);
  const { page, origin, vendor, complaints } = visited;
  await page.goto(`${origin}/playground?model=priced`);
  const system = 'Be brief. '.repeat(4_000);
  await page.getByLabel('Temperature').fill('0.5');
  await page.getByLabel('System prompt').fill(system);
  await page.getByText('too long for an address').waitFor();
  await page.getByLabel('What to say').fill('Hello');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('Cost').waitFor();
  const { messages } = vendor.requests.at(-1)!.json as { messages: { content: string }[] };
  assert.equal(messages[0]!.content, system);
  assert.equal((await page.reload())!.status(), 200);
  assert.equal(await page.getByLabel('Temperature').inputValue(), '0.5');
  await page.getByLabel('System prompt').fill(system);
  await page.getByText('too long for an address').waitFor();
  await page.getByLabel('System prompt').fill('Be brief.');
  await page.waitForURL(/system=Be/);
  assert.equal(await page.getByText('too long for an address').count(), 0);
  assert.deepEqual(complaints, []);
});

test('what a model does not know is not sent to it, though it is set for another', { skip }, async () => {
  await using visited = await visitAgain(shared);
  const { page, origin, vendor } = visited;
  await page.route('**/v1/models/catalog', async (route) => {
    const response = await route.fetch();
    const catalog = (await response.json()) as { data: { id: string; capabilities: object | null }[] };
    const capabilities = {
      tools: true,
      reasoning: true,
      structured_output: true,
      attachment: true,
      temperature: false,
    };
    for (const entry of catalog.data) if (entry.id === 'priced') entry.capabilities = capabilities;
    await route.fulfill({ response, json: catalog });
  });
  await page.goto(`${origin}/playground?model=priced&temperature=0.5&effort=high`);
  await page.getByText('priced does not know this.').first().waitFor();
  await page.getByLabel('What to say').fill('Hello');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('Cost').waitFor();
  const sent = vendor.requests.at(-1)!.json as Record<string, unknown>;
  assert.deepEqual([sent.temperature, sent.reasoning_effort], [undefined, 'high']);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});
