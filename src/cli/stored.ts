import type { Storage } from '../core/ports.ts';
import type { Organization } from '../core/records.ts';
import { OperatorError } from './failure.ts';
import type { CommandSetup, Toolbox } from './toolbox.ts';

/**
 * To be called before anything is kept. Throws an `OperatorError` in a folder that no gateway serves and that was not named: a
 * key or a route there would be of no use to anybody, and nobody would see why.
 */
export function demandData(setup: CommandSetup): void {
  if (setup.hasData || setup.mayMakeData) return;
  throw new OperatorError(
    `${nothingKept(setup)} Nothing was written. Start a gateway (headgate serve), run this where one was started, or name ` +
      'its data folder with --data.',
  );
}

function nothingKept({ folder }: CommandSetup): string {
  return `No gateway has run with the data folder ${folder}.`;
}

/**
 * Reads what is kept. Where nothing is kept yet, `kept` is `undefined` and a note says so: a question makes no folder.
 */
export async function readData<T>(
  tools: Toolbox,
  setup: CommandSetup,
  read: (storage: Storage) => Promise<T>,
): Promise<{ kept: T | undefined; notes: string[] }> {
  if (!setup.hasData) return { kept: undefined, notes: [nothingKept(setup)] };
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
