import type { Config, PresetNames } from './config.ts';
import { deadEnds } from './dead-ends.ts';
import { type Environment, firstVariable } from './interpolate.ts';
import { type Path, showPath } from './problems.ts';

/** Warns of secrets in the file itself. `tree` is the file before variables were filled in. */
export function noticeLiteralSecrets(tree: unknown, config: Config): string[] {
  const paths: Path[] = [['server', 'metrics_token'], ...config.providers.flatMap(({ id }) => keyPaths(tree, id))];
  const literal = paths.filter((path) => {
    const value = at(tree, path);
    return typeof value === 'string' && !value.includes('${');
  });
  return literal.map(
    (path) => `${showPath(path)} is a secret in the file: keep it in the environment and write \${NAME}.`,
  );
}

/** One line that lists what is off or left out (sentences without a full stop), and what nothing serves as a result. */
export function noticeLeftOut([first, ...others]: readonly string[], unserved: readonly string[]): string[] {
  if (first === undefined) return [];
  const rest = others.map((words) => `; ${words.charAt(0).toLowerCase()}${words.slice(1)}`).join('');
  return [`${first}${rest}${unserved.length === 0 ? '' : `; so nothing serves ${unserved.join(', ')}`}.`];
}

/** Notices for valid settings that lead nowhere. `unserved`: names that lead only to providers that are off. */
export function noticeDeadEnds(
  config: Config,
  env: Environment,
  presets: readonly PresetNames[],
): { notices: string[]; unserved: string[] } {
  const { notices, unserved } = deadEnds(config);
  return { notices: [...notices, ...unusedKeys(config, env, presets)], unserved };
}

/** A file without providers is valid, but it may surprise that keys of the environment are then unused. */
function unusedKeys(config: Config, env: Environment, presets: readonly PresetNames[]): string[] {
  if (config.file === null || config.providers.length > 0) return [];
  const unused = presets.flatMap(({ keyEnv }) => firstVariable(env, keyEnv)?.name ?? []);
  if (unused.length === 0) return [];
  return [`${config.file} names no provider, so these keys of the environment are not used: ${unused.join(', ')}.`];
}

/** The paths of a provider's keys. */
function keyPaths(tree: unknown, id: string): Path[] {
  const named = at(tree, ['providers', id, 'api_keys']);
  const count = Array.isArray(named) ? named.length : 0;
  return [
    ['providers', id, 'api_key'],
    ...Array.from({ length: count }, (_, index) => ['providers', id, 'api_keys', index, 'key']),
  ];
}

function at(tree: unknown, path: Path): unknown {
  return path.reduce((within, step) => (within as Record<string, unknown> | null | undefined)?.[step], tree);
}
