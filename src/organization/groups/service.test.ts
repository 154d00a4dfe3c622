import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { PERMISSIONS } from '../../core/permissions.ts';
import { Secret } from '../../core/secret.ts';
import type { SettingChange, SettingKind } from '../../core/settings.ts';
import { key } from '../../store/fixtures.test.ts';
import { openStorage } from '../../store/open.ts';
import type { Administration } from '../administration.ts';
import { removeGroupFromProject } from '../projects/people.ts';
import { deleteGroup, removeFromGroup } from './service.ts';

const ORGANIZATION = 'org_1';
const NOW = 1_000;

/** An organization with a group, and what is to stand in it. */
async function world(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-groups-'));
  const storage = await openStorage({ folder, instanceId: 'instance_1', durability: 'normal' });
  t.after(async () => {
    await storage.close();
    rmSync(folder, { recursive: true, force: true });
  });
  await storage.organizations.create({ id: ORGANIZATION, name: 'First', createdAt: NOW });
  const put = (kind: SettingKind, id: string, parentId: string | null = null, value: object = {}): SettingChange =>
    ({ put: { kind, id, parentId, version: 1, createdAt: NOW, value } }) as SettingChange;
  const project = (id: string) => put('project', id, null, { name: id, archivedAt: null });
  const person = (id: string) => put('member', id, null, { role: 'reader', email: id, name: null });
  const inGroup = (id: string) => put('group_member', id, 'group_1');
  const place = (projectId: string) => put('project_group', 'group_1', projectId);
  const keep = async (...changes: SettingChange[]) =>
    assert.equal(await storage.settings.change(ORGANIZATION, changes, null), 'done');
  const keyOf = (userId: string, projectId: string) => {
    const id = `${userId} in ${projectId}`;
    return { addKey: { key: key({ id, projectId, owner: { type: 'user', id: userId } }), hash: Buffer.from(id) } };
  };
  const keysLeft = async () =>
    (await storage.settings.keys(ORGANIZATION, { access: 'models', limit: 1000 })).items.map(({ id }) => id);
  const numbers = Array.from({ length: 1000 }, (_, number) => number).values();
  const admin: Administration = {
    ...storage,
    pepper: new Secret('pepper'),
    clock: { now: () => NOW, monotonic: () => NOW },
    ids: {
      requestId: () => 'req',
      recordId: () => `usage_${numbers.next().value}`,
    } as unknown as Administration['ids'],
    random: () => Buffer.alloc(0),
    by: { organizationId: ORGANIZATION, actor: { type: 'operator' }, permissions: new Set(PERMISSIONS), request: null },
  };
  /** As the administrator's, but that the changes of somebody else come just before the first of theirs. */
  const after = (...changes: SettingChange[]): Administration => ({
    ...admin,
    settings: {
      ...storage.settings,
      async change(organizationId, theirs, audited) {
        const first = changes.splice(0);
        if (first.length > 0) await keep(...first);
        return storage.settings.change(organizationId, theirs, audited);
      },
    },
  });
  await keep(put('group', 'group_1', null, { name: 'One' }));
  return { storage, admin, after, keep, keysLeft, keyOf, put, project, person, inGroup, place };
}

test('a key ends also where its owner or its project came to the group while that is taken away', async (t) => {
  const ways: Record<string, (admin: Administration) => Promise<void>> = {
    'a person leaves': (admin) => removeFromGroup(admin, 'group_1', 'ada'),
    'a project is left': (admin) => removeGroupFromProject(admin, 'proj_1', 'group_1'),
    'the group goes': (admin) => deleteGroup(admin, 'group_1'),
  };
  const left: Record<string, string[]> = {};
  for (const [way, leave] of Object.entries(ways)) {
    const { after, keep, keysLeft, keyOf, project, person, inGroup, place } = await world(t);
    await keep(project('proj_1'), project('proj_2'), person('ada'), person('ben'), inGroup('ada'), place('proj_1'));
    const meanwhile = [place('proj_2'), inGroup('ben'), keyOf('ada', 'proj_2'), keyOf('ben', 'proj_1')];
    await leave(after(...meanwhile, keyOf('ada', 'proj_1')));
    left[way] = await keysLeft();
  }
  assert.deepEqual(left, {
    'a person leaves': ['ben in proj_1'],
    'a project is left': ['ada in proj_2'],
    'the group goes': [],
  });
});

test('a big group leaves its projects one by one, and where that stops, whatever it has left is done', async (t) => {
  const { storage, admin, keep, keysLeft, keyOf, put, project, person, inGroup, place } = await world(t);
  const [people, projects] = [300, 40].map((count) => Array.from({ length: count }, (_, index) => `${index}`)) as [
    string[],
    string[],
  ];
  await keep(
    ...people.flatMap((id) => [person(id), inGroup(id)]),
    ...projects.flatMap((id) => [project(id), place(id)]),
  );
  await keep(...people.map((id, index) => keyOf(id, projects[index % projects.length]!)));
  await keep(put('project_member', '0', '0', { role: 'member' }));
  const placesLeft = async () => (await storage.settings.all(ORGANIZATION, 'project_group', {})).length;

  let steps = 0;
  const stopping: Administration = {
    ...admin,
    settings: {
      ...storage.settings,
      change: async (...asked) => {
        if (steps === 3) throw new Error('The process ends here.');
        steps += 1;
        return storage.settings.change(...asked);
      },
    },
  };
  await assert.rejects(deleteGroup(stopping, 'group_1'), { message: 'The process ends here.' });
  assert.equal(await placesLeft(), projects.length - 3);
  // Of the projects that it has left, which are the first by their ids, each had 7 or 8 keys; one is held there by a place of its own.
  const alive = new Set((await keysLeft()).map((id) => id.split(' in ')[1]));
  assert.deepEqual(
    [...alive].toSorted(),
    projects.toSorted().filter((id) => !['1', '10'].includes(id)),
  );
  assert.ok((await keysLeft()).length > 200);

  await deleteGroup(admin, 'group_1');
  assert.deepEqual(await keysLeft(), ['0 in 0']);
  assert.deepEqual([await placesLeft(), await storage.settings.count(ORGANIZATION, 'group_member')], [0, 0]);
  const { items } = await storage.audit.list(ORGANIZATION, { limit: 100, order: 'asc' });
  const types = Map.groupBy(items, ({ type }) => type);
  assert.deepEqual(
    [...types].map(([type, { length }]) => [type, length]),
    [
      ['project.group.deleted', projects.length],
      ['group.deleted', 1],
    ],
  );
});
