import type { Storage } from '../core/ports.ts';
import { OperatorError } from './failure.ts';
import type { CommandSetup, Toolbox } from './toolbox.ts';

/**
 * To be called before anything is written. Throws an `OperatorError` for a folder that no gateway has used and that was
 * not named explicitly: what is written there would silently have no effect.
 */
export function demandData(setup: CommandSetup): void {
  if (setup.hasData || setup.mayMakeData) return;
  throw new OperatorError(
    `${nothingKept(setup)} Nothing was written. Start a gateway (headgate serve), run this where one was started, or name ` +
      'its data folder with --data.',
  );
}

/** Says that this data folder has never been used. */
export function nothingKept({ folder }: Pick<CommandSetup, 'folder'>): string {
  return `No gateway has run with the data folder ${folder}.`;
}

/** Reads the store. If there is no data yet, `kept` is `undefined` and a note says so: reading creates no folder. */
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
