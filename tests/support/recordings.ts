import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The folder with answers of real vendors, with a subfolder per dialect. They are not part of the repository and are
 * optional: `HEADGATE_RECORDINGS` names the folder; the default is beside the repository. Without it, tests say so.
 */
export const RECORDINGS =
  process.env.HEADGATE_RECORDINGS ?? join(fileURLToPath(new URL('../../..', import.meta.url)), 'shared', 'recordings');
