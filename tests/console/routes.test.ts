import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { WAIT_MS } from '../../src/testing/wait.ts';
import { ask } from '../http/client.ts';
import { becomeOwner, CHROMIUM, postAsOwner, type Visited, visit, visitAgain } from './browser.ts';

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

/**
 * In the page: the number of attempts is changed, then the first target, while the check of the former is answered. That answer is
 * taken up in steps, so the target is changed at each of them in turn. Gives the steps after which the target was as before again.
 */
const LOST_TARGETS = `(async () => {
  const attempts = [...document.querySelectorAll('input')].find(({ labels }) => labels[0]?.innerText.startsWith('Attempts'));
  const target = document.querySelector('[aria-label="Target 1"]');
  const type = (input, text) => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(input, text);
    input.dispatchEvent(new Event('input', { bubbles: true }));
  };
  const network = window.fetch;
  const lost = [];
  for (let steps = 0; steps < 20; steps += 1) {
    const arrived = Promise.withResolvers();
    const released = Promise.withResolvers();
    window.fetch = async (...request) => {
      const answer = await network(...request);
      const text = await answer.text();
      arrived.resolve();
      await released.promise;
      return new Response(text, answer);
    };
    type(attempts, String(steps + 1));
    await arrived.promise;
    window.fetch = network;
    released.resolve();
    for (let step = 0; step < steps; step += 1) await null;
    const chosen = target.value === 'echo' ? 'priced' : 'echo';
    type(target, chosen);
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
    if (target.value !== chosen) lost.push(steps);
  }
  return lost;
})()`;

test('a route is made, checked as it is typed, tried, put in force, edited and rolled back', { skip }, async () => {
  await using visited = await visitAgain(shared);
  const { page, origin, complaints, headgate } = visited;
  await page.goto(`${origin}/routes`);
  await page.getByRole('link', { name: 'New route' }).first().click();
  await page.getByLabel('Name', { exact: true }).fill('acme/fast');
  const definition = page.getByLabel('Definition, as YAML');
  await definition.fill('strategy: [nonsense]\ntargets: [echo]\n');
  await page
    .getByRole('alert')
    .getByText(/Line 1/)
    .waitFor();
  assert.equal(await page.getByRole('button', { name: 'Create route' }).isDisabled(), true);
  await page.getByLabel('Who answers').selectOption('cheapest');
  await page.getByLabel('Target 2').fill('priced');
  await page.getByText('It can be put in force.').waitFor();
  await page.getByRole('button', { name: 'Ask' }).click();
  const order = page.getByRole('list', { name: 'Targets in their order' });
  await order.getByRole('listitem').nth(1).waitFor();
  assert.match(await order.innerText(), /1\s*echo/);
  await page.getByRole('button', { name: 'Create route' }).click();
  const sheet = page.getByRole('dialog', { name: 'acme/fast' });
  await sheet.getByText('Version 1').waitFor();

  const answeredBy = async () => {
    const { status, headers, text } = await ask(`${headgate.url}/v1/chat/completions`, {
      key: headgate.key,
      body: { model: 'acme/fast', max_tokens: 5, messages: [{ role: 'user', content: 'hi' }] },
    });
    return status === 200 ? (headers.get('service-provider') ?? '') : text;
  };
  const until = async (provider: string) => {
    const end = performance.now() + WAIT_MS;
    for (;;) {
      const by = await answeredBy();
      if (by === provider) return;
      assert.ok(performance.now() < end, by);
    }
  };
  await until('echo');

  await sheet.getByRole('link', { name: 'Edit' }).click();
  // The form and the text are one: a comment that was typed stays.
  await definition.fill(`# The cheap one first.\n${await definition.inputValue()}`);
  await page.getByLabel('Who answers').selectOption('priority');
  await page.getByLabel('Target 1').fill('priced');
  await page.getByLabel('Target 2').fill('echo');
  await page.getByLabel('Fallback 1').fill('echo');
  await page.getByLabel('Fallback 1').press('Enter');
  await page.getByRole('button', { name: 'Remove echo' }).last().click();
  assert.equal(
    await definition.inputValue(),
    '# The cheap one first.\nstrategy: [priority]\ntargets:\n  - priced\n  - echo\n',
  );
  await page.getByText('It can be put in force.').waitFor();
  await page.getByLabel('Why').fill('The lab first');
  await page.getByRole('button', { name: 'Replay the last week' }).click();
  await page.getByText('Would go elsewhere').waitFor();
  await page.getByRole('button', { name: 'Put in force' }).click();
  await sheet.getByText('The lab first').waitFor();
  await until('lab');
  await sheet.getByRole('button', { name: 'What to do with version 1' }).click();
  await page.getByRole('menuitem', { name: 'Compare with what is in force' }).click();
  await page
    .getByRole('dialog', { name: /Version 1/ })
    .getByText(/targets/)
    .first()
    .waitFor();
  await page.keyboard.press('Escape');
  await sheet.getByRole('button', { name: 'Roll back' }).click();
  await until('echo');
  assert.deepEqual(complaints, []);
});

test('rules, limits and prices are set by the form, and what it does not show stays in the text', {
  skip,
}, async (t) => {
  await using visited = await visitAgain(shared);
  const { page, origin, complaints, headgate } = visited;
  await page.goto(`${origin}/routes/editor`);
  await page.getByLabel('Name', { exact: true }).fill('acme/rules');
  const definition = page.getByLabel('Definition, as YAML');
  await definition.fill('# Ours.\naffinity: false\nstrategy: [priority]\ntargets: [echo, priced]\n');
  await page.getByText('Set in the text alone').getByText('affinity').waitFor();
  await page.getByLabel('Target 2').waitFor();
  await page.getByRole('button', { name: 'Add a rule' }).click();
  await page.getByLabel('Condition of rule 1').selectOption({ label: 'Prompt tokens over' });
  await page.getByLabel('Tokens of rule 1').fill('500');
  await page.getByLabel('Target of rule 1').selectOption('priced');
  await page.getByLabel('alone').check();
  await page.getByLabel('Attempts of one call').fill('2');
  await page.getByLabel('Dearest input').fill('2000');
  await page.getByLabel('Charged for input').fill('0.5');
  await page.getByLabel('Charged for output').fill('1.25');
  await page.getByLabel('Targets without a price').selectOption('refuse');
  const written = `# Ours.
affinity: false
strategy:
  - rules:
      - { when: { prompt_tokens: { above: 500 } }, use: [priced], only: true }
  - priority
targets: [echo, priced]
limits: { attempts: 2, max_price: { input_per_1m: 2000 } }
price: { input_per_1m: 0.5, output_per_1m: 1.25 }
unpriced: refuse
`;
  assert.equal(await definition.inputValue(), written);
  await page.getByText('It can be put in force.').waitFor();
  for (const label of ['Charged for input', 'Charged for output']) await page.getByLabel(label).fill('');
  await page.getByLabel('Attempts of one call').fill('99');
  await page
    .getByRole('alert')
    .getByText(/limits\.attempts/)
    .waitFor();
  await page.getByLabel('Attempts of one call').fill('');
  await page.getByRole('button', { name: 'Remove rule 1' }).click();
  await page.getByText('It can be put in force.').waitFor();
  await definition.fill(written);
  await page.getByText('It can be put in force.').waitFor();
  await page.getByRole('button', { name: 'Create route' }).click();
  await page.getByRole('dialog', { name: 'acme/rules' }).getByText('Version 1').waitFor();
  const explained = async () => {
    const { json } = await ask(`${headgate.url}/v1/routes/acme%2Frules/explain`, {
      key: headgate.key,
      body: { messages: [{ role: 'user', content: 'word '.repeat(2_000) }] },
    });
    assert.deepEqual(
      (json as { order?: { model: string }[] }).order?.map(({ model }) => model),
      ['priced'],
    );
  };
  await t.waitFor(explained, { timeout: WAIT_MS });
  assert.deepEqual(complaints, []);
});

test('parameters are set by the form as JSON, hold for calls, and are taken away', { skip }, async () => {
  await using visited = await visitAgain(shared);
  const { page, origin, complaints } = visited;
  await page.goto(`${origin}/routes/editor`);
  await page.getByLabel('Name', { exact: true }).fill('acme/thinking');
  const definition = page.getByLabel('Definition, as YAML');
  await definition.fill('strategy: [priority]\ntargets: [echo]\n');
  await page.getByLabel('Target 2').waitFor();
  const defaults = page.getByLabel('Parameters where the caller says none');
  await defaults.fill('{ "temperature": 0.2');
  await page.getByRole('alert').getByText('Write a JSON object').waitFor();
  await defaults.fill('{ "temperature": 3 }');
  await page
    .getByRole('alert')
    .getByText(/defaults\.temperature/)
    .waitFor();
  await defaults.fill('{ "temperature": 0.2, "body": { "top-k x": [1] } }');
  await page.getByLabel('Parameters whatever the caller says').fill('{ "reasoning_effort": "high" }');
  await page.getByText('It can be put in force.').waitFor();
  assert.equal(
    await definition.inputValue(),
    `strategy: [priority]
targets: [echo]
defaults: { temperature: 0.2, body: { "top-k x": [1] } }
force: { reasoning_effort: high }
`,
  );
  await defaults.fill('');
  assert.equal(
    await definition.inputValue(),
    'strategy: [priority]\ntargets: [echo]\nforce: { reasoning_effort: high }\n',
  );
  await page.getByText('It can be put in force.').waitFor();
  await page.getByRole('button', { name: 'Create route' }).click();
  await page.getByRole('dialog', { name: 'acme/thinking' }).getByText('Version 1').waitFor();
  assert.deepEqual(complaints, []);
});

test('what is changed in the form stays, whenever the answer for an older text comes', { skip }, async () => {
  await using visited = await visitAgain(shared);
  const { page, origin, complaints } = visited;
  await page.goto(`${origin}/routes/editor`);
  await page.getByLabel('Target 2').fill('priced');
  await page.getByText('It can be put in force.').waitFor();
  assert.deepEqual(await page.evaluate(LOST_TARGETS), []);
  assert.deepEqual(complaints, []);
});

test('a text that is typed back while its change is checked is what the form shows', { skip }, async () => {
  await using visited = await visitAgain(shared);
  const { page, origin, complaints } = visited;
  await page.goto(`${origin}/routes/editor`);
  await page.getByText('It can be put in force.').waitFor();
  const definition = page.getByLabel('Definition, as YAML');
  const text = await definition.inputValue();
  // No check is answered any more; that of the first text is known.
  const asked = Promise.withResolvers<void>();
  await page.route('**/v1/organization/routes/validate', () => asked.resolve());
  await page.getByLabel('Target 1').fill('priced');
  await asked.promise;
  await definition.fill(text);
  await page.getByText('It can be put in force.').waitFor();
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
  assert.equal(await page.getByLabel('Target 1').inputValue(), 'echo');
  assert.deepEqual(complaints, []);
});

test('the list of routes tells their part of all calls and what they saved, and a sheet how often a target failed', {
  skip,
}, async () => {
  const targets = 'targets: [priced, echo]';
  await using visited = await visit(
    `routes: { acme/cheap: { strategy: [cheapest], ${targets} }, acme/first: { ${targets} } }`,
  );
  const { page, origin, complaints, headgate, vendor } = visited;
  await becomeOwner(visited);
  const call = async (model: string) => {
    const body = { model, max_tokens: 5, messages: [{ role: 'user', content: 'hi' }] };
    const { status, text } = await ask(`${headgate.url}/v1/chat/completions`, { key: headgate.key, body });
    assert.equal(status, 200, text);
  };
  for (const model of ['acme/cheap', 'acme/cheap', 'acme/first']) await call(model);
  vendor.plan('overloaded');
  await call('acme/first');
  await page.goto(`${origin}/routes`);
  const row = (name: string) => page.getByRole('row', { name }).getByRole('cell').allInnerTexts();
  await page.getByRole('row', { name: 'acme/cheap' }).getByText('50 %').waitFor();
  // Who is cheap costs nothing here; the other paid for its first call what the dearest costs.
  const [, , , , calls, share, retried, cost, saved] = await row('acme/cheap');
  assert.deepEqual([calls, share, retried, cost, saved], ['2', '50 %', '0 %', '$0.00', '100 %']);
  const first = await row('acme/first');
  assert.equal(first[6], '50 %', 'one of its two calls fell back');
  assert.match(first[8]!, /^\d+(\.\d)? %$/);
  await page.getByRole('link', { name: 'acme/first' }).click();
  await page.getByText('1 of its last 2 calls (50 %)').waitFor();
  assert.deepEqual(complaints, []);
});

test('a route that somebody else changed meanwhile is shown as it is now, and is put in force after that', {
  skip,
}, async () => {
  await using visited = await visitAgain(shared);
  const { page, origin, complaints, expected } = visited;
  await postAsOwner(visited, '/routes', { id: 'acme/both', yaml: 'targets: [echo]\n' });
  const versions = '/routes/acme%2Fboth/versions';
  expected.add(`409 /v1/organization${versions}`);
  await page.goto(`${origin}/routes/editor?route=acme/both`);
  const definition = page.getByLabel('Definition, as YAML');
  await definition.fill('targets: [echo, priced]\n');
  await page.getByText('It can be put in force.').waitFor();
  await postAsOwner(visited, versions, { yaml: 'targets: [priced]\n' });
  await page.getByRole('button', { name: 'Put in force' }).click();
  await page.getByRole('alert').waitFor();
  const now = page.getByRole('region', { name: 'What is in force now, and would be replaced' });
  assert.equal((await now.textContent())?.trim(), 'targets: [priced]');
  assert.equal(await definition.inputValue(), 'targets: [echo, priced]\n');
  await page.getByRole('button', { name: 'Put in force' }).click();
  await page.getByRole('dialog', { name: 'acme/both' }).getByText('Version 3').waitFor();
  assert.deepEqual(complaints, []);
});

test('links to a route and to a key of administration open them, also behind the first hundred', { skip }, async () => {
  await using visited = await visitAgain(shared);
  const { page, origin, complaints } = visited;
  const { id: firstKey } = await postAsOwner(visited, '/admin_api_keys', { name: 'The first' });
  for (let each = 0; each <= 100; each += 1) {
    await postAsOwner(visited, '/routes', { id: `many/${each + 100}`, yaml: 'targets: [echo]\n' });
    await postAsOwner(visited, '/admin_api_keys', { name: `Key ${each}` });
  }
  await page.goto(`${origin}/routes?open=many/200`);
  await page.getByRole('dialog', { name: 'many/200' }).getByText('Version 1').waitFor();
  await page.goto(`${origin}/settings/admin-keys?open=${firstKey}`);
  await page.getByRole('dialog', { name: 'The first' }).waitFor();
  assert.deepEqual(complaints, []);
});

test('a target whose name begins with that of another model can be typed', { skip }, async () => {
  await using visited = await visit('', { models: ['priced-large'] });
  const { page, origin, complaints } = visited;
  await becomeOwner(visited);
  await page.goto(`${origin}/routes/editor`);
  await page.getByText('It can be put in force.').waitFor();
  await page.getByLabel('Target 2').pressSequentially('priced-large');
  await page.getByLabel('Target 2').press('Enter');
  const definition = page.getByLabel('Definition, as YAML');
  assert.equal(await definition.inputValue(), 'strategy: [priority]\ntargets:\n  - echo\n  - priced-large\n');
  assert.deepEqual(complaints, []);
});
