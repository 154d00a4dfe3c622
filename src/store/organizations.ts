import type { Kysely } from 'kysely';
import type { OrganizationStore } from '../core/ports.ts';
import { defaultProject } from '../core/settings.ts';
import { storageUnavailable } from './errors.ts';
import type { Schema } from './schema.ts';
import { settingRow } from './settings.ts';
import type { Transact } from './statements.ts';

export function createOrganizationStore(db: Kysely<Schema>, transact: Transact): OrganizationStore {
  return {
    async list() {
      const rows = await db.selectFrom('organizations').selectAll().orderBy('created_at').orderBy('id').execute();
      return rows.map((row) => ({ id: row.id, name: row.name, createdAt: Number(row.created_at) }));
    },
    async create({ id, name, createdAt }) {
      const made = db.insertInto('organizations').values({ id, name, created_at: createdAt });
      const project = db.insertInto('settings').values(settingRow(id, defaultProject(id, createdAt)));
      const statements = [made, project].map((each) => ({ query: each.compile(), mustChange: true }));
      if ((await transact(statements, null)) !== 'done') throw storageUnavailable(new Error(`${id} is there already`));
    },
  };
}
