import { type Stats, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Environment, variable } from './interpolate.ts';
import { ConfigError } from './problems.ts';

const CONFIG_NAMES = ['headgate.yaml', 'headgate.yml'] as const;

export type FindInput = {
  /** The value of `--config`. */
  argument?: string;
  env: Environment;
  /** The data folder, as known without the file. */
  data: string;
  cwd: string;
};

/**
 * Finds the configuration file and returns its absolute path: the file of `--config`, else of `HEADGATE_CONFIG`, else the
 * first `headgate.yaml` (or `.yml`) in the working folder, beside the data folder, or in it. `null` if there is none.
 * Throws a `ConfigError` if a named file does not exist or is not a regular file.
 */
export function findConfig({ argument, env, data, cwd }: FindInput): { file: string } | null {
  const named = variable(env, 'HEADGATE_CONFIG');
  if (argument !== undefined) return namedFile('--config', resolve(cwd, argument));
  if (named !== undefined) return namedFile('HEADGATE_CONFIG', resolve(cwd, named));
  const folder = resolve(cwd, data);
  const candidates = [cwd, dirname(folder), folder].flatMap((each) => CONFIG_NAMES.map((name) => resolve(each, name)));
  const file = candidates.find(isFile);
  return file === undefined ? null : { file };
}

function namedFile(by: string, file: string): { file: string } {
  const stats = lookAt(file);
  if (stats?.isFile()) return { file };
  throw new ConfigError([{ file, line: null, column: null, path: by, message: whyNot(stats) }]);
}

function whyNot(stats: Stats | undefined): string {
  if (stats === undefined) return 'names a file that does not exist';
  if (stats.isDirectory()) return 'names a folder; it must name a file';
  return 'names a pipe or a device; it must name a file that can be read again when it changes';
}

function isFile(path: string): boolean {
  return lookAt(path)?.isFile() ?? false;
}

function lookAt(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}
