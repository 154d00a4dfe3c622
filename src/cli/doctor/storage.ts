import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { acquireInstanceLock, InstanceLockError } from '../../store/instance-lock.ts';
import type { Setup, Toolbox } from '../toolbox.ts';
import { type Check, ok } from './check.ts';

/** Opens, writes and reads what there is, and tells who serves it. Looking at a folder does not make it. */
export async function checkStorage(setup: Setup, tools: Toolbox): Promise<Check[]> {
  const { folder } = setup;
  if (!existsSync(folder)) {
    accessSync(firstExisting(folder), constants.W_OK);
    return [ok('storage', `${folder} does not exist yet; the first start makes it`)];
  }
  const { storage } = await tools.openKeys(setup);
  try {
    await storage.check();
  } finally {
    await storage.close();
  }
  return [ok('storage', `${folder} can be written and read`), ok('serve', servedBy(setup, tools))];
}

/** Only the lock knows whether a process serves: it is tried, and let go at once. */
function servedBy({ folder }: Setup, { clock }: Toolbox): string {
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
