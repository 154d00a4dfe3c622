import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { ask } from '../http/client.ts';
import { runHeadgate, startHeadgate } from '../support/headgate.ts';

const headgate = await startHeadgate();
after(() => headgate[Symbol.asyncDispose]());

async function made(path: string, body: object): Promise<Record<string, unknown>> {
  const { status, text, json } = await ask(`${headgate.url}/v1/organization${path}`, { key: headgate.key, body });
  assert.equal(status, 200, text);
  return json as Record<string, unknown>;
}

const budget = { amount_usd: 1, interval: 'day' };

test('a budget may name what was set up a moment before', async () => {
  await made('/products', { id: 'search' });
  const ofProduct = { type: 'product', id: 'search' };
  assert.deepEqual((await made('/budgets', { ...budget, name: 'a', holders: [ofProduct] })).holders, [ofProduct]);
  const holders = [{ type: 'organization' }];
  await made('/routes', { id: 'acme/cheap', yaml: 'targets: [echo]' });
  assert.equal(
    (await made('/budgets', { ...budget, name: 'b', holders, instead: 'acme/cheap' })).instead,
    'acme/cheap',
  );
  await made('/aliases', { id: 'cheap', target: 'echo' });
  assert.equal((await made('/budgets', { ...budget, name: 'c', holders, instead: 'cheap' })).instead, 'cheap');
});

test('where no gateway runs, a command’s budget may name what is kept', async () => {
  await headgate.stop();
  for (const options of [
    ['--of', 'product:search'],
    ['--instead', 'acme/cheap'],
    ['--instead', 'cheap'],
  ]) {
    const { code, stderr } = await headgate.command('budgets', 'set', '5', '--name', 'd', ...options);
    assert.equal(code, 0, stderr);
  }
  const { code, stderr } = await headgate.command('budgets', 'set', '5', '--name', 'e', '--of', 'product:none');
  assert.equal(code, 2);
  assert.match(stderr, /--of names no product of this organization/);
});

test('a budget is changed also once what it names is there no more, which another one may not name', async () => {
  const run = (...words: string[]) => headgate.command(...words);
  assert.equal((await run('budgets', 'set', '5', '--name', 'd', '--instead', 'cheap')).code, 0);
  assert.equal((await run('aliases', 'remove', 'cheap')).code, 0);
  const raised = await run('budgets', 'set', '6', '--name', 'd');
  assert.equal(raised.code, 0, raised.stderr);
  const more = await run('budgets', 'override', 'd', '1', '--until', '3d');
  assert.equal(more.code, 0, more.stderr);
  const other = await run('budgets', 'set', '6', '--name', 'f', '--of', 'product:search', '--instead', 'cheap');
  assert.match(other.stderr, /--instead is not a model or route/);
});

test('where no gateway has asked a provider for its models, a command’s budget may name one of them', async () => {
  await using vendor = await startFakeProvider({ models: ['lab-large'] });
  const config = `providers: { lab: { base_url: "${vendor.url}", api_key: "\${LAB_KEY}" } }\n`;
  const set = (instead: string) =>
    runHeadgate(['budgets', 'set', '5', '--name', 'a', '--instead', instead], { config, env: { LAB_KEY: 'sk-lab' } });
  const { code, stderr } = await set('lab-large');
  assert.equal(code, 0, stderr);
  assert.match((await set('lab-none')).stderr, /--instead is not a model or route/);
});
