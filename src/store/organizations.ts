import type { Kysely } from 'kysely';
import type { OrganizationStore } from '../core/ports.ts';
import type { Schema } from './schema.ts';

export function createOrganizationStore(db: Kysely<Schema>): OrganizationStore {
  return {
    async list() {
      const rows = await db.selectFrom('organizations').selectAll().orderBy('created_at').orderBy('id').execute();
      return rows.map((row) => ({ id: row.id, name: row.name, createdAt: Number(row.created_at) }));
    },
    async create({ id, name, createdAt }) {
      await db.insertInto('organizations').values({ id, name, created_at: createdAt }).execute();
    },
  };
}
