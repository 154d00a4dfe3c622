import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { WAIT_MS } from '../../src/testing/wait.ts';
import { startHeadgate } from '../support/headgate.ts';
import { ask, begin, chat, workersOf } from './ask.ts';

const vendor = await startFakeProvider();
const CONFIG = `providers: { lab: { base_url: "${vendor.url}", only: [small] } }\nserver: { workers: 2 }`;
const headgate = await startHeadgate({ config: CONFIG });
after(async () => {
  await headgate[Symbol.asyncDispose]();
  await vendor.close();
});

test('there is one greeting, and two processes that serve', () => {
  assert.equal(headgate.stdout().match(/serves at/g)?.length, 1);
  assert.equal(workersOf(headgate).length, 2);
});

test('a new key is known at once by all, and a revoked one by none a second later', async () => {
  const { id, key } = await headgate.createKey();
  for (let call = 0; call < 4; call += 1) {
    assert.equal((await ask(headgate, '/v1/models', undefined, key)).status, 200);
  }
  assert.equal((await headgate.command('keys', 'revoke', id)).code, 0);
  const refused: number[] = [];
  for (const deadline = performance.now() + WAIT_MS; refused.length < 4 && performance.now() < deadline; ) {
    const { status } = await ask(headgate, '/v1/models', undefined, key);
    if (status === 401) refused.push(status);
    else refused.length = 0;
  }
  assert.equal(refused.length, 4);
});

test('usage and metrics tell of all calls, whoever is asked', async () => {
  const before = (await headgate.usage({ limit: '100' })).data.length;
  for (let call = 0; call < 6; call += 1) await ask(headgate, '/v1/chat/completions', chat('small'));
  for (let time = 0; time < 4; time += 1) {
    const usage = JSON.parse((await ask(headgate, '/v1/usage?limit=100')).text) as { data: unknown[] };
    assert.equal(usage.data.length, before + 6);
    const { text } = await ask(headgate, '/metrics');
    assert.match(text, /^headgate_calls_total\{provider="lab",model="small",status="succeeded"\} 6$/m);
    assert.match(text, /^headgate_open_calls 0$/m);
    assert.equal((await ask(headgate, '/readyz')).status, 200);
  }
});

test('an item of an answer is known to every worker, and to no other key', async () => {
  const { text } = await ask(headgate, '/v1/responses', { model: 'echo', input: 'Hi' });
  const { output } = JSON.parse(text) as { output: { id: string }[] };
  const input = [
    { type: 'item_reference', id: output[0]!.id },
    { role: 'user', content: 'And?' },
  ];
  for (let call = 0; call < 4; call += 1) {
    const { status, text } = await ask(headgate, '/v1/responses', { model: 'echo', input });
    assert.equal(status, 200, text);
  }
  const { key } = await headgate.createKey();
  for (let call = 0; call < 2; call += 1) {
    assert.match((await ask(headgate, '/v1/responses', { model: 'echo', input }, key)).text, /item_not_found/);
  }
});

test('a reload is told once and is in force for all, and one that is refused changes none', async () => {
  const more = `${CONFIG}\naliases: { tiny: small }`;
  const before = headgate.stdout().match(/was reloaded/g)?.length ?? 0;
  assert.match(await headgate.reload(more), /was reloaded/);
  for (let call = 0; call < 4; call += 1) {
    assert.equal((await ask(headgate, '/v1/chat/completions', chat('tiny'))).status, 200);
  }
  assert.match(await headgate.reload('providers: 7'), /not reloaded/);
  // One worker after a restart, which is too late for the two that run.
  const lone = `${CONFIG.replace('workers: 2', 'workers: 1')}\nlimits: { max_open_calls: 1 }`;
  assert.match(await headgate.reload(lone), /not reloaded/);
  await headgate.waitForLine(/max_open_calls: must be at least 2, the number of workers/);
  for (let call = 0; call < 4; call += 1) {
    assert.equal((await ask(headgate, '/v1/chat/completions', chat('tiny'))).status, 200);
  }
  assert.equal(headgate.stdout().match(/was reloaded/g)?.length, before + 1);
  // Who begins now has not read the broken file either.
  const [victim] = workersOf(headgate);
  process.kill(victim!, 'SIGKILL');
  await headgate.waitForLine(/ended unexpectedly/);
  for (let call = 0; call < 20 || workersOf(headgate).length < 2; call += 1) {
    assert.equal((await ask(headgate, '/v1/chat/completions', chat('tiny'))).status, 200);
  }
  assert.match(await headgate.reload(CONFIG), /was reloaded/);
  assert.equal((await ask(headgate, '/v1/chat/completions', chat('tiny'))).status, 404);
});

test('a stop lets the open calls of all end', async () => {
  vendor.plan('slow-headers', { times: 2 });
  const open = [
    begin(headgate, '/v1/chat/completions', chat('small')),
    begin(headgate, '/v1/chat/completions', chat('small')),
  ];
  await vendor.waitFor(({ heldCalls }) => heldCalls() === 2);
  const stopping = headgate.stop();
  await headgate.waitForLine(/no new calls are accepted/);
  vendor.release();
  for (const answer of await Promise.all(open)) assert.equal(answer.status, 200);
  assert.equal(await stopping, 0);
  assert.match(headgate.stdout(), /Stopped\.\n$/);
});
