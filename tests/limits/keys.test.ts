import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, test } from 'node:test';
import { AuthenticationError, NotFoundError, PermissionDeniedError } from 'openai';
import { createIds } from '../../src/http/ids.ts';
import { createKey } from '../../src/keys/keys.ts';
import { loadPepper } from '../../src/keys/pepper.ts';
import { openStorage } from '../../src/store/open.ts';
import { WAIT_MS } from '../../src/testing/wait.ts';
import { collect, rejection, startLab } from '../sdk/lab.ts';

const DAY_MS = 86_400_000;

const lab = await startLab(`
providers: { lab: { base_url: "\${LAB_URL}", only: [lab-small, lab-large] } }
aliases: { me: lab-small, you: echo }
`);
const { headgate, vendor } = lab;
after(() => lab[Symbol.asyncDispose]());

const messages = [{ role: 'user' as const, content: 'Hi' }];

test('a key that names its models may use them by any name, and sees no other', async () => {
  const { key } = await headgate.createKey('--models', 'lab-small,lab/lab-large');
  const client = lab.clientWith(key);
  const asked = async (model: string) => (await client.chat.completions.create({ model, messages })).model;
  for (const name of ['lab-small', 'lab/lab-small', 'me']) assert.equal(await asked(name), 'lab-small');
  for (const name of ['lab-large', 'lab/lab-large']) assert.equal(await asked(name), 'lab-large');
  const before = vendor.requests.length;
  for (const model of ['echo', 'you', 'echo/echo']) {
    const error = await rejection(client.chat.completions.create({ model, messages }), PermissionDeniedError);
    assert.deepEqual([error.code, error.param], ['model_not_allowed', 'model']);
    assert.match(error.requestID ?? '', /^req_/);
    await rejection(client.models.retrieve(model), NotFoundError);
  }
  assert.equal(vendor.requests.length, before);
  const ids = (await collect(client.models.list())).map(({ id }) => id);
  assert.deepEqual(ids, ['lab-small', 'me', 'lab-large']);
  const { data } = await client.get<{ data: { id: string }[] }>('/models/catalog');
  assert.deepEqual(
    data.map(({ id }) => id),
    ['lab-small', 'lab-large'],
  );
});

test('a key that names an alias may use it by that name only, and sees that name only', async () => {
  const { key } = await headgate.createKey('--models', 'me');
  const client = lab.clientWith(key);
  assert.equal((await client.chat.completions.create({ model: 'me', messages })).model, 'lab-small');
  await rejection(client.chat.completions.create({ model: 'lab-small', messages }), PermissionDeniedError);
  const ids = (await collect(client.models.list())).map(({ id }) => id);
  assert.deepEqual(ids, ['me']);
  const { data } = await client.get<{ data: { id: string; aliases: string[] }[] }>('/models/catalog');
  assert.deepEqual(
    data.map(({ id, aliases }) => [id, aliases]),
    [['me', []]],
  );
});

test('what a key’s usage counts as ends up in its records', async () => {
  for (const source of ['api_key', 'developer_tool']) {
    const { id, key } = await headgate.createKey('--source', source);
    const client = lab.clientWith(key);
    for (const stream of [false, true]) {
      const body = { model: 'echo', messages, stream };
      const { data, request_id } = await client.chat.completions.create(body).withResponse();
      if (Symbol.asyncIterator in data) await collect(data);
      const record = await lab.record(request_id);
      assert.deepEqual([record.source, record.api_key_id], [source, id]);
    }
  }
});

test('an expired key is refused, and says so to who holds it', async () => {
  const expired = lab.clientWith(await keyExpiredYesterday());
  const error = await rejection(expired.models.list().asResponse(), AuthenticationError);
  assert.equal(error.code, 'expired_api_key');
  const { key } = await headgate.createKey('--expires', '90d');
  assert.equal((await lab.clientWith(key).models.list()).object, 'list');
});

/** A key that was made two days ago for one day. */
async function keyExpiredYesterday(): Promise<string> {
  const storage = await openStorage({ folder: headgate.data, instanceId: 'instance_test', durability: 'normal' });
  try {
    const first = await storage.keys.oldest();
    const pepper = loadPepper(headgate.data, null);
    const now = () => Date.now() - 2 * DAY_MS;
    const clock = { now, monotonic: now };
    const parts = { store: storage.keys, pepper, clock, ids: createIds(), random: randomBytes };
    const wanted = { organizationId: first!.organizationId, name: 'old', expiresAt: now() + DAY_MS };
    return (await createKey(parts, wanted)).secret;
  } finally {
    await storage.close();
  }
}

test('a revoked key is soon refused, also while it is in use', async () => {
  const { id, key } = await headgate.createKey();
  const client = lab.clientWith(key);
  await client.models.list();
  const revoked = await headgate.command('keys', 'revoke', id);
  assert.equal(revoked.code, 0, revoked.stderr);
  const error = await rejection(
    untilRefused(() => client.models.list()),
    AuthenticationError,
  );
  assert.equal(error.code, 'revoked_api_key');
});

async function untilRefused(call: () => Promise<unknown>): Promise<void> {
  const deadline = performance.now() + WAIT_MS;
  while (performance.now() < deadline) await call();
}
