import assert from 'node:assert/strict';
import { test } from 'node:test';
import { becomeOwner, CHROMIUM, visit } from './browser.ts';

const skip = CHROMIUM === null ? 'Chromium is not installed: the console was not opened' : false;

test('the playground streams two models side by side, in a project, and shows what each took', { skip }, async () => {
  await using visited = await visit();
  const { page, origin, complaints } = visited;
  await becomeOwner(visited);
  await page.goto(`${origin}/playground?model=priced,echo`);
  await page.getByLabel('What to say').fill('Say <b>this</b> again');
  await page.getByRole('button', { name: 'Send' }).click();
  const answers = ['priced', 'echo'].map((model) => page.getByRole('region', { name: `Answer of ${model}` }));
  for (const answer of answers) await answer.getByText('Cost').waitFor();
  assert.match(await answers[1]!.innerText(), /Say <b>this<\/b> again/);
  assert.match(await answers[0]!.innerText(), /\$\d+\.\d\d/);
  assert.match(page.url(), /model=priced(%2C|,)echo/);

  // A second turn carries the first.
  await page.getByLabel('What to say').fill('And once more');
  await page.getByLabel('What to say').press('Control+Enter');
  await page.getByRole('article').nth(1).getByText('Cost').nth(1).waitFor();
  const usage = await visited.headgate.usage({ limit: '10' });
  assert.deepEqual([...new Set(usage.data.map(({ source }) => source))], ['console']);
  assert.equal(usage.data.length, 4);

  // A turn is asked again, of those that are chosen then, and what came after it is gone.
  await page.getByLabel('Model 2').fill('lab/priced');
  await page.getByLabel('Model 2').press('Enter');
  await page.waitForURL(/model=priced(%2C|,)lab(%2F|\/)priced/);
  await page.getByRole('button', { name: 'Run again' }).first().click();
  const again = page.getByRole('region', { name: 'Answer of lab/priced' });
  await again.getByText('Cost').waitFor();
  assert.match(await again.innerText(), /Attempts\s*1/);
  assert.equal(await page.getByRole('article').count(), 1);
  await page.getByRole('button', { name: 'Edit' }).click();
  assert.equal(await page.getByLabel('What to say').inputValue(), 'Say <b>this</b> again');
  assert.equal(await page.getByRole('article').count(), 0);
  await page.getByLabel('What to say').fill('And once more');

  // A picture goes with what is said, and is taken away again; who takes none says so.
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  await page.getByLabel('Pictures').setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer: png });
  await page.getByRole('img', { name: '1 of 1' }).waitFor();
  await page.getByRole('button', { name: 'Remove picture 1' }).click();
  await page.getByRole('img', { name: '1 of 1' }).waitFor({ state: 'detached' });
  await page.getByLabel('Model 2').fill('echo');
  await page.getByText('echo takes no pictures.').waitFor();

  await page.getByRole('button', { name: 'Copy as code' }).click();
  await page.getByRole('menuitem', { name: 'Python' }).click();
  await page.getByRole('dialog').getByText('And once more').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  await page.getByText('Tools and structured output').click();
  await page.getByLabel('Tools, as a JSON list').fill('[{');
  await page.getByLabel('What to say').fill('x');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('alert').getByText('The tools must be JSON').waitFor();
  await page.getByLabel('Tools, as a JSON list').fill('');
  await page.getByLabel('Temperature').fill('warm');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('alert').getByText('The temperature must be a number').waitFor();
  assert.deepEqual(complaints, []);
});
