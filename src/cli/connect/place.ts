import { join, resolve } from 'node:path';
import { type Environment, variable } from '../../config/interpolate.ts';
import { OperatorError } from '../failure.ts';
import type { ToolPlace } from './tool.ts';

/**
 * The folder in a variable, else the one of this name in the home folder, as an absolute path, because a tool may be
 * started elsewhere. Throws an `OperatorError` if HOME is not set.
 */
export function folderOf({ env, cwd }: ToolPlace, name: string, atHome: string): string {
  return resolve(cwd, variable(env, name) ?? join(homeOf(env), atHome));
}

function homeOf(env: Environment): string {
  const home = variable(env, 'HOME') ?? variable(env, 'USERPROFILE');
  if (home === undefined) throw new OperatorError('HOME is not set, so the folder of the tool’s settings is unknown.');
  return home;
}
