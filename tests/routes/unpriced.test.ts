import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type FakeProvider, startFakeProvider } from '../../src/testing/fake-provider.ts';
import { WAIT_MS } from '../../src/testing/wait.ts';
import { ask } from '../http/client.ts';
import { type Company, startCompany } from '../organization/lab.ts';

const PRICE = '{ input_per_1m: 10, output_per_1m: 20 }';
const SENTENCE = /Route acme\/fast: ours has no price, so a call under a budget .* \(unpriced: skip\)\./;
const HI = { messages: [{ role: 'user', content: 'hi' }], max_tokens: 10 };

let vendor: FakeProvider;
let company: Company;
let limited: string;
let free: string;

before(async () => {
  vendor = await startFakeProvider();
});
after(() => vendor.close());

function configWith(more: string): string {
  return `
providers:
  lab: { base_url: "${vendor.url}", api_key: lab-key, only: [ours, { id: dear, price: ${PRICE} }] }
routes:
  acme/fast: { targets: [ours, dear] }
  acme/served: { targets: [ours, dear], unpriced: serve }
  acme/priced: { targets: [dear] }
  acme/hidden: { targets: [ours, dear], disclose: false, price: ${PRICE} }
  ${more}
`;
}

async function call(model: string, key: string, stream = false) {
  const { status, headers } = await ask(`${company.headgate.url}/v1/chat/completions`, {
    key,
    // Another process answers the next one.
    headers: { connection: 'close' },
    body: { ...HI, model, stream },
  });
  assert.equal(status, 200);
  return { model: headers.get('service-model'), unpriced: headers.get('service-unpriced') };
}

for (const workers of [1, 4]) {
  describe(`with ${workers} processes`, () => {
    before(async () => {
      company = await startCompany({ config: configWith(''), args: ['--workers', `${workers}`] });
      const { headgate } = company;
      limited = (await headgate.createKey('--spend-limit', '5')).key;
      free = (await headgate.createKey()).key;
    });
    after(() => company[Symbol.asyncDispose]());

    test('an answer names the targets that were left out of its call because they have no price', async () => {
      for (const stream of Array.from({ length: 2 * workers }, (_, index) => index % 2 === 1)) {
        assert.deepEqual(await call('acme/fast', limited, stream), { model: 'dear', unpriced: 'ours' });
        assert.deepEqual(await call('acme/fast', free, stream), { model: 'ours', unpriced: null });
      }
      assert.deepEqual(await call('acme/served', limited), { model: 'ours', unpriced: null });
      assert.deepEqual(await call('acme/priced', limited), { model: 'dear', unpriced: null });
      assert.deepEqual(await call('acme/hidden', limited), { model: null, unpriced: null });
    });

    test('it is told at start, by the commands, in the status, under what needs attention, and in an explanation', async () => {
      const { headgate } = company;
      assert.match(headgate.stdout(), SENTENCE);
      assert.doesNotMatch(headgate.stdout(), /Route acme\/(served|priced|hidden)/);
      for (const args of [['config', 'check'], ['doctor'], ['status']]) {
        const { stdout, stderr } = await headgate.command(...args);
        assert.match(stdout + stderr, SENTENCE, args.join(' '));
      }
      const { json: status } = await headgate.command('status', '--json');
      const [told, ...others] = (status as { unpriced: Record<string, unknown>[] }).unpriced;
      assert.deepEqual([told?.route, told?.models, told?.unpriced, others], ['acme/fast', ['ours'], 'skip', []]);

      const owner = await company.hire('owner', 'owner');
      const { key: admin } = await headgate.createKey('--admin');
      const headers = { connection: 'close' };
      for (let process = 0; process < workers; process += 1) {
        const { json } = await ask(`${headgate.url}/v1/organization/attention`, { key: owner.key, headers });
        const items = (json as { data: { kind: string; subject: object; sentence: string }[] }).data;
        const concern = items.find(({ kind }) => kind === 'unpriced_targets');
        assert.deepEqual(concern?.subject, { type: 'route', id: 'acme/fast', name: 'acme/fast' });
        assert.match(concern?.sentence ?? '', SENTENCE);
        const { text } = await ask(`${headgate.url}/v1/status`, { key: admin, headers });
        assert.match(text, SENTENCE);
      }

      const explained = await ask(`${headgate.url}/v1/routes/acme%2Ffast/explain`, { key: free, body: HI });
      assert.deepEqual((explained.json as { unpriced: string[] }).unpriced, ['ours']);
    });

    test('the doctor of a gateway that does not run tells it by what is kept', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'headgate-unpriced-'));
      const file = join(folder, 'headgate.yaml');
      await writeFile(file, configWith(''));
      const { stdout } = await company.headgate.command('doctor', '--config', file, '--data', join(folder, 'data'));
      await rm(folder, { recursive: true });
      assert.match(stdout, SENTENCE);
    });

    test('a route that comes to leave targets out is logged, and a price ends it', async () => {
      const { headgate } = company;
      await headgate.reload(configWith('acme/later: { targets: [ours], unpriced: refuse }'));
      await headgate.waitForLine(/Route acme\/later: ours has no price, so a call .* is refused \(unpriced: refuse\)/);
      const set = await headgate.command('prices', 'set', 'lab/ours', '--input', '1', '--output', '2');
      assert.equal(set.code, 0, set.stderr);
      for (let left = 1; left > 0; ) {
        const { json } = await headgate.command('status', '--json');
        left = (json as { unpriced: unknown[] }).unpriced.length;
      }
      const { stdout } = await headgate.command('config', 'check');
      assert.doesNotMatch(stdout, /has no price/);
      // Each process hears of the price by itself.
      const until = performance.now() + WAIT_MS;
      for (let served = 0; served < 2 * workers; ) {
        const { model, unpriced } = await call('acme/fast', limited);
        served = model === 'ours' && unpriced === null ? served + 1 : 0;
        assert.ok(performance.now() < until, `${model} serves`);
      }
    });
  });
}
