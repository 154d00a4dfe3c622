import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { startHeadgate } from '../support/headgate.ts';
import { chat, get } from './ask.ts';

const folder = await mkdtemp(join(tmpdir(), 'headgate-refresh-'));
after(() => rm(folder, { recursive: true }));
const list = join(folder, 'list.json');

async function write(input: number): Promise<void> {
  const models = { 'brand-new': { name: 'Brand new', cost: { input, output: 2 } } };
  await writeFile(list, JSON.stringify({ openai: { models } }));
}

for (const workers of [1, 2]) {
  test(`a catalog brings itself up to date while calls are answered (workers: ${workers})`, async () => {
    await using vendor = await startFakeProvider();
    await write(1);
    const config = `server: { workers: ${workers} }
providers: { openai: { base_url: "${vendor.url}" } }
catalog: { refresh: 24h, source: ${list} }
`;
    await using headgate = await startHeadgate({ config, env: { OPENAI_API_KEY: 'sk-0123456789' } });
    await headgate.waitForLine(/The catalog was brought up to date/);
    await headgate.waitForLine(/was reloaded/);
    const priceOf = async () => {
      const { json } = await get(headgate, '/v1/models/catalog?search=brand-new');
      return (json.data as { pricing: { input_per_1m: number } }[])[0]?.pricing.input_per_1m;
    };
    assert.equal(await priceOf(), 1);
    assert.equal((await chat(headgate, 'brand-new')).status, 200);
    await writeFile(list, '{');
    await headgate.restart();
    await headgate.waitForLine(/The catalog could not be brought up to date, and stays as it is/);
    assert.equal(await priceOf(), 1);
  });
}
