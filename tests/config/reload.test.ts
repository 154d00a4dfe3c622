import assert from 'node:assert/strict';
import { rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { DEFAULT_TEXT } from '../../src/testing/answers.ts';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { startHeadgate } from '../support/headgate.ts';
import { chat, configFileOf, get, post, send, served, writeConfig } from './ask.ts';

const vendor = await startFakeProvider();
const lab = `lab: { base_url: "${vendor.url}", only: [small] }`;
const spare = `spare: { base_url: "${vendor.url}", only: [large] }`;
/** What the tests come back to. */
const FIRST = `echo: false\nproviders: { ${lab} }`;

const headgate = await startHeadgate({ config: FIRST });
after(async () => {
  await headgate[Symbol.asyncDispose]();
  await vendor.close();
});

/** What is told after `act`, up to the line that the pattern fits. */
async function toldAfter(act: () => void | Promise<void>, pattern: RegExp, of = headgate): Promise<string> {
  const from = of.stdout().split('\n').length + of.stderr().split('\n').length - 2;
  await act();
  return of.waitForLine(pattern, from);
}

test('a new model appears, a removed provider disappears, and names lead elsewhere', async () => {
  const both = `echo: false\nproviders: { ${lab}, ${spare} }\naliases: { me: large }`;
  assert.match(await headgate.reload(both), /^The configuration was reloaded\.$/);
  assert.deepEqual(await served(headgate), ['lab:small', 'spare:large', 'spare:me']);
  assert.equal((await chat(headgate, 'me')).status, 200);
  assert.match(await headgate.reload(`echo: false\nproviders: { ${spare} }`), /was reloaded/);
  assert.deepEqual(await served(headgate), ['spare:large']);
  assert.equal((await chat(headgate, 'small')).status, 404);
  assert.equal((await chat(headgate, 'me')).status, 404);
  await headgate.reload(FIRST);
});

test('a changed file is seen without a signal, however it was changed', async () => {
  const told = toldAfter(() => writeConfig(headgate, `providers: { ${lab}, ${spare} }`), /was reloaded/);
  await told;
  assert((await served(headgate)).includes('spare:large'));
  await toldAfter(() => writeFile(configFileOf(headgate), FIRST), /was reloaded/);
  assert.deepEqual(await served(headgate), ['lab:small']);
});

test('a file that replaces another with its very time is seen', async () => {
  const replace = async (text: string) => {
    const file = configFileOf(headgate);
    await writeFile(`${file}.new`, text);
    await utimes(`${file}.new`, 1_700_000_000, 1_700_000_000);
    await rename(`${file}.new`, file);
  };
  await toldAfter(() => replace(`providers: { ${lab}, ${spare} }`), /was reloaded/);
  await toldAfter(() => replace(FIRST), /was reloaded/);
  assert.deepEqual(await served(headgate), ['lab:small']);
});

test('a file that was not there at the start is taken up when it is written', async () => {
  // The data folder of the default, which is said beside the file once there is one.
  await using started = await startHeadgate({ env: { HEADGATE_DATA: '' }, args: ['--json'] });
  const told = await toldAfter(() => writeConfig(started, FIRST), /"reloaded"/, started);
  assert.deepEqual(JSON.parse(told), { event: 'reloaded', notices: [], need_restart: [] });
  assert.deepEqual(await served(started), ['lab:small']);
  await toldAfter(() => writeConfig(started, `providers: { ${spare} }`), /"reloaded"/, started);
  assert.deepEqual((await served(started))[0], 'spare:large');
  await toldAfter(() => rm(configFileOf(started)), /headgate\.yaml is gone/, started);
});

test('a bad file keeps the old configuration, and says where it is bad', async () => {
  assert.match(
    await headgate.reload(`providers:\n  ${spare}\nlimits: { max_body: huge }`),
    /not reloaded\. The previous one stays in force/,
  );
  await headgate.waitForLine(/headgate\.yaml:3:11 limits\.max_body: must be a size/);
  assert.deepEqual(await served(headgate), ['lab:small']);
  assert.equal((await chat(headgate, 'small')).status, 200);
  assert.match(await headgate.reload(FIRST), /was reloaded/);
});

test('a file that is empty, as an editor or a full disk leaves it, keeps the old configuration', async () => {
  const reasons = /headgate\.yaml:1:1 the file has no settings/;
  for (const text of ['', '\n \n', '# lab: was here\n']) {
    assert.match(await headgate.reload(text), /not reloaded\. The previous one stays in force/);
    await toldAfter(() => writeFile(configFileOf(headgate), `${text}\n`), reasons);
    assert.deepEqual(await served(headgate), ['lab:small']);
  }
  assert.match(await headgate.reload(FIRST), /was reloaded/);
});

test('a file that is taken away keeps the old configuration', async () => {
  await toldAfter(() => rm(configFileOf(headgate)), /headgate\.yaml is gone/);
  assert.deepEqual(await served(headgate), ['lab:small']);
  await toldAfter(() => writeConfig(headgate, FIRST), /was reloaded/);
});

test('a bad catalog keeps the old configuration too', async () => {
  const catalog = join(headgate.data, 'catalog.json');
  await writeFile(catalog, '{"openai":');
  assert.match(await headgate.reload(`providers: { ${spare} }`), /not reloaded/);
  await headgate.waitForLine(/catalog\.json/);
  assert.deepEqual(await served(headgate), ['lab:small']);
  await rm(catalog);
  await headgate.reload(FIRST);
});

test('calls that are open are not touched, even if their provider goes', async () => {
  vendor.plan('stall', { times: 1 });
  const messages = [{ role: 'user', content: 'Hi' }];
  const stream = await send(headgate, '/v1/chat/completions', { model: 'small', stream: true, messages });
  assert.equal(stream.headers.get('content-type'), 'text/event-stream; charset=utf-8');
  vendor.plan('stall-before-body', { times: 1 });
  const whole = chat(headgate, 'small');
  await vendor.waitFor(({ heldCalls }) => heldCalls() === 2);

  assert.match(await headgate.reload(`echo: false\nproviders: { ${spare} }`), /was reloaded/);
  assert.deepEqual(await served(headgate), ['spare:large']);
  assert.equal(vendor.openCalls(), 2);
  vendor.release();

  const text = await stream.text();
  const chunks = text.match(/(?<=^data: )\{.*$/gm)?.map((line) => JSON.parse(line)) ?? [];
  assert.equal(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join(''), DEFAULT_TEXT);
  assert(text.endsWith('data: [DONE]\n\n'));
  assert.equal((await whole).status, 200);
  const { data } = await headgate.usage({ model: 'small', limit: '2' });
  assert.deepEqual(
    data.map(({ status, provider, usage_source }) => [status, provider, usage_source]),
    [
      ['succeeded', 'lab', 'provider'],
      ['succeeded', 'lab', 'provider'],
    ],
  );
  await headgate.reload(FIRST);
});

test('limits and timeouts hold from the reload on', async () => {
  const limits = 'limits: { max_body: 2KB, requests_per_minute: 7, max_json_depth: 8 }';
  await headgate.reload(`${FIRST}\n${limits}\ntimeouts: { total: 1s }`);
  const { headers } = await get(headgate, '/v1/models');
  assert.equal(headers.get('x-ratelimit-limit-requests'), '7');
  const large = { model: 'small', messages: [{ role: 'user', content: 'x'.repeat(3000) }] };
  assert.equal((await post(headgate, '/v1/chat/completions', large)).status, 413);
  const deep = { model: 'small', messages: [[[[[[[[]]]]]]]] };
  assert.equal((await post(headgate, '/v1/chat/completions', deep)).status, 400);
  vendor.plan('slow-headers', { times: 1 });
  assert.equal((await chat(headgate, 'small')).status, 504);
  await headgate.reload(FIRST);
  assert.equal((await post(headgate, '/v1/chat/completions', large)).status, 200);
});

test('a change of the server waits for a restart, and is told to', async () => {
  const server = `{ port: 1, header_prefix: other, metrics_token: another-token }`;
  const needed = /^ {2}server\.header_prefix, server\.metrics_token: take effect after a restart\.$/;
  for (let count = 0; count < 2; count += 1) {
    await toldAfter(() => void headgate.reload(`${FIRST}\nserver: ${server}`), needed);
    const { headers } = await get(headgate, '/v1/models');
    assert(headers.has('service-version') && !headers.has('other-version'));
  }
  await headgate.restart();
  assert((await get(headgate, '/v1/models')).headers.has('other-version'));
});

test('a hangup while open calls end is no reason to cut them', async () => {
  vendor.plan('stall', { times: 1 });
  const messages = [{ role: 'user', content: 'Hi' }];
  const stream = await send(headgate, '/v1/chat/completions', { model: 'small', stream: true, messages });
  await vendor.waitFor(({ heldCalls }) => heldCalls() === 1);
  headgate.signal('SIGTERM');
  await headgate.waitForLine(/^SIGTERM/);
  headgate.signal('SIGHUP');
  vendor.release();
  assert.match(await stream.text(), /\[DONE\]\n\n$/);
  await headgate.waitForLine(/^Stopped\.$/);
});
