import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Where answers of real vendors are kept, a folder for each dialect. They are no part of the repository, and nobody needs
 * them: `HEADGATE_RECORDINGS` names the folder, or it lies beside the repository; where it is not there, tests say so.
 */
export const RECORDINGS =
  process.env.HEADGATE_RECORDINGS ?? join(fileURLToPath(new URL('../../..', import.meta.url)), 'shared', 'recordings');
