import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type FakeProvider, startFakeProvider } from '../../src/testing/fake-provider.ts';
import { nextPoll, WAIT_MS } from '../../src/testing/wait.ts';
import { ask } from '../http/client.ts';
import { type Running, startHeadgate } from '../support/headgate.ts';

const KEY = `sk-lab-${'k3Yq'.repeat(8)}`;
const GIVEN = 'first'.repeat(8);
const CONFIG = 'server: { provider_hosts: [127.0.0.1] }\n';

let vendor: FakeProvider;
before(async () => {
  vendor = await startFakeProvider({ models: ['m-1', 'm-2'] });
});
after(() => vendor.close());

async function done({ command }: Running, ...args: string[]): Promise<{ stdout: string; json: unknown }> {
  const { code, stdout, stderr, json } = await command(...args);
  assert.equal(code, 0, `${args.join(' ')}: ${stdout}${stderr}`);
  assert.ok(!(stdout + stderr).includes(KEY));
  return { stdout, json };
}

async function served(headgate: Running, status = 200): Promise<void> {
  const end = performance.now() + WAIT_MS;
  const body = { model: 'lab/m-1', messages: [{ role: 'user', content: 'hi' }] };
  for (;;) {
    const answer = await ask(`${headgate.url}/v1/chat/completions`, { key: headgate.key, body });
    if (answer.status === status) return;
    assert.ok(performance.now() < end, answer.text);
    await nextPoll();
  }
}

const wrappingKey = ({ data }: Running) => readFileSync(join(data, 'wrapping-key'), 'utf8');

test('commands set up a provider, and another wrapping key takes the place of the one before', async () => {
  await using headgate = await startHeadgate({ config: CONFIG, env: { LAB_KEY: KEY, OTHER_KEY: `${KEY}-2` } });
  const address = ['--base-url', vendor.url];
  const draft = await done(headgate, 'providers', 'test', ...address, '--key-env', 'LAB_KEY');
  assert.match(draft.stdout, /It lists 2 models/);
  await done(headgate, 'providers', 'add', 'lab', ...address, '--key-env', 'LAB_KEY');
  await served(headgate);
  assert.equal(vendor.requests.at(-1)?.headers.authorization, `Bearer ${KEY}`);
  await done(headgate, 'provider-keys', 'add', 'lab', '--name', 'two', '--key-env', 'OTHER_KEY', '--weight', '0');
  const edited = ['--weight', '3', '--name', 'second', '--key-env', 'LAB_KEY'];
  assert.match(
    (await done(headgate, 'provider-keys', 'edit', 'lab', 'two', ...edited)).stdout,
    /^Provider lab has the key second \(…k3Yq\) with the weight 3\.$/m,
  );
  await done(headgate, 'provider-keys', 'edit', 'lab', 'second', '--name', 'two', '--key-env', 'OTHER_KEY');
  const { stdout } = await done(headgate, 'providers', 'list');
  assert.match(stdout, /lab .*default \(…k3Yq\), two \(…Yq-2\) .*settings/);
  assert.match((await done(headgate, 'providers', 'test', 'lab')).stdout, /It lists 2 models/);

  const before = wrappingKey(headgate);
  assert.match(
    (await done(headgate, 'providers', 'rewrap')).stdout,
    /^2 keys are encrypted under another wrapping key/,
  );
  const next = wrappingKey(headgate);
  assert.match(next, /^[0-9a-f]{64}\n$/);
  assert.notEqual(next, before);
  await headgate.restart();
  await served(headgate);

  await headgate.stop();
  assert.match((await done(headgate, 'providers', 'rewrap')).stdout, /^2 keys/);
  assert.notEqual(wrappingKey(headgate), next);
  await done(headgate, 'provider-keys', 'remove', 'lab', 'two');
  await headgate.restart();
  await served(headgate);
  await done(headgate, 'providers', 'remove', 'lab');
  await served(headgate, 404);
  const log = await done(headgate, 'audit', 'list', '--json');
  for (const type of [
    'provider.created',
    'provider_credentials.rewrapped',
    'provider_credential.deleted',
    'provider.deleted',
  ])
    assert.ok(JSON.stringify(log.json).includes(type), type);
});

test('keys are opened with the wrapping key of the environment, and not without it', async () => {
  const folder = await startHeadgate({ config: CONFIG, env: { LAB_KEY: KEY, HEADGATE_WRAPPING_KEY: GIVEN } });
  await using headgate = folder;
  await done(headgate, 'providers', 'add', 'lab', '--base-url', vendor.url, '--key-env', 'LAB_KEY');
  await served(headgate);
  assert.throws(() => wrappingKey(headgate), { code: 'ENOENT' });
  await headgate.stop();
  const moved = { HEADGATE_WRAPPING_KEY: 'second'.repeat(8), HEADGATE_WRAPPING_KEY_BEFORE: GIVEN };
  const without = { HEADGATE_WRAPPING_KEY: 'third'.repeat(8) };
  const { data } = headgate;
  {
    await using other = await startHeadgate({ config: CONFIG, data, env: without });
    await other.waitForLine(/Credential default of provider lab cannot be used: the wrapping key .* is not available/);
    const { json } = await done(other, 'providers', 'list', '--json');
    assert.equal((json as { data: { id: string }[] }).data[0]?.id, 'lab');
    const failed = await other.command('providers', 'rewrap');
    assert.equal(failed.code, 1);
    assert.match(failed.stderr, /wrapping_key/);
    await other.stop();
  }
  {
    await using other = await startHeadgate({ config: CONFIG, data, env: moved });
    assert.match((await done(other, 'providers', 'rewrap')).stdout, /BEFORE can be removed/);
    await other.stop();
  }
  await using last = await startHeadgate({
    config: CONFIG,
    data,
    env: { HEADGATE_WRAPPING_KEY: moved.HEADGATE_WRAPPING_KEY },
  });
  assert.match((await done(last, 'providers', 'test', 'lab')).stdout, /It lists 2 models/);
});

test('what cannot be done is said in a sentence', async () => {
  await using headgate = await startHeadgate({ config: CONFIG });
  const refused: readonly [string[], RegExp][] = [
    [['providers', 'add', 'lab', '--base-url', 'http://10.0.0.1'], /must begin with https:/],
    [['providers', 'add', 'lab', '--base-url', vendor.url, '--key-env', 'NOT_SET'], /NOT_SET.*is not set/],
    [['providers', 'add', 'echo'], /^ID must be/m],
    [
      ['providers', 'add', 'opnai'],
      /^--base-url must be given: opnai is not the name of a preset \(did you mean “openai”\?\)\.$/m,
    ],
    [
      ['providers', 'add', 'openai-compatible'],
      /^--base-url must be given: the preset openai-compatible has no address/m,
    ],
    [['providers', 'add', 'x', '--preset', 'no-such'], /^--preset is not a preset/m],
    [['providers', 'add', 'x', '--preset', 'openai', '--label', ' '], /^--label must be/m],
    [['providers', 'remove', 'lab'], /There is no provider with this id/],
    [['provider-keys', 'remove', 'lab', 'x'], /There is no provider with this id/],
    [['provider-keys', 'edit', 'lab', 'x', '--weight', '2'], /There is no provider with this id/],
    [['provider-keys', 'edit', 'lab', 'x'], /--name, --weight or --key-env/],
    [['provider-keys', 'edit', 'lab', 'x', '--weight', '-1'], /--weight/],
    [['providers', 'test', 'lab'], /There is no provider with this id/],
    [['providers', 'test', '--preset', 'no-such'], /is not a preset/],
    [['providers', 'test'], /^Name an existing provider, or describe a new one with --preset or --base-url\.\n$/],
  ];
  for (const [args, words] of refused) {
    const { code, stderr } = await headgate.command(...args);
    assert.notEqual(code, 0, args.join(' '));
    assert.match(stderr, words, args.join(' '));
  }
});
