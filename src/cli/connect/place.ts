import { join, resolve } from 'node:path';
import { type Environment, variable } from '../../config/interpolate.ts';
import { OperatorError } from '../failure.ts';
import type { ToolPlace } from './tool.ts';

/**
 * A folder that a variable names, else the one of this name at home; whole, since a tool may be started elsewhere. Throws an
 * `OperatorError` where HOME is not set.
 */
export function folderOf({ env, cwd }: ToolPlace, name: string, atHome: string): string {
  return resolve(cwd, variable(env, name) ?? join(homeOf(env), atHome));
}

function homeOf(env: Environment): string {
  const home = variable(env, 'HOME') ?? variable(env, 'USERPROFILE');
  if (home === undefined)
    throw new OperatorError('HOME is not set, so it is not known where the tool keeps its settings.');
  return home;
}
