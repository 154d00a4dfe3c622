import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { InstanceLockError } from '../../store/errors.ts';
import { engine } from '../../store/open.ts';
import { OperatorError } from '../failure.ts';
import type { CommandSetup, Toolbox } from '../toolbox.ts';
import { type Check, ok, warn } from './check.ts';

const OTHERS_READ_OR_WRITE = 0o066;

/**
 * Opens, writes and reads the store, and finds the process that serves it. A missing folder is not created.
 * @param isServed whether a running gateway was asked
 */
export async function checkStorage(setup: CommandSetup, tools: Toolbox, isServed: boolean): Promise<Check[]> {
  const { folder } = setup;
  if (!setup.hasData) {
    const place = firstExisting(folder);
    if (!statSync(place).isDirectory())
      throw new OperatorError(`data cannot be stored in ${folder}: ${place} is a file`);
    accessSync(place, constants.W_OK);
    return [ok('storage', `no gateway has run with ${folder} yet; the first start creates what it needs`)];
  }
  const storage = await tools.openStorage(setup);
  try {
    // The pepper may be only in the environment of the running gateway.
    if (!isServed) await tools.checkPepper(setup, storage);
    await storage.check();
  } finally {
    await storage.close();
  }
  return [
    ok('storage', `${folder} can be written and read`),
    ...checkPrivacy(folder),
    // A gateway that can be asked has reported it itself.
    ...(isServed ? [] : [ok('serve', servedBy(setup, tools))]),
  ];
}

/** `null` if only the owner can read the folder. */
function checkPrivacy(folder: string): Check[] {
  const mode = statSync(folder).mode & 0o777;
  if ((mode & OTHERS_READ_OR_WRITE) === 0) return [];
  const shown = mode.toString(8);
  return [warn('data', `${folder} is open to other users of this machine (mode ${shown}). To close it: chmod 700`)];
}

/** Only the lock shows whether a process serves. It is taken and released at once. */
function servedBy({ folder }: CommandSetup, { clock }: Toolbox): string {
  try {
    engine.acquireInstanceLock(folder, { pid: process.pid, startedAt: clock.now() }).release();
    return 'no process serves this data now';
  } catch (error) {
    if (error instanceof InstanceLockError) return error.message;
    throw error;
  }
}

function firstExisting(folder: string): string {
  return existsSync(folder) ? folder : firstExisting(dirname(folder));
}
