import { existsSync } from 'node:fs';
import type { Storage } from '../core/ports.ts';
import type { Organization } from '../core/records.ts';
import { OperatorError } from './failure.ts';
import type { CommandSetup, Toolbox } from './toolbox.ts';

/**
 * Reads what is kept. Where nothing is kept yet, `kept` is `undefined` and a note says so: a question makes no folder.
 */
export async function readData<T>(
  tools: Toolbox,
  setup: CommandSetup,
  read: (storage: Storage) => Promise<T>,
): Promise<{ kept: T | undefined; notes: string[] }> {
  if (!existsSync(setup.folder)) {
    return { kept: undefined, notes: [`${setup.folder} does not exist yet; the first start makes it.`] };
  }
  const storage = await tools.openStorage(setup);
  try {
    return { kept: await read(storage), notes: [] };
  } finally {
    await storage.close();
  }
}

/** Throws an `OperatorError` where an organization is named and is not there. */
export async function checkOrganization(storage: Storage, id: string | null): Promise<void> {
  if (id !== null) findOrganization(await storage.organizations.list(), id);
}

export function findOrganization(organizations: readonly Organization[], id: string): Organization {
  const found = organizations.find((organization) => organization.id === id);
  if (found !== undefined) return found;
  const known = organizations.map((each) => `${each.id} (${each.name})`).join(', ');
  throw new OperatorError(`There is no organization ${id}. There is: ${known === '' ? 'none yet' : known}.`);
}
