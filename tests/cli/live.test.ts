import assert from 'node:assert/strict';
import { existsSync, lstatSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { errorReply, jsonReply } from '../../src/testing/reply.ts';
import { type HeadgateOptions, type Running, runHeadgate, startHeadgate } from '../support/headgate.ts';

const SECRET = 'sk-of-the-other-terminal';
const SOCKET = 'operator.sock';

const vendor = await startFakeProvider({ models: ['lab-large'] });
after(() => vendor.close());
const config = `
providers: { lab: { base_url: "${vendor.url}", api_key: "\${LAB_KEY}", models: [lab-large, lab-vanished] } }
aliases: { old: lab-vanished }
`;
const serving: HeadgateOptions = { config, env: { LAB_KEY: SECRET } };
/** Of a terminal that has not the variables of the one that the gateway was started in. */
const elsewhere = ({ data }: Running): HeadgateOptions => ({ config, data });

function modelsOf(json: unknown): string[] {
  return (json as { data: { id: string }[] }).data.map(({ id }) => id);
}

for (const workers of ['1', '2']) {
  test(`commands in a second terminal show what the gateway serves, which has ${workers} process(es)`, async () => {
    await using gateway = await startHeadgate({ ...serving, args: ['--workers', workers] });
    const second = elsewhere(gateway);
    const listed = await runHeadgate(['catalog', 'list', '--provider', 'lab', '--json'], second);
    assert.deepEqual([listed.code, modelsOf(listed.json)], [0, ['lab-large', 'lab-vanished']], listed.stderr);

    const examined = await runHeadgate(['doctor'], second);
    assert.equal(examined.code, 0, examined.stdout);
    assert.match(
      examined.stdout,
      new RegExp(`^ok +gateway +process ${gateway.pid} serves this data at ${gateway.url}$`, 'm'),
    );
    assert.match(examined.stdout, /^ok +provider lab +answers: /m);
    assert.doesNotMatch(examined.stdout, /is off/);
    assert.ok(!examined.stdout.includes(SECRET));

    const { stdout } = await runHeadgate(['status'], second);
    assert.match(stdout, new RegExp(`^Headgate \\S+ at ${gateway.url}, up .*; ${workers} worker`));

    const connected = await runHeadgate(['connect', 'codex', '--json'], second);
    const { base_url, model, key } = connected.json as { base_url: string; model: string; key: string };
    assert.deepEqual([base_url, model], [`${gateway.url}/v1`, 'lab-large']);
    const { status } = await fetch(`${base_url}/models`, { headers: { authorization: `Bearer ${key}` } });
    assert.equal(status, 200);
  });
}

test('a key that the vendor refuses, and names that it does not list, are told by the gateway that has the key', async () => {
  await using gateway = await startHeadgate(serving);
  vendor.plan(() => errorReply(401, { message: `No: ${SECRET}`, type: 'invalid_request_error' }), {
    path: '/v1/models',
    times: 1,
  });
  const refused = await runHeadgate(['doctor'], elsewhere(gateway));
  assert.equal(refused.code, 1);
  assert.match(refused.stdout, /^fail +provider lab +refuses the key: lab answered 401/m);
  assert.ok(!refused.stdout.includes(SECRET));
  const { stdout } = await runHeadgate(['doctor'], elsewhere(gateway));
  assert.match(stdout, /^warn +models lab +the configuration uses old, .*lab\/lab-vanished, which lab does not list/m);
});

test('a key that is refused is told at the start, by the log and by the status', async () => {
  await using strict = await startFakeProvider();
  strict.plan(() => errorReply(401, { message: `No: ${SECRET}`, type: 'invalid_request_error' }), {
    path: '/v1/models',
  });
  const own = `providers: { strict: { base_url: "${strict.url}", api_key: "\${LAB_KEY}" } }\n`;
  await using gateway = await startHeadgate({ config: own, env: { LAB_KEY: SECRET } });
  const line = await gateway.waitForLine(/refuses its key/);
  const { level, provider, msg } = JSON.parse(line) as Record<string, unknown>;
  assert.deepEqual([level, provider], [50, 'strict']);
  assert.equal(msg, 'strict refuses its key: its models cannot be called until it has another.');
  const headers = { authorization: `Bearer ${gateway.key}` };
  const status = (await (await fetch(`${gateway.url}/v1/status`, { headers })).json()) as { providers: unknown };
  assert.deepEqual(status.providers, [{ provider: 'strict', list: 'key_refused', refused_credentials: ['default'] }]);
  const { stderr } = await gateway.command('status');
  assert.match(stderr, /^strict refuses its key/m);
  assert.ok(!gateway.stderr().includes(SECRET));
});

test('of a provider with several keys each that is refused is told, and no other', async () => {
  await using strict = await startFakeProvider();
  const refusal = errorReply(401, { message: 'no', type: 'invalid_request_error' });
  const models = jsonReply(200, { object: 'list', data: [] });
  strict.plan(({ headers }) => (headers.authorization === 'Bearer good' ? models : refusal), { path: '/v1/models' });
  const own = `providers: { strict: { base_url: "${strict.url}", api_keys: [
    { name: first, key: "\${K1}" }, { name: second, key: "\${K2}" }, { name: third, key: "\${K3}" }] } }\n`;
  await using gateway = await startHeadgate({ config: own, env: { K1: 'bad-1', K2: 'good', K3: 'bad-3' } });
  for (const name of ['first', 'third'])
    await gateway.waitForLine(new RegExp(`strict refuses its key ${name}: calls go with its others`));
  const { stderr, json } = await gateway.command('status', '--json');
  assert.deepEqual((json as { providers: unknown }).providers, [
    { provider: 'strict', list: 'key_refused', refused_credentials: ['first', 'third'] },
  ]);
  assert.match(stderr, /^strict refuses its keys first, third\. Calls use its other keys/m);
  const headers = { authorization: `Bearer ${gateway.key}` };
  const shown = await (await fetch(`${gateway.url}/v1/organization/providers/strict`, { headers })).json();
  assert.deepEqual(
    (shown as { credentials: { name: string; state: string }[] }).credentials.map(({ name, state }) => [name, state]),
    [
      ['first', 'refused'],
      ['second', 'in_use'],
      ['third', 'refused'],
    ],
  );
});

test('the socket is its owner’s alone, takes no other question, and is gone after the end', async () => {
  await using gateway = await startHeadgate(serving);
  const socket = join(gateway.data, SOCKET);
  assert.equal(statSync(socket).mode & 0o777, 0o600);
  assert.equal(statSync(gateway.data).mode & 0o777, 0o700);
  const status = await fetch(`${gateway.url}/gateway`);
  assert.equal(status.status, 404, 'not over TCP');
  assert.equal(await gateway.stop(), 0);
  assert.ok(!existsSync(socket));
});

test('a gateway that was killed leaves a socket behind: commands work on the store, and the next start takes its place', async () => {
  await using gateway = await startHeadgate(serving);
  await gateway.kill9();
  assert.ok(lstatSync(join(gateway.data, SOCKET)).isSocket());
  const { code, stdout, stderr } = await runHeadgate(['keys', 'list'], elsewhere(gateway));
  assert.equal(code, 0, stderr);
  assert.match(stdout, /first key/);
  const alone = await runHeadgate(['catalog', 'list', '--json'], { ...serving, data: gateway.data });
  assert.ok(modelsOf(alone.json).includes('lab-large'), alone.stderr);
  await gateway.restart();
  const { stdout: told } = await runHeadgate(['status'], elsewhere(gateway));
  assert.match(told, /^Headgate /);
});

test('a folder whose path is too long for a socket has a link to one in a folder of its own', async () => {
  const home = await mkdtemp(join(tmpdir(), 'headgate-long-'));
  const data = join(home, 'a'.repeat(60), 'b'.repeat(60));
  try {
    const gateway = await startHeadgate({ ...serving, data });
    const link = lstatSync(join(data, SOCKET));
    assert.ok(link.isSymbolicLink());
    const { stdout } = await runHeadgate(['status'], elsewhere(gateway));
    assert.match(stdout, /^Headgate /);
    assert.equal(await gateway.stop(), 0);
    assert.ok(!(await readdir(data)).includes(SOCKET));
  } finally {
    await rm(home, { recursive: true });
  }
});

test('where no gateway has ever run, commands say so, write nothing, and fail where they would have changed something', async () => {
  const home = await mkdtemp(join(tmpdir(), 'headgate-nowhere-'));
  const nowhere: HeadgateOptions = {
    config: `server: { data: ${join(home, 'data')} }\n`,
    env: { HEADGATE_DATA: '', HEADGATE_PORT: '8080' },
  };
  const changing = [
    ['keys', 'create', '--name', 'x'],
    ['keys', 'revoke', 'x'],
    ['connect', 'codex', '--model', 'gpt-5'],
    ['routes', 'remove', 'acme/fast'],
    // These read first.
    ['aliases', 'set', 'fast', 'echo'],
    ['budgets', 'set', '50', '--name', 'research'],
  ];
  try {
    for (const args of changing) {
      const { code, stderr } = await runHeadgate(args, nowhere);
      assert.equal(code, 1, args.join(' '));
      assert.match(stderr, /No gateway has run with the data folder .*Nothing was written/, args.join(' '));
    }
    for (const args of [
      ['keys', 'list'],
      ['usage', 'list'],
      ['routes', 'list'],
      ['catalog', 'list'],
      ['prices', 'list'],
      ['aliases', 'list'],
      ['products', 'list'],
      ['audit', 'verify'],
    ]) {
      const { code, stderr } = await runHeadgate(args, nowhere);
      assert.equal(code, 0, args.join(' '));
      assert.match(stderr, /No gateway has run with the data folder/, args.join(' '));
    }
    const config = [
      String(nowhere.config),
      'aliases: { fast: echo }',
      'products: { desk: { routes: [fast], budget: { usd: 5, per: month } } }',
      'models: { lab/large: { price: { input_per_1m: 1, output_per_1m: 2 } } }',
    ].join('\n');
    const listed = async (...args: string[]) => {
      const { code, stdout, stderr } = await runHeadgate([...args, 'list', '--json'], { ...nowhere, config });
      assert.equal(code, 0, stderr);
      return (JSON.parse(stdout) as { data: Record<string, unknown>[] }).data[0]!;
    };
    assert.equal((await listed('aliases')).leads_to, 'echo');
    assert.equal((await listed('products')).id, 'desk');
    assert.equal((await listed('prices')).model, 'lab/large');
    await mkdir(join(home, 'data'));
    assert.equal((await runHeadgate(['keys', 'create', '--name', 'x'], nowhere)).code, 1);
    assert.deepEqual(await readdir(join(home, 'data')), [], 'an empty folder is none that a gateway has run with');
    const named = await runHeadgate(['keys', 'create', '--name', 'x', '--data', join(home, 'data')], nowhere);
    assert.equal(named.code, 0, named.stderr);
  } finally {
    await rm(home, { recursive: true });
  }
});

test('a command that reads before it writes writes to a folder that --data names, and says nothing of no data', async () => {
  const home = await mkdtemp(join(tmpdir(), 'headgate-first-'));
  const first: HeadgateOptions = { env: { HEADGATE_DATA: '' } };
  const data = join(home, 'data');
  try {
    const set = await runHeadgate(['budgets', 'set', '50', '--name', 'research', '--data', data], first);
    assert.deepEqual([set.code, set.stderr], [0, '']);
    const { json } = await runHeadgate(['budgets', 'list', '--data', data, '--json'], first);
    assert.deepEqual(
      (json as { data: { name: string }[] }).data.map(({ name }) => name),
      ['research'],
    );
  } finally {
    await rm(home, { recursive: true });
  }
});

test('an older gateway, and an answer that is not JSON, are told in a sentence', async () => {
  const data = await mkdtemp(join(tmpdir(), 'headgate-older-'));
  let [status, body] = [404, '{"error": {"message": "There is no GET /v1/organization/projects here."}}'];
  const older = createServer((_, response) => void response.writeHead(status).end(body)).listen(join(data, SOCKET));
  try {
    const told = await runHeadgate(['projects', 'list'], { data });
    assert.deepEqual([told.code, /Restart it with this version\.\n$/.test(told.stderr)], [1, true], told.stderr);
    [status, body] = [502, 'Bad gateway'];
    const { code, stderr } = await runHeadgate(['projects', 'list'], { data });
    assert.deepEqual([code, stderr], [1, 'The gateway that serves this data answered 502 with what is not JSON.\n']);
  } finally {
    older.close();
    await rm(data, { recursive: true });
  }
});
