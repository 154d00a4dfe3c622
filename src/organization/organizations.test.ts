import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Organization } from '../core/records.ts';
import { ensureOrganizations, firstOrganization } from './organizations.ts';

const NOW = 9;
const older: Organization = { id: 'org_old', name: 'Old', createdAt: 1 };
const made = (id: string, name: string): Organization => ({ id, name, createdAt: NOW });

const CASES: readonly {
  name: string;
  stored: Organization[];
  wanted: { id: string; name: string }[];
  all: Organization[];
}[] = [
  { name: 'an empty store gets a first one', stored: [], wanted: [], all: [made('org_new', 'Default')] },
  { name: 'a store that has one is left alone', stored: [older], wanted: [], all: [older] },
  {
    name: 'wanted ones are made in place of the first',
    stored: [],
    wanted: [
      { id: 'org_b', name: 'B' },
      { id: 'org_a', name: 'A' },
    ],
    all: [made('org_a', 'A'), made('org_b', 'B')],
  },
  {
    name: 'only the missing are made, and those that are there stay as they are',
    stored: [older],
    wanted: [
      { id: 'org_a', name: 'A' },
      { id: 'org_old', name: 'Another name' },
    ],
    all: [older, made('org_a', 'A')],
  },
];

for (const { name, stored, wanted, all } of CASES) {
  test(name, async () => {
    const { parts, rows } = setUp(stored);
    assert.deepEqual(await ensureOrganizations(parts, wanted), all);
    assert.deepEqual(new Set(rows), new Set(all));
    assert.deepEqual(await ensureOrganizations(parts, wanted), all, 'a second start changes nothing');
    assert.deepEqual(new Set(rows), new Set(all));
  });
}

test('the first organization is the oldest, whatever the order', () => {
  assert.equal(firstOrganization([made('org_a', 'A'), older]), older);
  assert.equal(firstOrganization([made('org_b', 'B'), made('org_a', 'A')]).id, 'org_a');
  assert.throws(() => firstOrganization([]), { message: 'There is no organization.' });
});

function setUp(stored: readonly Organization[]) {
  const rows = [...stored];
  const store = {
    list: async () => [...rows],
    create: async (organization: Organization) => void rows.push(organization),
  };
  const unused = () => assert.fail('not asked');
  const ids = { organizationId: () => 'org_new', keyId: unused, requestId: unused, recordId: unused, token: unused };
  return { parts: { store, clock: { now: () => NOW, monotonic: () => 0 }, ids }, rows };
}
