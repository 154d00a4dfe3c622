import { ConfigError } from '../../config/problems.ts';
import type { Setup, Toolbox, Where } from '../toolbox.ts';
import { type Check, fail, ok, warn } from './check.ts';

/** What a start would read, and what it would say about it: which providers are off, and why. */
export function checkConfig(where: Where, tools: Toolbox): { setup: Setup | null; checks: Check[] } {
  try {
    const setup = tools.readSetup(where);
    const file = setup.config.file ?? 'no file; what the environment says is fine';
    return { setup, checks: [ok('config', file), ...setup.notices.map((notice) => warn('config', notice))] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { setup: null, checks: error.message.split('\n').map((mistake) => fail('config', mistake)) };
  }
}
