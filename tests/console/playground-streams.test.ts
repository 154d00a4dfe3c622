import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { answer, DONE } from '../../src/testing/answers.ts';
import { frame, type Plan, streamReply } from '../../src/testing/reply.ts';
import { becomeOwner, CHROMIUM, type Visited, visit } from './browser.ts';

const skip = CHROMIUM === null ? 'Chromium is not installed: the console was not opened' : false;

let visited: Visited;

before(async () => {
  if (skip) return;
  visited = await visit();
  await becomeOwner(visited);
});
afterEach(() => visited?.vendor.forget());
after(async () => {
  await visited?.[Symbol.asyncDispose]();
});

/** Says something to `priced`, and returns where it answers. */
async function answered(): Promise<Locator> {
  const { page, origin } = visited;
  await page.goto(`${origin}/playground?model=priced`);
  await page.getByLabel('What to say').fill('Hello');
  await page.getByRole('button', { name: 'Send' }).click();
  return page.getByRole('region', { name: 'Answer of priced' });
}

/** A stream of such deltas, with the reason for its end. */
function streamOf(deltas: readonly object[], finish: string): Plan {
  return ({ model }) => {
    const chunk = (delta: object, finish_reason: string | null) =>
      frame({
        ...{ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model },
        choices: [{ index: 0, delta, finish_reason }],
      });
    return streamReply([...deltas.map((delta) => chunk(delta, null)), chunk({}, finish), DONE]);
  };
}

/** Without the space behind `data:`, which vendors may leave out. */
const close: Plan = (request) => {
  const reply = answer()(request);
  const acts = [...reply.acts].map((act) =>
    Buffer.isBuffer(act) ? Buffer.from(act.toString().replace(/^data: /gm, 'data:')) : act,
  );
  return { ...reply, acts };
};

test('an answer is shown however its provider writes its lines', { skip }, async () => {
  for (const plan of ['cr', 'crlf', 'comments', 'no-final-blank-line', close] as const) {
    visited.vendor.plan(plan);
    const region = await answered();
    await region.getByText('Hello from a vendor that does not exist.').waitFor();
    await region.getByText('Cost').waitFor();
    assert.equal(await region.getByRole('alert').count(), 0, String(plan));
    visited.vendor.forget();
  }
  assert.deepEqual(visited.complaints.splice(0), []);
});

test('what a model thought, why it would not, and that it was cut is told', { skip }, async () => {
  const { vendor } = visited;
  vendor.plan(
    streamOf([{ role: 'assistant', reasoning_content: 'First I ' }, { reasoning_content: 'think.' }], 'length'),
  );
  const cut = await answered();
  await cut.getByText('The answer was cut: it came to the most tokens').waitFor();
  await cut.getByText('Reasoning').click();
  await cut.getByText('First I think.').waitFor();

  vendor.plan(streamOf([{ role: 'assistant', content: '' }, { refusal: 'I will not.' }], 'stop'));
  await (await answered()).getByText('I will not.').waitFor();
  assert.deepEqual(visited.complaints.splice(0), []);
});

test('an answer that broke off tells what it took, as far as it came', { skip }, async () => {
  visited.vendor.plan('error-frame');
  const broken = await answered();
  await broken.getByRole('alert').waitFor();
  await broken.getByText('Cost').waitFor();
  assert.match(await broken.innerText(), /Cost\s*\$\d/);
  assert.equal(await broken.getByRole('alert').count(), 1);
  assert.deepEqual(visited.complaints.splice(0), []);
});

test('an answer that ends before its end says so, and whoever leaves the page ends it', { skip }, async () => {
  const { page, vendor, headgate } = visited;
  const body = 'data: {"choices":[{"delta":{"content":"Half of"}}]}\n\n';
  await page.route('**/v1/chat/completions', (route) => route.fulfill({ contentType: 'text/event-stream', body }));
  const half = await answered();
  await half.getByRole('alert').getByText('was lost before the answer had ended').waitFor();
  await half.getByText('Half of').waitFor();
  await page.unrouteAll();

  vendor.plan('trickle');
  await (await answered()).getByText('xx').waitFor();
  await page.getByRole('link', { name: 'Models', exact: true }).click();
  await vendor.waitFor(({ openCalls }) => openCalls() === 0);
  assert.deepEqual(visited.complaints.splice(0), []);

  const lost = await answered();
  await lost.getByText('xx').waitFor();
  await headgate.kill9();
  await lost.getByRole('alert').getByText('was lost before the answer had ended').waitFor();
  await page.getByRole('button', { name: 'Run again' }).click();
  await lost.getByRole('alert').getByText('The gateway cannot be reached.').waitFor();
});
