import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { runHeadgate, startHeadgate } from '../support/headgate.ts';
import { ask, chat } from '../workers/ask.ts';

const vendor = await startFakeProvider();
const folder = mkdtempSync(join(tmpdir(), 'headgate-routes-'));
const CONFIG = `
echo: false
providers:
  lab:
    base_url: "${vendor.url}"
    only:
      - { id: small, context_window: 1000, price: { input_per_1m: 1, output_per_1m: 2 } }
      - { id: large, price: { input_per_1m: 10, output_per_1m: 20 } }
routes:
  acme/fast: { strategy: [priority], targets: [large, small] }
`;
const gateway = await startHeadgate({ config: CONFIG });
after(async () => {
  await gateway[Symbol.asyncDispose]();
  await vendor.close();
  rmSync(folder, { recursive: true });
});

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

async function run(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await gateway.command(...args);
  assert.equal(code, 0, stderr);
  return stdout;
}

async function json(...args: string[]): Promise<Record<string, unknown>> {
  return JSON.parse(await run(...args, '--json')) as Record<string, unknown>;
}

async function refused(...args: string[]): Promise<string> {
  const { code, stderr } = await gateway.command(...args);
  assert.notEqual(code, 0);
  return stderr;
}

const asked = () => ['--url', gateway.url, '--key', gateway.key];

test('status is a table of targets under a line of the process', async () => {
  const text = await run('status', ...asked());
  const [head, , titles, ...rows] = text.trimEnd().split('\n');
  assert.match(head ?? '', /^Headgate \d+\.\d+\.\d+ at http:\/\/127\.0\.0\.1:\d+, up \d+ .*; 0 open calls; 1 worker$/);
  assert.match(
    titles ?? '',
    /^PROVIDER +MODEL +CREDENTIAL +CIRCUIT +FIRST +WHOLE +CALLS +ERRORS +IN FLIGHT +LAST ERROR/,
  );
  assert.deepEqual(
    rows.map((row) => row.split(/ +/).slice(0, 4)),
    [
      ['lab', 'large', 'default', 'closed'],
      ['lab', 'small', 'default', 'closed'],
    ],
  );
  assert.partialDeepStrictEqual(await json('status', ...asked()), { object: 'status', process: { workers: 1 } });
});

test('who cannot ask is told why', async () => {
  assert.match(
    await refused('status', '--url', gateway.url),
    /^An API key is needed: set HEADGATE_API_KEY, or add --key KEY\.\n$/,
  );
  const alone = await runHeadgate(['status']);
  assert.equal(alone.code, 1);
  assert.match(
    alone.stderr,
    /^No gateway is running on the data folder .*data\. Start one \(headgate serve\), .*--url and --key/,
  );
  assert.match(
    await refused('status', '--url', 'http://127.0.0.1:9', '--key', 'x'),
    /^No gateway answers at http:\/\/127\.0\.0\.1:9 \(.+\)\. Is it running\? Use --url for another address\.\n$/,
  );
  assert.match(
    await refused('status', '--url', gateway.url, '--key', 'x'),
    /^The API key is malformed or unknown\.\n$/,
  );
  assert.match(
    await refused('status', '--url', `${vendor.url}/v2`, '--key', 'x'),
    /^http:\/\/127.* does not know \/status\. It is not a Headgate gateway, or an older version\.\n$/,
  );
  const { key } = await gateway.createKey();
  assert.match(await refused('status', '--url', gateway.url, '--key', key), /^The status is for administrators’ keys/);
  assert.match(await refused('status', '--key', 'x'), /^The port is 0 .*Use --url/);
});

test('a route that is not there is told with those that are; what names a folder is no file', async () => {
  const none = /^There is no route acme\/none\. Routes: .*acme\/fast/;
  for (const args of [
    ['show'],
    ['remove'],
    ['versions'],
    ['promote'],
    ['rollback'],
    ['diff', '1'],
    ['canary', 'none'],
    ['replay'],
  ]) {
    const [word = '', ...rest] = args;
    assert.match(await refused('routes', word, 'acme/none', ...rest), none, word);
  }
  assert.match(
    await refused('routes', 'promote', 'acme/fast'),
    /^acme\/fast is a route of headgate\.yaml and can be changed only there/,
  );
  for (const args of [
    ['put', 'acme/x', '--file'],
    ['explain', 'acme/fast', '--file'],
    ['replay', 'acme/fast', '--draft'],
  ])
    assert.equal(await refused('routes', ...args, folder), `${folder} is a folder, not a file.\n`);
});

test('a key may stand in the environment', async () => {
  const env = { HEADGATE_API_KEY: gateway.key };
  const { code, stderr, json: told } = await runHeadgate(['status', '--url', gateway.url, '--json'], { env });
  assert.equal(code, 0, stderr);
  assert.partialDeepStrictEqual(told, { object: 'status' });
});

test('routes are stored, listed, shown and removed; those of the file are not', async () => {
  const draft = file('stored.yaml', '{ name: Stored, strategy: [cheapest], targets: [small, { model: gone }] }');
  const put = await gateway.command('routes', 'put', 'acme/stored', '--file', draft);
  assert.match(put.stdout, /^Route acme\/stored is stored as version [0-9a-f]{16}\. /);
  assert.equal(put.stderr, 'gone: No provider that is on serves it.\n');

  const list = await json('routes', 'list');
  assert.deepEqual(
    (list.data as Record<string, unknown>[]).map(({ id, from, strategy, targets, problem }) => [
      id,
      from,
      strategy,
      targets,
      problem,
    ]),
    [
      ['acme/fast', 'file', ['priority'], ['large', 'small'], null],
      ['acme/stored', 'store', ['cheapest'], ['small', 'gone'], null],
    ],
  );
  assert.match(await run('routes', 'list'), /^acme\/stored +store +cheapest +small, gone +[0-9a-f]{16} +serves$/m);

  const shown = await json('routes', 'show', 'acme/stored');
  assert.deepEqual(shown.definition, { name: 'Stored', strategy: ['cheapest'], targets: ['small', { model: 'gone' }] });
  assert.deepEqual(shown.places, [
    {
      model: 'small',
      role: 'target',
      provider: 'lab',
      upstream_model: 'small',
      credential: 'default',
      input_per_1m: 1,
      output_per_1m: 2,
      left_out: null,
    },
    {
      model: 'gone',
      role: 'target',
      provider: null,
      upstream_model: null,
      credential: null,
      input_per_1m: null,
      output_per_1m: null,
      left_out: { reason: 'unknown_model', detail: 'No provider that is on serves it.' },
    },
  ]);
  const text = await run('routes', 'show', 'acme/fast');
  assert.match(text, /^From +the file$/m);
  assert.match(text, /^large +target +lab +default +\$10 +\$20 +yes$/m);

  assert.match(
    await refused('routes', 'put', 'acme/fast', '--file', draft),
    /^acme\/fast is a route of .* and can be changed only there/,
  );
  assert.match(
    await refused('routes', 'remove', 'acme/fast'),
    /^acme\/fast is a route of .* and can be changed only there/,
  );
  assert.match(await run('routes', 'remove', 'acme/stored'), /^Route acme\/stored is removed\.\n$/);
  assert.match(
    await refused('routes', 'remove', 'acme/stored'),
    /^There is no route acme\/stored\. Routes: acme\/fast\.\n$/,
  );
  assert.match(
    await refused('routes', 'show', 'acme/stored'),
    /^There is no route acme\/stored\. Routes: acme\/fast\.\n$/,
  );
});

test('a definition that is wrong is told with its place, and nothing is stored', async () => {
  const wrong = file('wrong.yaml', 'targets: [acme/fast]\nstrategy: [fast]\n');
  const told = await refused('routes', 'put', 'acme/wrong', '--file', wrong);
  assert.match(told, /wrong\.yaml:2:12 strategy\[0\]: must be /);
  const self = file('self.yaml', 'targets: [acme/fast]');
  assert.match(
    await refused('routes', 'put', 'acme/wrong', '--file', self),
    /targets\[0\]: names the route acme\/fast/,
  );
  assert.match(await refused('routes', 'put', 'acme/wrong', '--file', join(folder, 'none')), /none: .*\(ENOENT\)\.\n$/);
  assert.match(await refused('routes', 'put', 'acme/wrong'), /needs --file/);
  assert.equal(((await json('routes', 'list')).data as unknown[]).length, 1);
});

test('a running gateway explains, and nobody is called', async () => {
  const before = vendor.requests.length;
  const request = file('request.json', JSON.stringify({ messages: [{ role: 'user', content: 'Hi' }] }));
  const text = await run('routes', 'explain', 'acme/fast', '--file', request, ...asked());
  assert.match(text, /^priority: large first\.$/m);
  assert.match(text, /^Order of targets\n1\. large of lab, default\n2\. small of lab, default$/m);
  assert.match(text, /^large +lab +default +target +\$0\.\d{9} +- +closed +-$/m);
  const direct = await json('routes', 'explain', 'lab/small', '--file', request, ...asked());
  assert.deepEqual([direct.object, direct.direct], ['route.decision', true]);
  assert.equal(vendor.requests.length, before);
  assert.match(await refused('routes', 'explain', 'nothing', '--file', request, ...asked()), /does not exist here/);
});

test('past calls are run through a draft: what would move, what it would cost, what nobody would serve', async () => {
  for (let call = 0; call < 3; call += 1) {
    assert.equal((await ask(gateway, '/v1/chat/completions', chat('acme/fast'))).status, 200);
  }
  const long = { messages: [{ role: 'user', content: 'word '.repeat(2000) }] };
  assert.equal((await ask(gateway, '/v1/chat/completions', chat('acme/fast', long))).status, 200);

  const same = file('same.yaml', CONFIG);
  const unchanged = await json('routes', 'replay', 'acme/fast', '--draft', same);
  assert.deepEqual([unchanged.calls, unchanged.moved, unchanged.unserved], [4, 0, { calls: 0, errors: {} }]);
  const cost = unchanged.expected_cost as { calls: number; before_usd: number; after_usd: number };
  assert.equal(cost.calls, 4);
  assert.equal(cost.before_usd, cost.after_usd);

  const draft = file('draft.yaml', 'targets: [small]');
  const changed = await json('routes', 'replay', 'acme/fast', '--draft', draft, '--since', '1d');
  const [large, small] = ['large', 'small'].map((model) => ({ provider: 'lab', model }));
  assert.deepEqual(changed.moves, [
    { from: large, to: small, calls: 3 },
    { from: large, to: null, calls: 1 },
  ]);
  assert.deepEqual(changed.unserved, { calls: 1, errors: { context_length_exceeded: 1 } });
  const { calls, before_usd, after_usd } = changed.expected_cost as typeof cost;
  assert.equal(calls, 3);
  assert.ok(Math.abs(after_usd * 10 - before_usd) < 1e-12, `${before_usd} ${after_usd}`);
  assert.equal(changed.expected_quality, null);

  const text = await run('routes', 'replay', 'acme/fast', '--draft', draft);
  assert.match(text, /^4 calls of acme\/fast since .* UTC, by the draft [0-9a-f]{16}$/m);
  assert.match(text, /^large of lab +small of lab +3$/m);
  assert.match(text, /^4 of 4 would go to another target \(100 %\)\.$/m);
  assert.match(text, /^Expected cost of 3: \$0\.\d+ before, \$0\.\d+ after \(-90 %\)\.$/m);
  assert.match(text, /^Nobody would serve some calls: context_length_exceeded \(1\)\.$/m);
  assert.equal((await json('routes', 'replay', 'acme/fast', '--draft', draft, '--limit', '2')).calls, 2);
  assert.equal((await json('routes', 'replay', 'acme/fast')).moved, 0, 'by the route as it is in force');
  assert.equal((await json('routes', 'replay', 'acme/none', '--draft', draft)).calls, 0);
  assert.match(
    await run('routes', 'replay', 'acme/none', '--draft', draft),
    /^No call of acme\/none was decided since/,
  );
});

test('what cannot be replayed is a sentence', async () => {
  const draft = file('draft.yaml', 'targets: [small]');
  const replay = (...args: string[]) => refused('routes', 'replay', 'acme/fast', ...args);
  assert.match(await replay('--draft', draft, '--since', '7'), /^--since must be a duration/);
  assert.match(await replay('--draft', draft, '--limit', '0'), /^--limit must be a whole number above 0/);
  assert.match(
    await replay('--draft', file('bad.yaml', 'targets: []')),
    /bad\.yaml:1:1 targets: must name at least one target/,
  );
});

test('where there are no routes it is told how one is made', async () => {
  await using gateway = await startHeadgate();
  const { stdout } = await gateway.command('routes', 'list');
  assert.equal(stdout, 'No routes yet. Add one: headgate routes put acme/fast --file fast.yaml\n');
});
