import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createIds } from '../../src/http/ids.ts';

const STEP_MS = 1_000;

/**
 * Fills an organization's audit log directly in its table, with a chain that proves nothing: changes of projects and of
 * keys in turn, by different people.
 */
export function fillAuditLog(data: string, organizationId: string, entries: number): void {
  const database = new DatabaseSync(join(data, 'headgate.db'), { timeout: 30_000 });
  const ids = createIds();
  const columns = 'organization_id, id, type, at, actor_id, actor_email, project_id, resource_id, event, link';
  const insert = database.prepare(`insert into audit_log (${columns}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, x'00')`);
  database.exec('begin immediate');
  const start = Date.now() - entries * STEP_MS;
  for (let number = 0; number < entries; number += 1) {
    const at = start + number * STEP_MS;
    const id = `audit_log-${ids.recordId(at)}`;
    const type = number % 2 === 0 ? 'project.updated' : 'api_key.created';
    const userId = `user_${String((number % 2) + 2 * (number % 3)).padStart(26, '0')}`;
    const project = { id: `proj_${String(number % 200).padStart(26, '0')}`, name: `Team ${number % 200}` };
    const actor = { type: 'session', userId, email: `${userId}@example.com` };
    const resourceId = `res_${number % 5_000}`;
    const event = { id, organizationId, type, at, actor, project, resourceId, details: {}, request: null };
    insert.run(organizationId, id, type, at, userId, actor.email, project.id, resourceId, JSON.stringify(event));
  }
  database.exec('commit');
  database.close();
}
