import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { DEFAULT_TEXT } from '../../src/testing/answers.ts';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { type Running, runHeadgate, startHeadgate } from '../support/headgate.ts';
import { SOURCES_BIN } from '../support/started.ts';

const runFile = promisify(execFile);

/** What is printed under “Try it:”, run as a person would who pastes it. */
async function pasteCurl(gateway: Running, env: Record<string, string> = {}): Promise<string> {
  const curl = /^ *curl (?:.*\\\n)+.*/m.exec(gateway.stdout())?.[0];
  assert.ok(curl !== undefined, gateway.stdout());
  const { stdout } = await runFile('sh', ['-c', curl], { env: { PATH: process.env.PATH, ...env } });
  return (JSON.parse(stdout) as { choices: { message: { content: string } }[] }).choices[0]?.message.content ?? '';
}

test('a first start serves, and its curl works when it is pasted', async () => {
  // The sources, as in a clone. With a file, since without one servers are looked for on this machine.
  await using gateway = await startHeadgate({ config: '{}\n', bin: SOURCES_BIN });
  assert.match(await pasteCurl(gateway), /Hello, Headgate!/);

  await using bare = await startHeadgate();
  assert.match(bare.stdout(), /Config {5}none; .*headgate\.yaml/);
  assert.match(bare.stdout(), /No vendor’s key was found in the environment/);
});

test('the curl is for a real model where there is one', async () => {
  await using vendor = await startFakeProvider();
  const config = `providers: { lab: { base_url: "${vendor.url}", models: [lab-large] } }\n`;
  await using gateway = await startHeadgate({ config });
  assert.match(gateway.stdout(), /"model":"lab-large"/);
  assert.equal(await pasteCurl(gateway), DEFAULT_TEXT);
});

test('a later start’s curl takes the key from the environment, and says how to make another', async () => {
  await using gateway = await startHeadgate({ config: '{}\n' });
  await gateway.restart();
  assert.ok(!gateway.stdout().includes(gateway.key));
  assert.ok(gateway.stdout().includes('Bearer $HEADGATE_API_KEY'));
  assert.match(gateway.stdout(), /To create another key: npx headgate keys create --name my-app/);
  assert.match(await pasteCurl(gateway, { HEADGATE_API_KEY: gateway.key }), /Hello, Headgate!/);
});

test('the vendors that were found in the environment are named, and those that are off, with why', async () => {
  await using found = await startHeadgate({
    env: { OPENAI_API_KEY: 'sk-secret', GROQ_API_KEY: 'gsk-secret', HEADGATE_DISCOVERY: 'false' },
  });
  assert.match(found.stdout(), /openai +OpenAI +\d+ models +OPENAI_API_KEY/);
  assert.match(found.stdout(), /groq +Groq +\d+ models +GROQ_API_KEY/);
  assert.doesNotMatch(found.stdout(), /-secret/);

  await using off = await startHeadgate({ config: 'providers: { openai: {} }\n' });
  assert.match(off.stdout(), /Note {7}Provider openai is off: OPENAI_API_KEY is not set\./);
  assert.match(off.stdout(), /Config {5}\/.*headgate\.yaml\n/);
});

test('with --json every line is an object, and the first has the key', async () => {
  await using gateway = await startHeadgate({ args: ['--json'] });
  assert.equal(await gateway.stop(), 0);
  const lines = gateway.stdout().trim().split('\n');
  const [serving, stopping, stopped] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  assert.equal(serving?.event, 'serving');
  assert.equal(serving?.base_url, `${gateway.url}/v1`);
  assert.equal(serving?.api_key, gateway.key);
  assert.equal(serving?.pid, gateway.pid);
  assert.deepEqual(stopping, { event: 'stopping', signal: 'SIGTERM', drain_ms: 25_000 });
  assert.deepEqual(stopped, { event: 'stopped' });
  assert.equal(lines.length, 3);
});

test('a taken port is a sentence that says how to take another', async () => {
  await using gateway = await startHeadgate();
  const { port } = new URL(gateway.url);
  const env = { HEADGATE_PORT: port };
  const { code, stdout, stderr } = await runHeadgate(['serve'], { env });
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(
    stderr,
    new RegExp(`^Port ${port} on 127\\.0\\.0\\.1 is taken\\. .*serve --port \\d+, or with HEADGATE_PORT\\.\\n$`),
  );

  const { json } = await runHeadgate(['serve', '--json'], { env });
  assert.match((json as { error: { message: string } }).error.message, /HEADGATE_PORT/);
});

test('a start that fails when providers were asked already says why, and nothing else', async () => {
  await using vendor = await startFakeProvider({ models: ['lab-small'] });
  await using gateway = await startHeadgate();
  const config = `providers: { lab: { base_url: "${vendor.url}" } }\n`;
  const { code, stderr } = await runHeadgate(['serve'], { config, env: { HEADGATE_PORT: new URL(gateway.url).port } });
  assert.equal(code, 1);
  assert.match(stderr, /^Port .+\n$/);
});

test('a second serve on the same data is refused, and names the process that serves', async () => {
  await using gateway = await startHeadgate();
  const { code, stderr } = await gateway.command('serve');
  assert.equal(code, 1);
  assert.match(
    stderr,
    new RegExp(
      `^Another headgate \\(process ${gateway.pid}, since [^)]+\\) serves this data\\. Stop that one first.+--data.+\\n$`,
    ),
  );
});

/** What an operator can mend is one sentence, and no stack. */
async function refusal(files: Record<string, string>, env: Record<string, string> = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'headgate-broken-'));
  try {
    const data = join(folder, 'data');
    await mkdir(data);
    for (const [name, text] of Object.entries(files)) await writeFile(join(data, name), text);
    const { code, stdout, stderr } = await runHeadgate(['serve'], { data, env });
    assert.deepEqual([code, stdout], [1, '']);
    assert.equal(stderr.trim().split('\n').length, 1, stderr);
    return stderr;
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('what is broken in the data folder is a sentence', async () => {
  assert.match(await refusal({ pepper: 'short\n' }), /^The pepper in .* is damaged/);
  assert.match(
    await refusal({ 'headgate.db': 'no database at all, but long enough to be read as one' }),
    /^The database .* cannot be used/,
  );
  assert.match(await refusal({ 'catalog.json': '{' }), /catalog\.json is not JSON/);
  assert.match(await refusal({}, { HEADGATE_PEPPER: 'sixteen letters!' }), /at least 32/);
  assert.match(await refusal({}, { HEADGATE_PORT: 'high' }), /^HEADGATE_PORT: must be a whole number/);
  assert.match(
    await refusal({}, { HEADGATE_HOST: '203.0.113.1' }),
    /^203\.0\.113\.1 is not an address of this machine/,
  );
});

test('a reload that finds something broken leaves the gateway as it is', async () => {
  await using gateway = await startHeadgate({ config: 'aliases: { quick: echo }\n' });
  assert.match(await gateway.reload('aliases: [\n'), /^The configuration was not reloaded/);
  await appendFile(join(gateway.data, 'catalog.json'), '{');
  assert.match(await gateway.reload('aliases: { quick: echo }\n'), /^The configuration was not reloaded/);
  assert.match(gateway.stderr(), /catalog\.json is not JSON/);
  await rm(join(gateway.data, 'catalog.json'));
  assert.match(await gateway.reload('server: { drain: 1s }\n'), /^The configuration was reloaded/);
  await gateway.waitForLine(/server\.drain: take effect after a restart/);
});

test('a server limits what V8 sets aside for new objects, where its operator has not', {
  skip: process.platform !== 'linux',
}, async () => {
  const flagsOf = async ({ pid }: Running) =>
    (await readFile(`/proc/${pid}/cmdline`, 'latin1'))
      .split('\0')
      .filter((word) => word.startsWith('--max-semi-space'));
  await using plain = await startHeadgate({ bin: SOURCES_BIN });
  await using said = await startHeadgate({ bin: SOURCES_BIN, env: { NODE_OPTIONS: '--max-semi-space-size=32' } });
  assert.deepEqual([await flagsOf(plain), await flagsOf(said)], [['--max-semi-space-size=8'], []]);
});

test('--port and --host win over the environment, and are checked in their own words', async () => {
  const { code, stderr } = await runHeadgate(['serve', '--port', '70000'], { env: { HEADGATE_PORT: '0' } });
  assert.deepEqual([code, stderr], [2, '--port must be a whole number, from 0 to 65535.\n']);
  await using gateway = await startHeadgate({
    env: { HEADGATE_PORT: '1' },
    args: ['--port', '0', '--host', '127.0.0.1'],
  });
  assert.notEqual(new URL(gateway.url).port, '1');
});

const SECRET_CALL = JSON.stringify({ model: 'echo', messages: [{ role: 'user', content: 'a secret prompt' }] });

function call({ url, key }: Running): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body: SECRET_CALL });
}

test('each call is told in a line of the log, without what was said, unless that is switched off', async () => {
  await using gateway = await startHeadgate();
  const { headers } = await call(gateway);
  const line = await gateway.waitForLine(/A call is over/);
  const { request_id, key, model, provider, status, cost_usd } = JSON.parse(line) as Record<string, unknown>;
  assert.deepEqual([request_id, key, model, provider], [headers.get('x-request-id'), 'first key', 'echo', 'echo']);
  assert.deepEqual([status, cost_usd], ['succeeded', 0]);
  await call(gateway);
  await gateway.stop();
  const told = gateway.stderr();
  assert.equal(told.match(/A call is over/g)?.length, 2, 'what waits is written at the end');
  assert.ok(!told.includes('secret prompt'));

  await using quiet = await startHeadgate({ config: 'server: { log_calls: false }\n' });
  await call(quiet);
  await quiet.stop();
  assert.doesNotMatch(quiet.stderr(), /A call is over/);
});

test('a call that a kill overtook has its line at the next start, and once', async () => {
  for (const workers of ['1', '2']) {
    await using gateway = await startHeadgate({ args: ['--workers', workers] });
    const { headers } = await call(gateway);
    await gateway.kill9();
    const before = gateway.stderr();
    await gateway.restart();
    const overtaken = /"key":"first key".*A call is over/;
    if (!overtaken.test(before)) await gateway.waitForLine(overtaken);
    await gateway.stop();
    const lines = `${before}${gateway.stderr()}`.split('\n').filter((line) => overtaken.test(line));
    assert.deepEqual(
      lines.map((line) => (JSON.parse(line) as { request_id: string }).request_id),
      [headers.get('x-request-id')],
    );
  }
});

for (const workers of ['1', '2']) {
  test(`a start that fails once it listens, with ${workers} processes, ends in place of answering calls`, async () => {
    await using gateway = await startHeadgate({ config: '{}\n' });
    await gateway.stop();
    // There is no key, and none can be made.
    const database = new DatabaseSync(join(gateway.data, 'headgate.db'));
    database.exec(`
      DELETE FROM api_keys;
      CREATE TRIGGER refuses BEFORE INSERT ON api_keys BEGIN SELECT RAISE(ABORT, 'no key is taken'); END;
    `);
    database.close();
    const { code, stdout, stderr } = await gateway.command('serve', '--workers', workers);
    assert.notEqual(code, 0);
    assert.equal(stdout, '');
    assert.match(stderr, /could not write or read its records/);
  });
}
