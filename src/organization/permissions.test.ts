import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Administrator } from '../core/administrator.ts';
import { PERMISSIONS, type Permission } from '../core/permissions.ts';
import { type ApiKey, narrowerScope, USAGE_SCOPES } from '../core/records.ts';
import { key } from '../store/fixtures.test.ts';
import { member, organizationOf, project, setting } from './fixtures.test.ts';
import { administratorByKey, demandMayReadUsage, usageFor, usageReach } from './permissions.ts';

const READ: readonly Permission[] = ['api.usage.read'];
const by = (permissions: readonly Permission[], there?: [id: string, ...Permission[]]): Administrator => ({
  organizationId: 'org_1',
  actor: { type: 'operator' },
  permissions: new Set(permissions),
  ...(there !== undefined && { project: { id: there[0], permissions: new Set(there.slice(1) as Permission[]) } }),
  request: null,
});
/** Administrators by their widest usage scope in the project `proj_1`. */
const REACH = [
  ['organization', by(READ)],
  ['project', by([], ['proj_1', ...READ])],
  ['own', by([], ['proj_2', ...READ])],
  ['own', by(['api.keys.write'], ['proj_1', 'api.keys.write'])],
  ['own', by([])],
] as const;

describe('nobody gives a key more usage than they may read', () => {
  for (const [index, [reach, who]] of REACH.entries()) {
    test(`${index}: at most ${reach}`, () => {
      assert.equal(usageReach(who, 'proj_1'), reach);
      assert.equal(usageFor(who, 'proj_1'), reach === 'organization' ? 'organization' : 'own');
      for (const wanted of USAGE_SCOPES) {
        const ask = () => usageFor(who, 'proj_1', wanted);
        if (USAGE_SCOPES.indexOf(wanted) >= USAGE_SCOPES.indexOf(reach)) assert.equal(ask(), wanted);
        else assert.throws(ask, { kind: 'forbidden', param: 'usage' });
      }
    });
  }

  test('what is no project is nobody’s project', () => {
    assert.throws(() => demandMayReadUsage(by([], ['proj_1', ...READ]), null, 'project'), { param: 'usage' });
  });
});

test('of two scopes the narrower holds', () => {
  const narrower = USAGE_SCOPES.flatMap((one) => USAGE_SCOPES.map((other) => narrowerScope(one, other)));
  const [organization, project, own] = ['organization', 'project', 'own'];
  assert.deepEqual(narrower, [organization, project, own, project, project, own, own, own, own]);
});

test('whoever administers by a key reads usage as far as the key does, and as they do themselves', async (t) => {
  const { keep, storage } = await organizationOf(t);
  await keep(project('proj_1'), ...member('ada', 'owner'), ...member('ben'));
  await keep(setting('project_member', 'ben', { parentId: 'proj_1', role: 'member' }));
  const mayRead = async (changes: Partial<ApiKey>, projectId: string | null) => {
    const made = key({ access: 'administration', projectId: 'proj_1', owner: null, ...changes });
    const { permissions, project: there } = await administratorByKey(storage.settings, made, {
      projectId,
      request: null,
    });
    return [permissions.has('api.usage.read'), there?.permissions.has('api.usage.read') ?? false];
  };
  const ada = { owner: { type: 'user', id: 'ada' } } as const;
  const ben = { owner: { type: 'user', id: 'ben' } } as const;
  for (const owner of [{}, ada]) {
    assert.deepEqual(await mayRead({ usage: 'organization', ...owner }, null), [true, false]);
    assert.deepEqual(await mayRead({ usage: 'project', ...owner }, null), [false, false]);
    assert.deepEqual(await mayRead({ usage: 'own', ...owner }, null), [false, false]);
  }
  assert.deepEqual(await mayRead({ usage: 'organization' }, 'proj_1'), [true, true]);
  assert.deepEqual(await mayRead({ usage: 'project' }, 'proj_1'), [false, true]);
  assert.deepEqual(await mayRead({ usage: 'project' }, 'proj_2'), [false, false]);
  assert.deepEqual(await mayRead({ usage: 'own' }, 'proj_1'), [false, false]);
  assert.deepEqual(await mayRead({ usage: 'organization', ...ben }, 'proj_1'), [false, true]);
  assert.deepEqual(await mayRead({ usage: 'own', ...ben }, 'proj_1'), [false, false]);
});

test('a key that does not administer is no administrator, and one of nobody may all', async (t) => {
  const { storage } = await organizationOf(t);
  const asked = { projectId: null, request: null };
  await assert.rejects(administratorByKey(storage.settings, key({ access: 'models' }), asked), { kind: 'forbidden' });
  const { permissions } = await administratorByKey(
    storage.settings,
    key({ access: 'models', admin: true, owner: null, usage: 'organization' }),
    asked,
  );
  assert.deepEqual([...permissions], PERMISSIONS);
});
