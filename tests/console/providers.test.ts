import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answer, modelsReply } from '../../src/testing/answers.ts';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { field } from '../../src/testing/json.ts';
import { errorReply, type Plan } from '../../src/testing/reply.ts';
import { WAIT_MS } from '../../src/testing/wait.ts';
import { ask } from '../http/client.ts';
import { becomeOwner, CHROMIUM, visit } from './browser.ts';

const skip = CHROMIUM === null ? 'Chromium is not installed: the console was not opened' : false;
const GOOD = 'sk-second-0123456789';

test('a provider is tried, added, called, its credential refused, and removed', { skip }, async () => {
  const second = await startFakeProvider();
  const good = new Set([GOOD]);
  const guarded =
    (plan: Plan): Plan =>
    (request) =>
      good.has(request.headers.authorization?.replace('Bearer ', '') ?? '')
        ? plan(request)
        : errorReply(401, { message: 'No.', type: 'invalid_request_error', code: 'invalid_api_key' });
  second.plan(
    guarded((request) => modelsReply(request.path, ['m-1', 'm-2'])),
    { path: '/v1/models' },
  );
  second.plan(guarded(answer()), { path: '/v1/chat/completions' });
  await using visited = await visit('server: { provider_hosts: [127.0.0.1] }');
  const { page, origin, complaints, headgate } = visited;
  await becomeOwner(visited);
  await page.goto(`${origin}/providers`);
  await page.getByRole('link', { name: 'lab' }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByText(/Set in headgate\.yaml, line \d+/).waitFor();
  assert.equal(await sheet.getByRole('button', { name: 'Remove provider' }).count(), 0);
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Add provider' }).click();
  await sheet.getByLabel('Name in model ids').fill('second');
  await sheet.getByLabel('Address').fill(second.url);
  await sheet.getByLabel('API key').fill('sk-wrong-0123456789');
  await sheet.getByRole('button', { name: 'Test it' }).click();
  await sheet.getByRole('alert').waitFor();
  await sheet.getByLabel('API key').fill(GOOD);
  await sheet.getByRole('button', { name: 'Test it' }).click();
  await sheet.getByText('It lists 2 models and takes the key').waitFor();
  await sheet.getByRole('button', { name: 'Add provider' }).click();
  await sheet.getByText('…6789').waitFor();
  assert.match(page.url(), /open=second/);

  const call = (model = 'second/m-1') =>
    ask(`${headgate.url}/v1/chat/completions`, {
      key: headgate.key,
      body: { model, messages: [{ role: 'user', content: 'hi' }] },
    });
  const until = async (isRight: (status: number) => boolean, asked = () => call()) => {
    const end = performance.now() + WAIT_MS;
    for (;;) {
      const { status, text } = await asked();
      if (isRight(status)) return;
      assert.ok(performance.now() < end, text);
    }
  };
  await until((status) => status === 200);

  await sheet.getByRole('button', { name: 'Add a name' }).click();
  const naming = page.getByRole('dialog', { name: /name of a model|Change thinking/ });
  await naming.getByLabel('Name that callers use').fill('thinking');
  await naming.getByLabel('The vendor’s name for it').fill('m-1');
  const forced = naming.getByLabel('Parameters whatever the caller says');
  await forced.fill('{ "temperature": 3 }');
  await naming.getByRole('button', { name: 'Add name' }).click();
  await naming.getByRole('alert').getByText('must be a number from 0 to 2').waitFor();
  await forced.fill('{ "temperature": 0.25 }');
  await naming.getByRole('button', { name: 'Add name' }).click();
  await sheet.getByText('thinking', { exact: true }).waitFor();
  const named = () => call('second/thinking');
  const isForced = () => field(second.requests.at(-1)!.json, 'temperature') === 0.25;
  await until((status) => status === 200 && isForced(), named);
  assert.partialDeepStrictEqual(second.requests.at(-1)!.json, { model: 'm-1' });
  await sheet.getByRole('button', { name: 'Change name' }).click();
  await naming.getByRole('button', { name: 'Remove name' }).click();
  await sheet.getByText('Its models have the vendor’s names').waitFor();

  await sheet.getByRole('button', { name: 'Change', exact: true }).click();
  await page.getByRole('button', { name: 'Remove credential' }).click();
  const question = page.getByRole('dialog', { name: /^Remove/ });
  await question.getByText('has no other, and is called without a key').waitFor();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  await sheet.getByText('…6789').waitFor();
  assert.equal((await call()).status, 200);
  good.clear();
  await until((status) => status !== 200);
  await page.reload();
  await sheet.getByText('Refused', { exact: false }).first().waitFor();

  await sheet.getByRole('button', { name: 'Remove provider' }).click();
  await page
    .getByRole('dialog', { name: /^Remove/ })
    .getByRole('button', { name: 'Remove provider' })
    .click();
  await page.getByRole('link', { name: 'second' }).waitFor({ state: 'detached' });
  await until((status) => status === 404);
  // That of the temperature that no model takes.
  assert.deepEqual(complaints, ['400 /v1/organization/providers/second']);
  await second.close();
});
