import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { startHeadgate } from '../support/headgate.ts';
import { chat, served } from './ask.ts';

const vendor = await startFakeProvider();
const headgate = await startHeadgate({
  config: `
echo: false
providers:
  lab: { base_url: "${vendor.url}", only: [small, large] }
  spare: { base_url: "${vendor.url}", only: [small] }
aliases: { small: spare/small, large: lab/large }
`,
});
after(async () => {
  await headgate[Symbol.asyncDispose]();
  await vendor.close();
});

test('a name that an alias has is in the list once, for what it leads to', async () => {
  assert.deepEqual(await served(headgate), ['lab:lab/small', 'lab:large', 'spare:spare/small', 'spare:small']);
});

test('a key that may use an alias may not use the model whose name the alias took', async () => {
  const { key } = await headgate.createKey('--models', 'small');
  const statuses: number[] = [];
  for (const model of ['small', 'lab/small']) statuses.push((await chat({ ...headgate, key }, model)).status);
  assert.deepEqual(statuses, [200, 403]);
});

test('the record of a call names the model that was called, not the one that an alias has its name from', async () => {
  for (const model of ['small', 'lab/small']) assert.equal((await chat(headgate, model)).status, 200);
  const { data } = await headgate.usage({ limit: '2' });
  assert.deepEqual(
    data.map(({ model, provider }) => [model, provider]),
    [
      ['lab/small', 'lab'],
      ['spare/small', 'spare'],
    ],
  );
});
