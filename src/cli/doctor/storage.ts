import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { acquireInstanceLock, InstanceLockError } from '../../store/sqlite/instance-lock.ts';
import { OperatorError } from '../failure.ts';
import type { CommandSetup, Toolbox } from '../toolbox.ts';
import { type Check, ok, warn } from './check.ts';

const OTHERS_READ_OR_WRITE = 0o066;

/**
 * Opens, writes and reads the store, and tells which process serves it. A missing folder is not made.
 * @param isServed a gateway that serves it was asked
 */
export async function checkStorage(setup: CommandSetup, tools: Toolbox, isServed: boolean): Promise<Check[]> {
  const { folder } = setup;
  if (!setup.hasData) {
    const place = firstExisting(folder);
    if (!statSync(place).isDirectory()) throw new OperatorError(`no data can be kept in ${folder}: ${place} is a file`);
    accessSync(place, constants.W_OK);
    return [ok('storage', `no gateway has run with ${folder} yet; the first start makes what it needs`)];
  }
  const storage = await tools.openStorage(setup);
  try {
    // What keys are checked with may be in the environment of the gateway that serves, and not in ours.
    if (!isServed) await tools.services(setup, storage).keyParts();
    await storage.check();
  } finally {
    await storage.close();
  }
  return [
    ok('storage', `${folder} can be written and read`),
    ...checkPrivacy(folder),
    // One that can be asked has said so itself.
    ...(isServed ? [] : [ok('serve', servedBy(setup, tools))]),
  ];
}

/** No warning for a folder that only its owner can read. */
function checkPrivacy(folder: string): Check[] {
  const mode = statSync(folder).mode & 0o777;
  if ((mode & OTHERS_READ_OR_WRITE) === 0) return [];
  const shown = mode.toString(8);
  return [warn('data', `${folder} is open to other users of this machine (mode ${shown}): chmod 700 closes it`)];
}

/** Only the lock tells whether a process serves: it is taken and released at once. */
function servedBy({ folder }: CommandSetup, { clock }: Toolbox): string {
  try {
    acquireInstanceLock(folder, { pid: process.pid, startedAt: clock.now() }).release();
    return 'no process serves this data now';
  } catch (error) {
    if (error instanceof InstanceLockError) return error.message;
    throw error;
  }
}

function firstExisting(folder: string): string {
  return existsSync(folder) ? folder : firstExisting(dirname(folder));
}
