import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allOf, startCompany } from './lab.ts';

test('what a person did by their key is found in the audit log by their id and their address', async () => {
  await using company = await startCompany();
  const owner = await company.hire('olga', 'owner');
  const other = await company.hire('oscar', 'owner');
  const { projects, auditLogs } = owner.client.admin.organization;
  const { id } = await projects.create({ name: 'Rockets' });
  const theirs = await other.client.admin.organization.projects.create({ name: 'Boats' });
  const of = async (query: { actor_ids: string[] } | { actor_emails: string[] }) => {
    const entries = await allOf(auditLogs.list({ event_types: ['project.created'], ...query }));
    return entries.map((entry) => entry['project.created']?.id);
  };
  assert.deepEqual(await of({ actor_ids: [owner.id] }), [id]);
  assert.deepEqual(await of({ actor_emails: [owner.email] }), [id]);
  assert.deepEqual(await of({ actor_ids: [owner.id, other.id] }), [theirs.id, id]);
  assert.deepEqual(await of({ actor_emails: [owner.email, other.email] }), [theirs.id, id]);
  const [made] = await allOf(auditLogs.list({ actor_emails: [owner.email] }));
  assert.deepEqual(await of({ actor_ids: [made!.actor!.api_key!.id!] }), [id]);
});
