import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import type { KeyStore } from '../core/ports.ts';
import type { ApiKey, KeyUse } from '../core/records.ts';
import { maskedSecret, Secret } from '../core/secret.ts';
import { hashKey, isWellFormed } from './format.ts';
import {
  checkedEdit,
  checkOverlap,
  createKey,
  listUsedKeys,
  MAX_ALLOWED_MODELS,
  MAX_EARLIER_SECRETS,
  MAX_MODEL_NAME_LENGTH,
  MAX_NAME_LENGTH,
  MAX_OVERLAP_MS,
  MAX_PER_MINUTE,
  MAX_SPEND_LIMIT,
  type NewKey,
  rotationTo,
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

test('a change has what it names, and a key that is off stays off since then', async () => {
  const { key } = await createKey(setUp().parts, { organizationId: 'org_1', name: 'ci', requestsPerMinute: 5 });
  const renamed = { name: ' web ', allowedModels: ['echo'], expiresAt: NOW + 1 };
  assert.deepEqual(checkedEdit(key, renamed, NOW), { ...renamed, name: 'web' });
  const off = { enabled: false, requestsPerMinute: null, expiresAt: null };
  assert.deepEqual(checkedEdit(key, off, NOW), { disabledAt: NOW, requestsPerMinute: null, expiresAt: null });
  const disabled = { ...key, disabledAt: NOW };
  assert.deepEqual(checkedEdit(disabled, { enabled: false }, NOW + 5), { disabledAt: NOW });
  assert.deepEqual(checkedEdit(disabled, { enabled: true }, NOW + 5), { disabledAt: null });
  assert.deepEqual(checkedEdit(disabled, { name: 'web' }, NOW + 5), { name: 'web' }, 'somebody else may switch it now');
  assert.throws(() => checkedEdit(key, { expiresAt: NOW }, NOW), { kind: 'invalid_request', param: 'expiresAt' });
  assert.throws(() => checkedEdit(key, { name: '' }, NOW), { kind: 'invalid_request', param: 'name' });
});

test('a rotation has the hash of the new secret, and a bound on how long and how many earlier ones go on', () => {
  const rotation = rotationTo('hg_live_new', { pepper, now: NOW, overlapMs: 1_000 });
  const { hash, hint, earlierUntil, most } = rotation;
  assert.deepEqual([hash, hint], [hashKey('hg_live_new', pepper), maskedSecret('hg_live_new')]);
  assert.deepEqual([earlierUntil, most], [NOW + 1_000, MAX_EARLIER_SECRETS]);
  checkOverlap(MAX_OVERLAP_MS, MAX_EARLIER_SECRETS - 1);
  assert.throws(() => checkOverlap(1, MAX_EARLIER_SECRETS), { param: 'overlap', message: /5 earlier secrets/ });
  for (const overlap of [-1, MAX_OVERLAP_MS + 1, Number.NaN]) {
    assert.throws(() => checkOverlap(overlap, 0), { kind: 'invalid_request', message: /from 0 to 90 days/ });
  }
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
  const use: KeyUse[] = [];
  const store: KeyStore = {
    find: () => assert.fail('not asked'),
    changes: () => assert.fail('not asked'),
    noteUse: () => assert.fail('not asked'),
    named: () => assert.fail('not asked'),
    oldest: () => assert.fail('not asked'),
    use: async (_, of) => use.filter(({ keyId }) => of!.includes(keyId)),
    change: () => assert.fail('not asked'),
    rotate: () => assert.fail('not asked'),
    revoke: () => assert.fail('not asked'),
    get: () => assert.fail('not asked'),
    earlierSecrets: () => assert.fail('not asked'),
    async create(key, hash) {
      rows.push({ key, hash });
    },
    async list(organizationId) {
      return rows
        .map(({ key }) => key)
        .filter((key) => organizationId === null || key.organizationId === organizationId);
    },
  };
  const clock = { now: () => NOW, monotonic: () => 0 };
  const unused = () => assert.fail('not asked');
  const ids = {
    keyId: () => `key_${rows.length + 1}`,
    requestId: unused,
    recordId: unused,
    token: unused,
    organizationId: unused,
  };
  return { parts: { store, pepper, clock, ids, random: randomBytes }, rows, use };
}

function describe(change: object): string {
  const text = JSON.stringify(change, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
