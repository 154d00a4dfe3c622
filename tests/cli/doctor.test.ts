import assert from 'node:assert/strict';
import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { closedPort } from '../../src/testing/listen.ts';
import { errorReply, jsonReply } from '../../src/testing/reply.ts';
import { type CommandResult, runHeadgate, startHeadgate } from '../support/headgate.ts';

const SECRET = 'sk-never-to-be-shown';
const LIST = { path: '/v1/models' };

type Checks = Record<string, { status: string; message: string }>;

function checksOf({ json }: CommandResult): Checks {
  const { checks } = json as { checks: { name: string; status: string; message: string }[] };
  return Object.fromEntries(checks.map(({ name, ...rest }) => [name, rest]));
}

function configOf(providers: Record<string, string>): string {
  const rows = Object.entries(providers).map(([id, url]) => `  ${id}: { base_url: "${url}", api_key: "\${LAB_KEY}" }`);
  return `providers:\n${rows.join('\n')}\n`;
}

test('each provider is asked with its key, and told apart by what it answers', async () => {
  await using good = await startFakeProvider({ models: ['a', 'b', 'c'] });
  await using strict = await startFakeProvider();
  await using odd = await startFakeProvider();
  strict.plan(() => errorReply(401, { message: `No: ${SECRET}`, type: 'invalid_request_error' }), LIST);
  odd.plan(() => errorReply(404, { message: 'Nothing here', type: 'invalid_request_error' }), LIST);
  const gone = `http://127.0.0.1:${await closedPort()}/v1`;
  const result = await runHeadgate(['doctor', '--json'], {
    config: configOf({ good: good.url, strict: strict.url, odd: odd.url, gone }),
    env: { LAB_KEY: SECRET },
  });
  assert.equal(result.code, 1);
  const checks = checksOf(result);
  assert.equal(checks['provider good']?.status, 'ok');
  assert.match(checks['provider good']?.message ?? '', /^answers: 3 models in \d+ ms$/);
  assert.equal(checks['provider strict']?.status, 'fail');
  assert.match(checks['provider strict']?.message ?? '', /^refuses the key: strict answered 401/);
  assert.equal(checks['provider odd']?.status, 'warn');
  assert.match(checks['provider odd']?.message ?? '', /^can be reached, but: odd answered 404/);
  assert.equal(checks['provider gone']?.status, 'fail');
  assert.match(checks['provider gone']?.message ?? '', /^cannot be reached: ECONNREFUSED$/);
  assert.match(checks.clock?.message ?? '', /^agrees with 3 providers/);
  assert.equal(good.listRequests[0]?.headers.authorization, `Bearer ${SECRET}`);
  assert.ok(!result.stdout.includes(SECRET) && !result.stderr.includes(SECRET));
});

test('a clock that is wrong is a warning', async () => {
  await using provider = await startFakeProvider();
  const date = new Date(Date.now() + 90_000).toUTCString();
  provider.plan(() => jsonReply(200, { object: 'list', data: [] }, { date }), LIST);
  const options = { config: configOf({ lab: provider.url }), env: { LAB_KEY: SECRET } };
  const { code, stdout } = await runHeadgate(['doctor'], options);
  assert.equal(code, 0);
  assert.match(stdout, /^warn {2}clock +\d+ s behind one provider\. Set this machine’s clock$/m);
});

test('a silent provider is not waited for longer than a few seconds', async () => {
  await using provider = await startFakeProvider();
  provider.plan('slow-headers', LIST);
  const options = { config: configOf({ lab: provider.url }), env: { LAB_KEY: SECRET } };
  const result = await runHeadgate(['doctor', '--json'], options);
  assert.equal(result.code, 1);
  assert.match(
    checksOf(result)['provider lab']?.message ?? '',
    /^cannot be reached: lab did not list its models in time/,
  );
});

test('beside a running gateway it names the process that serves', async () => {
  await using gateway = await startHeadgate({ config: 'providers: { openai: {} }\n' });
  const result = await gateway.command('doctor', '--json');
  assert.equal(result.code, 0, result.stdout);
  const checks = checksOf(result);
  assert.match(checks.gateway?.message ?? '', new RegExp(`^process ${gateway.pid} serves this data at `));
  assert.equal(checks.serve, undefined, 'it is told once');
  assert.equal(checks.storage?.status, 'ok');
  assert.equal(checks.config?.status, 'warn');
  assert.match(checks.config?.message ?? '', /Provider openai is off: OPENAI_API_KEY is not set/);
  assert.equal(checks.providers?.status, 'warn');

  await gateway.kill9();
  const after = checksOf(await gateway.command('doctor', '--json'));
  assert.equal(after.serve?.message, 'no process serves this data now');
});

test('on a fresh machine it is content, and makes nothing', async () => {
  const result = await runHeadgate(['doctor', '--json']);
  assert.equal(result.code, 0, result.stdout);
  const { storage, clock, node, headgate } = checksOf(result);
  assert.match(storage?.message ?? '', /no gateway has run with .*data yet; the first start creates what it needs/);
  assert.match(clock?.message ?? '', /cannot be checked/);
  assert.match(node?.message ?? '', /^\d+\.\d+\.\d+ on /);
  assert.match(headgate?.message ?? '', /^\d+\.\d+\.\d+$/);
  assert.ok(!existsSync(/with (\S+) yet/.exec(storage?.message ?? '')?.[1] ?? ''));
});

test('a data folder that is a file, or below one, fails', async () => {
  for (const data of [fileURLToPath(import.meta.url), join(fileURLToPath(import.meta.url), 'data')]) {
    const result = await runHeadgate(['doctor', '--json'], { data });
    assert.equal(result.code, 1, result.stderr);
    assert.match(
      checksOf(result).storage?.message ?? '',
      /^data cannot be stored in .*: .*doctor\.test\.ts is a file$/,
    );
  }
});

test('a broken configuration fails, mistake by mistake', async () => {
  const { code, stdout } = await runHeadgate(['doctor'], { config: 'bogus: 1\nserver: { port: x }\n' });
  assert.equal(code, 1);
  assert.equal(stdout.match(/^fail {2}config/gm)?.length, 2, stdout);
});

test('a data folder that others can look into is a warning', async () => {
  await using gateway = await startHeadgate();
  const look = async (mode: number) => {
    chmodSync(gateway.data, mode);
    return gateway.command('doctor', '--json');
  };
  for (const mode of [0o750, 0o704]) {
    const { code, ...result } = await look(mode);
    assert.equal(code, 0);
    const { status, message } = checksOf({ code, ...result }).data ?? {};
    assert.equal(status, 'warn');
    assert.match(message ?? '', new RegExp(`open to other users of this machine \\(mode ${mode.toString(8)}\\)`));
  }
  assert.equal(checksOf(await look(0o700)).data, undefined);
});
