import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadPepper } from '../../src/keys/pepper.ts';
import { key } from '../../src/store/fixtures.test.ts';
import { openStorage } from '../../src/store/open.ts';
import { WAIT_MS } from '../../src/testing/wait.ts';
import { type Running, runHeadgate, startHeadgate } from '../support/headgate.ts';

async function ask(gateway: Running, key: string): Promise<{ status: number; code: string | undefined }> {
  const response = await fetch(`${gateway.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } });
  const body = (await response.json()) as { error?: { code: string } };
  return { status: response.status, code: body.error?.code };
}

async function makeFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'headgate-keys-'));
  return { data: join(folder, 'data'), [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}

test('a key made by the very first command opens the gateway that is started later, which then makes none', async () => {
  await using folder = await makeFolder();
  const { code, json, stdout } = await runHeadgate(['keys', 'create', '--name', 'ci', '--json'], folder);
  assert.equal(code, 0);
  assert.equal(stdout.trim().split('\n').length, 1);
  const { key, created_at, ...rest } = json as { id: string; key: string; created_at: number };
  assert.match(key, /^hg_live_[0-9A-Za-z]{49}$/);
  assert.ok(Math.abs(created_at - Date.now() / 1000) < 60);
  assert.deepEqual(
    { ...rest, id: '', organization_id: '', hint: '' },
    {
      id: '',
      object: 'api_key',
      organization_id: '',
      organization_name: 'Default',
      name: 'ci',
      source: 'api_key',
      product: null,
      admin: false,
      usage: 'organization',
      owner: null,
      created_by: { type: 'operator', id: null },
      hint: '',
      expires_at: null,
      revoked_at: null,
      disabled_at: null,
      allowed_models: null,
      limits: { requests_per_minute: null, tokens_per_minute: null, spend: null },
    },
  );

  await using gateway = await startHeadgate(folder);
  assert.doesNotMatch(gateway.stdout(), /hg_live_/);
  assert.deepEqual(await ask(gateway, key), { status: 200, code: undefined });
});

test('a key made beside a running gateway works at once, and is refused soon after it is revoked', async () => {
  await using gateway = await startHeadgate();
  const { id, key } = await gateway.createKey();
  assert.deepEqual(await ask(gateway, key), { status: 200, code: undefined });

  const revoked = await gateway.command('keys', 'revoke', id, '--json');
  const deadline = performance.now() + WAIT_MS;
  assert.equal(revoked.code, 0, revoked.stderr);
  assert.equal((revoked.json as { id: string }).id, id);
  let answer = await ask(gateway, key);
  while (answer.status === 200 && performance.now() < deadline) answer = await ask(gateway, key);
  assert.deepEqual(answer, { status: 401, code: 'revoked_api_key' });
});

/** Asks until the answer is this one. */
async function askUntil(gateway: Running, key: string, expected: { status: number; code: string | undefined }) {
  const deadline = performance.now() + WAIT_MS;
  let answer = await ask(gateway, key);
  while (answer.status !== expected.status && performance.now() < deadline) answer = await ask(gateway, key);
  assert.deepEqual(answer, expected);
}

test('a key is switched off and on, limited and renamed beside a running gateway', async () => {
  const begun = new Date().toISOString().slice(0, 10);
  await using gateway = await startHeadgate();
  const { id, key } = await gateway.createKey();
  assert.equal((await ask(gateway, key)).status, 200);
  const off = await gateway.command('keys', 'edit', id, '--off');
  assert.match(off.stdout, /^Key key_\w+ \(test\): off since .* In force within a second\.\n$/, off.stderr);
  await askUntil(gateway, key, { status: 401, code: 'disabled_api_key' });
  const { json, stderr } = await gateway.command(
    ...['keys', 'edit', 'test', '--on', '--name', 'desk', '--models', 'echo,gpt-9', '--spend-limit', '5/day', '--json'],
  );
  const { disabled_at, name, allowed_models, limits } = json as Record<string, unknown>;
  assert.deepEqual([disabled_at, name, allowed_models], [null, 'desk', ['echo', 'gpt-9']]);
  const spend = { usd: 5, usd_decimal: '5', per: 'day' };
  assert.deepEqual(limits, { requests_per_minute: null, tokens_per_minute: null, spend });
  assert.match(stderr, /^No model or route is known as “gpt-9”.*: the key may use it once there is one\.$/m);
  await askUntil(gateway, key, { status: 200, code: undefined });

  const said = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'echo', messages: [{ role: 'user', content: 'Hello' }] }),
  });
  assert.equal(said.status, 200, await said.text());
  const list = await gateway.command('keys', 'list');
  // The day of the start, or the next.
  const today = `(?:${begun}|${new Date().toISOString().slice(0, 10)})`;
  assert.match(
    list.stdout,
    new RegExp(`desk .* ${today} +valid +\\$0.00 of \\$5.00/day until \\d{4}-.* only echo, gpt-9`),
  );
  const used = ((await gateway.command('keys', 'list', '--json')).json as { data: Record<string, unknown>[] }).data[1];
  assert.deepEqual([used?.spent_usd, typeof used?.spent_until, typeof used?.last_used_at], [0, 'number', 'number']);

  for (const args of [[], ['--on', '--off'], ['--expires', '2020-01-01'], ['--spend-limit', '0']]) {
    const refused = await gateway.command('keys', 'edit', 'desk', ...args);
    assert.equal(refused.code, 2, refused.stdout);
    assert.match(refused.stderr, /--/);
  }
});

test('a key’s secret is replaced, and the old one goes on for as long as it was said to', async () => {
  await using gateway = await startHeadgate();
  const { id, key } = await gateway.createKey();
  assert.equal((await ask(gateway, key)).status, 200);
  const { json, stderr } = await gateway.command('keys', 'rotate', id, '--json');
  const { key: second, earlier_until } = json as { key: string; earlier_until: number };
  assert.ok(Math.abs(earlier_until - Date.now() / 1000 - 86_400) < 600, stderr);
  for (const secret of [key, second]) await askUntil(gateway, secret, { status: 200, code: undefined });
  const third = /^hg_live_\w+$/m.exec((await gateway.command('keys', 'rotate', id, '--overlap', '0s')).stdout)?.[0];
  await askUntil(gateway, key, { status: 401, code: 'expired_api_key' });
  await askUntil(gateway, second, { status: 401, code: 'expired_api_key' });
  await askUntil(gateway, third!, { status: 200, code: undefined });
  await gateway.command('keys', 'revoke', id);
  await askUntil(gateway, third!, { status: 401, code: 'revoked_api_key' });
  const refused = await gateway.command('keys', 'rotate', id);
  assert.deepEqual([refused.code, refused.stderr], [2, 'ID names a revoked key, which cannot be changed.\n']);
});

test('for people the key stands on a line of its own, and is shown that once', async () => {
  await using folder = await makeFolder();
  const { stdout } = await runHeadgate(['keys', 'create', '--name', 'web', '--expires', '90d'], folder);
  const key = /^hg_live_[0-9A-Za-z]{49}$/m.exec(stdout)?.[0];
  assert.ok(key !== undefined, stdout);
  assert.match(stdout, /shown only once/);
  assert.ok(stdout.includes(`export HEADGATE_API_KEY=${key}`));

  const list = await runHeadgate(['keys', 'list'], folder);
  assert.match(
    list.stdout,
    /^ID +NAME +KEY +SOURCE +CREATED +LAST USED +STATE +SPENT +LIMITS\nkey_\w+ +web +hg_live_.+…\w{4} +api_key .* expires \d{4}-/,
  );
  const json = await runHeadgate(['keys', 'list', '--json'], folder);
  assert.ok(!`${list.stdout}${json.stdout}`.includes(key));
  assert.equal((json.json as { object: string }).object, 'list');
});

test('what a key may do is kept with it', async () => {
  await using folder = await makeFolder();
  const options =
    '--name x --source developer_tool --admin --models echo,gpt-4o --requests-per-minute 60 --tokens-per-minute 9000';
  const args = ['keys', 'create', ...options.split(' '), '--spend-limit', '2.50/day', '--expires', '2100-01-01'];
  assert.equal((await runHeadgate(args, folder)).code, 0);
  const { data } = (await runHeadgate(['keys', 'list', '--json'], folder)).json as { data: Record<string, unknown>[] };
  assert.equal(data.length, 1);
  const { source, admin, allowed_models, limits, expires_at } = data[0]!;
  assert.deepEqual([source, admin, expires_at], ['developer_tool', true, Date.UTC(2100) / 1000]);
  assert.deepEqual(allowed_models, ['echo', 'gpt-4o']);
  assert.deepEqual(limits, {
    requests_per_minute: 60,
    tokens_per_minute: 9000,
    spend: { usd: 2.5, usd_decimal: '2.5', per: 'day' },
  });
});

test('a key of a product says whose it is; the first key is the operator’s', async () => {
  await using gateway = await startHeadgate({ config: 'products: { helpdesk: { name: Helpdesk } }' });
  const { json } = await gateway.command('keys', 'create', '--name', 'desk', '--product', 'helpdesk', '--json');
  const { source, product, admin } = json as Record<string, unknown>;
  assert.deepEqual([source, product, admin], ['product', 'helpdesk', false]);
  const { stdout } = await gateway.command('keys', 'list');
  assert.match(stdout, /first key +\S+ +api_key, admin /);
  assert.match(stdout, / desk +\S+ +product helpdesk /);

  const told = async (...args: string[]) => (await gateway.command('keys', 'create', '--name', 'x', ...args)).stderr;
  assert.match(await told('--product', 'none'), /^There is no product none; the products are: helpdesk/);
  assert.match(await told('--source', 'product'), /^--product must name the product/);
  assert.match(await told('--source', 'api_key', '--product', 'helpdesk'), /^--source must be product /);
});

test('a key is revoked by a name that one key has', async () => {
  await using folder = await makeFolder();
  for (const name of ['one', 'two', 'two']) await runHeadgate(['keys', 'create', '--name', name], folder);
  const { code, stdout } = await runHeadgate(['keys', 'revoke', 'one'], folder);
  assert.equal(code, 0);
  assert.match(stdout, /^Key key_\w+ \(one\) is revoked/);

  const both = await runHeadgate(['keys', 'revoke', 'two'], folder);
  assert.equal(both.code, 1);
  assert.match(both.stderr, /^2 keys have this name/);

  const none = await runHeadgate(['keys', 'revoke', 'three', '--json'], folder);
  assert.equal(none.code, 1);
  assert.match(
    (none.json as { error: { message: string } }).error.message,
    /^There is no API key with this id or name/,
  );
});

test('2,500 keys are listed, each once, beside a gateway and without one', async (t) => {
  await using folder = await makeFolder();
  const storage = await openStorage({ folder: folder.data, instanceId: 'instance_test', durability: 'normal' });
  await storage.organizations.create({ id: 'org_1', name: 'First', createdAt: 1 });
  const ids = Array.from({ length: 2_500 }, (_, index) => `key_${String(index).padStart(5, '0')}`);
  // Made by a script, many of them in one ms.
  for (const [index, id] of ids.entries())
    await storage.keys.create(key({ id, createdAt: Math.floor(index / 40) }), Buffer.from(id));
  await storage.close();
  // What they were made with, or a start is refused.
  loadPepper(folder.data, null);
  const listed = async () => {
    const { json } = await runHeadgate(['keys', 'list', '--json'], folder);
    return (json as { data: { id: string }[] }).data.map(({ id }) => id);
  };
  assert.deepEqual(await listed(), ids);
  const gateway = await startHeadgate(folder);
  t.after(() => gateway[Symbol.asyncDispose]());
  assert.deepEqual(await listed(), ids);
});

test('an organization must be there, and the configuration’s are', async () => {
  await using folder = await makeFolder();
  const config = 'organizations: { acme: { name: Acme }, umbrella: { name: Umbrella } }\n';
  const create = (organization: string) =>
    runHeadgate(['keys', 'create', '--name', 'x', '--organization', organization, '--json'], { ...folder, config });
  assert.equal(((await create('umbrella')).json as { organization_id: string }).organization_id, 'umbrella');
  const { code, json } = await create('nobody');
  assert.equal(code, 1);
  const { message } = (json as { error: { message: string } }).error;
  assert.equal(message, 'There is no organization nobody. Organizations: acme (Acme), umbrella (Umbrella).');
  const list = await runHeadgate(['keys', 'list', '--organization', 'acme', '--json'], { ...folder, config });
  assert.deepEqual(list.json, { object: 'list', data: [] });
});

test('a question makes no data folder', async () => {
  await using folder = await makeFolder();
  const { code, stdout, stderr } = await runHeadgate(['keys', 'list'], folder);
  assert.deepEqual([code, stdout], [0, 'No keys yet.\n']);
  assert.match(stderr, /No gateway has run with the data folder .*data\./);
  assert.deepEqual((await runHeadgate(['usage', 'list', '--json'], folder)).json, {
    object: 'list',
    data: [],
    has_more: false,
  });
  assert.ok(!existsSync(folder.data));
});
