import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import type { Audited } from '../core/audit.ts';
import type { KeyStore } from '../core/ports.ts';
import type { ApiKey, KeyUse } from '../core/records.ts';
import { Secret } from '../core/secret.ts';
import { hashKey, isWellFormed, maskedSecret } from './format.ts';
import {
  checkedEdit,
  createKey,
  editKey,
  type KeyAudit,
  listUsedKeys,
  MAX_ALLOWED_MODELS,
  MAX_EARLIER_SECRETS,
  MAX_MODEL_NAME_LENGTH,
  MAX_NAME_LENGTH,
  MAX_OVERLAP_MS,
  MAX_PER_MINUTE,
  MAX_SPEND_LIMIT,
  type NewKey,
  revokeKey,
  rotateKey,
} from './keys.ts';

const NOW = 1_000_000;
const pepper = new Secret('a pepper for tests');

test('a key with nothing but a name has no limits, and only the hash of its secret is kept', async () => {
  const { parts, rows } = setUp();
  const { key, secret } = await createKey(parts, { organizationId: 'org_1', name: ' ci ' });
  assert.ok(isWellFormed(secret));
  assert.deepEqual(key, {
    id: 'key_1',
    organizationId: 'org_1',
    projectId: 'proj_00_org_1',
    owner: null,
    createdBy: null,
    access: 'models',
    scopes: [],
    ipRanges: null,
    name: 'ci',
    source: 'api_key',
    product: null,
    admin: false,
    hint: maskedSecret(secret),
    createdAt: NOW,
    expiresAt: null,
    revokedAt: null,
    disabledAt: null,
    version: 1,
    usage: 'organization',
    allowedModels: null,
    requestsPerMinute: null,
    tokensPerMinute: null,
    spendLimit: null,
  });
  assert.deepEqual(rows, [{ key, hash: hashKey(secret, pepper) }]);
});

test('a admin key is in no project, whichever is named', async () => {
  const { parts } = setUp();
  const wanted = { organizationId: 'org_1', name: 'ci', projectId: 'proj_1' } as const;
  assert.equal((await createKey(parts, wanted)).key.projectId, 'proj_1');
  assert.equal((await createKey(parts, { ...wanted, access: 'administration' })).key.projectId, null);
});

test('everything a key can be given is kept', async () => {
  const { parts } = setUp();
  const given = {
    organizationId: 'org_2',
    name: 'n'.repeat(MAX_NAME_LENGTH),
    source: 'developer_tool',
    expiresAt: NOW + 1,
    allowedModels: ['echo', 'm'.repeat(MAX_MODEL_NAME_LENGTH)],
    requestsPerMinute: 1,
    tokensPerMinute: MAX_PER_MINUTE,
    spendLimit: { amount: MAX_SPEND_LIMIT, per: 'month' },
  } satisfies NewKey;
  const { key } = await createKey(parts, given);
  assert.deepEqual({ ...key, ...given }, key);
});

test('the key of a product has its source, and says whose it is', async () => {
  const { parts } = setUp();
  for (const source of [undefined, 'product'] as const) {
    const given = { organizationId: 'org_1', name: 'desk', product: 'helpdesk', admin: true };
    const { key } = await createKey(parts, source === undefined ? given : { ...given, source });
    assert.deepEqual([key.source, key.product, key.admin], ['product', 'helpdesk', true]);
  }
});

const spending = (amount: unknown, per: unknown = 'day') => ({ spendLimit: { amount, per } });
const REFUSED: readonly (readonly [param: string, change: object, fault: RegExp])[] = [
  ['name', { name: '' }, /must not be empty/],
  ['name', { name: ' \t ' }, /must not be empty/],
  ['name', { name: 'n'.repeat(MAX_NAME_LENGTH + 1) }, /at most 100 characters/],
  ['name', { name: 'a\u001b[2Jb' }, /must not contain U\+001B/],
  ['name', { name: undefined }, /must be text/],
  ['organizationId', { organizationId: '' }, /must not be empty/],
  ['source', { source: 'web' }, /must be one of api_key, product, developer_tool/],
  ['product', { source: 'product' }, /must name the product/],
  ['product', { product: '' }, /must not be empty/],
  ['source', { source: 'api_key', product: 'helpdesk' }, /must be product .* not api_key/],
  ['source', { source: 'developer_tool', product: 'helpdesk' }, /must be product .* not developer_tool/],
  ['admin', { admin: 'yes' }, /must be true or false/],
  ['expiresAt', { expiresAt: NOW }, /must be in the future/],
  ['expiresAt', { expiresAt: 9e15 }, /must be a time/],
  ['expiresAt', { expiresAt: Number.NaN }, /must be a time/],
  ['allowedModels', { allowedModels: [] }, /at least one model/],
  ['allowedModels', { allowedModels: Array(MAX_ALLOWED_MODELS + 1).fill('m') }, /at most 1000 models/],
  ['allowedModels.1', { allowedModels: ['a', ''] }, /must not be empty/],
  ['allowedModels.0', { allowedModels: ['m'.repeat(MAX_MODEL_NAME_LENGTH + 1)] }, /at most 256 characters/],
  ['scopes', { scopes: Array(101).fill('api.model.read') }, /at most 100 scopes/],
  ['ipRanges', { ipRanges: Array(101).fill('10.0.0.0/8') }, /at most 100 ranges/],
  ['requestsPerMinute', { requestsPerMinute: 0 }, /greater than 0/],
  ['requestsPerMinute', { requestsPerMinute: 1.5 }, /whole number/],
  ['tokensPerMinute', { tokensPerMinute: -1 }, /greater than 0/],
  ['tokensPerMinute', { tokensPerMinute: MAX_PER_MINUTE + 1 }, /at most 1000000000/],
  ['tokensPerMinute', { tokensPerMinute: '5' }, /whole number/],
  ['spendLimit.amount', spending(0n), /greater than 0/],
  ['spendLimit.amount', spending(MAX_SPEND_LIMIT + 1n), /is too large/],
  ['spendLimit.amount', spending(1), /must be an amount/],
  ['spendLimit.per', spending(1n, 'year'), /one of life, day, week, month/],
  ['allowedModel', { allowedModel: ['echo'] }, /Unrecognized/],
];

for (const [param, change, fault] of REFUSED) {
  test(`refused: ${param} in ${describe(change)}`, async () => {
    const { parts, rows } = setUp();
    const input = { organizationId: 'org_1', name: 'ci', ...change } as NewKey;
    await assert.rejects(createKey(parts, input), { kind: 'invalid_request', status: 400, param, message: fault });
    assert.deepEqual(rows, []);
  });
}

test('a key is revoked once, and keeps its date', async () => {
  const { parts, clock } = setUp();
  const { key } = await createKey(parts, { organizationId: 'org_1', name: 'ci' });
  assert.equal((await revokeKey(parts, key.id)).revokedAt, NOW);
  clock.time += 5;
  assert.equal((await revokeKey(parts, key.id)).revokedAt, NOW);
});

test('revoking what is not there says so, without repeating what may be a secret', async () => {
  await assert.rejects(revokeKey(setUp().parts, 'hg_live_oops'), {
    kind: 'not_found',
    message: 'There is no API key with this id.',
  });
});

test('a change that does not say so leaves a key off that somebody switches off at the same moment', async () => {
  const { parts } = setUp();
  const { key } = await createKey(parts, { organizationId: 'org_1', name: 'ci' });
  const renaming = checkedEdit(key, { name: 'web' }, NOW);
  await editKey(parts, key.id, { enabled: false });
  assert.equal((await parts.store.change(key.id, renaming))?.disabledAt, NOW);
});

test('a key is changed field by field, switched off and on, and keeps what is not named', async () => {
  const { parts, clock } = setUp();
  const made = await createKey(parts, { organizationId: 'org_1', name: 'ci', requestsPerMinute: 5 });
  const { id } = made.key;
  const edited = await editKey(parts, id, { name: ' web ', allowedModels: ['echo'], expiresAt: NOW + 1 });
  assert.deepEqual(edited, { ...made.key, name: 'web', allowedModels: ['echo'], expiresAt: NOW + 1 });
  const off = await editKey(parts, id, { enabled: false, requestsPerMinute: null, expiresAt: null });
  assert.deepEqual([off.disabledAt, off.requestsPerMinute, off.expiresAt], [NOW, null, null]);
  clock.time += 5;
  assert.equal((await editKey(parts, id, { enabled: false })).disabledAt, NOW, 'it is off since it was switched off');
  assert.equal((await editKey(parts, id, { enabled: true })).disabledAt, null);
  await assert.rejects(editKey(parts, id, { expiresAt: NOW }), { kind: 'invalid_request', param: 'expiresAt' });
  await assert.rejects(editKey(parts, id, { name: '' }), { kind: 'invalid_request', param: 'name' });
  await assert.rejects(editKey(parts, 'hg_live_oops', {}), { kind: 'not_found' });
  await revokeKey(parts, id);
  await assert.rejects(editKey(parts, id, { name: 'x' }), { kind: 'invalid_request', param: 'id' });
  await assert.rejects(rotateKey(parts, id, 0), { kind: 'invalid_request', param: 'id' });
});

test('a key is given another secret, and the ones before go on for as long as they may, and no more of them', async () => {
  const { parts, rows } = setUp();
  const made = await createKey(parts, { organizationId: 'org_1', name: 'ci' });
  const { key, secret, earlierUntil } = await rotateKey(parts, made.key.id, 1_000);
  assert.notEqual(secret, made.secret);
  assert.deepEqual(
    [rows[0]?.hash, key.hint, earlierUntil],
    [hashKey(secret, pepper), maskedSecret(secret), NOW + 1_000],
  );
  for (let more = 1; more < MAX_EARLIER_SECRETS; more += 1) await rotateKey(parts, key.id, 1_000);
  await assert.rejects(rotateKey(parts, key.id, 1), { param: 'overlap', message: /5 earlier secrets/ });
  await rotateKey(parts, key.id, 0);
  for (const overlap of [-1, MAX_OVERLAP_MS + 1, Number.NaN]) {
    await assert.rejects(rotateKey(parts, key.id, overlap), { kind: 'invalid_request', message: /from 0 to 90 days/ });
  }
});

test('what is done to a key goes to the store together with its entry in the audit log', async () => {
  const { parts, audited } = setUp();
  const told: string[] = [];
  const audit: KeyAudit = (type, { id }) => {
    told.push(`${type} ${id}`);
    return { event: { type } } as unknown as Audited;
  };
  const { key } = await createKey({ ...parts, audit }, { organizationId: 'org_1', name: 'ci' });
  await editKey({ ...parts, audit }, key.id, { name: 'web' });
  await rotateKey({ ...parts, audit }, key.id, 0);
  await revokeKey({ ...parts, audit }, key.id);
  await revokeKey({ ...parts, audit }, key.id);
  const types = ['api_key.created', 'api_key.updated', 'api_key.rotated', 'api_key.deleted'];
  assert.deepEqual(
    audited.map((entry) => entry?.event.type),
    types,
  );
  assert.deepEqual(
    told,
    types.map((type) => `${type} ${key.id}`),
  );
});

test('keys are listed with what they spent in the period of their limit, and when they were used last', async () => {
  const { parts, use } = setUp();
  const wanted = { organizationId: 'org_1', name: 'ci' };
  for (const per of ['life', 'day', 'week', 'month'] as const) {
    await createKey(parts, { ...wanted, spendLimit: { amount: 9n, per } });
  }
  await createKey(parts, wanted);
  for (const keyId of ['key_1', 'key_2', 'key_3', 'key_4', 'key_5']) {
    use.push({ keyId, inAll: 30n, inDay: 1n, inWeek: 5n, inMonth: 20n, lastUsedAt: NOW - 5 });
  }
  await createKey(parts, wanted);
  const listed = await listUsedKeys(parts, null, { after: null, limit: 9 });
  assert.deepEqual(
    listed.map(({ spent, lastUsedAt }) => [spent, lastUsedAt]),
    [
      [30n, NOW - 5],
      [1n, NOW - 5],
      [5n, NOW - 5],
      [20n, NOW - 5],
      [30n, NOW - 5],
      [0n, null],
    ],
  );
  assert.deepEqual(
    listed.map(({ spentUntil }) => spentUntil !== null),
    [false, true, true, true, false, false],
  );
});

function setUp() {
  const rows: { key: ApiKey; hash: Buffer }[] = [];
  const earlier: { id: string; until: number }[] = [];
  const use: KeyUse[] = [];
  const audited: (Audited | null | undefined)[] = [];
  const store: KeyStore = {
    find: () => assert.fail('not asked'),
    changes: () => assert.fail('not asked'),
    noteUse: () => assert.fail('not asked'),
    named: () => assert.fail('not asked'),
    oldest: () => assert.fail('not asked'),
    use: async (_, of) => use.filter(({ keyId }) => of!.includes(keyId)),
    get: async (id) => rows.find(({ key }) => key.id === id)?.key ?? null,
    async change(id, changes, entry) {
      audited.push(entry);
      const row = rows.find(({ key }) => key.id === id);
      if (row === undefined) return null;
      row.key = { ...row.key, ...changes };
      return row.key;
    },
    async rotate(id, { hash, hint, earlierUntil }, entry) {
      audited.push(entry);
      const row = rows.find(({ key }) => key.id === id)!;
      earlier.push({ id, until: earlierUntil });
      Object.assign(row, { key: { ...row.key, hint }, hash: Buffer.from(hash) });
      return row.key;
    },
    earlierSecrets: async (id, at) => earlier.filter((each) => each.id === id && each.until > at).length,
    async create(key, hash, entry) {
      audited.push(entry);
      rows.push({ key, hash });
    },
    async list(organizationId) {
      return rows
        .map(({ key }) => key)
        .filter((key) => organizationId === null || key.organizationId === organizationId);
    },
    async revoke(id, at, entry) {
      audited.push(entry);
      const row = rows.find(({ key }) => key.id === id);
      if (row === undefined) return null;
      row.key = { ...row.key, revokedAt: row.key.revokedAt ?? at };
      return row.key;
    },
  };
  const clock = { time: NOW, now: () => clock.time, monotonic: () => 0 };
  const unused = () => assert.fail('not asked');
  const ids = {
    keyId: () => `key_${rows.length + 1}`,
    requestId: unused,
    recordId: unused,
    token: unused,
    organizationId: unused,
  };
  return { parts: { store, pepper, clock, ids, random: randomBytes }, rows, use, audited, clock };
}

function describe(change: object): string {
  const text = JSON.stringify(change, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
