import { deadAliases } from './aliases.ts';
import type { Config, PresetNames } from './config.ts';
import { type Environment, firstVariable } from './interpolate.ts';
import { type Path, showPath } from './problems.ts';
import { ECHO } from './providers.ts';

/** Names the secrets that stand in the file itself. `tree` is the file before its variables were filled in. */
export function noticeLiteralSecrets(tree: unknown, config: Config): string[] {
  const paths: Path[] = [
    ['server', 'metrics_token'],
    ...config.providers.map(({ id }) => ['providers', id, 'api_key']),
  ];
  const literal = paths.filter((path) => {
    const value = at(tree, path);
    return typeof value === 'string' && !value.includes('${');
  });
  return literal.map(
    (path) => `${showPath(path)} is a secret in a file: keep it in the environment and write \${NAME}.`,
  );
}

/** Names what is legal and yet leads nowhere. */
export function noticeDeadEnds(config: Config, env: Environment, presets: readonly PresetNames[]): string[] {
  const aliases = deadAliases(config.aliases, config.providers, config.echo).map(
    ([name, target]) => `Alias ${name} leads to ${target}, which no provider that is on is known to serve.`,
  );
  const ids = [ECHO, ...config.providers.map(({ id }) => id)];
  const models = [...config.models.keys()]
    .filter((model) => !ids.includes(model.slice(0, model.indexOf('/'))))
    .map((model) => `The facts of ${model} are not used: there is no provider of that name.`);
  return [...aliases, ...models, ...unusedKeys(config, env, presets)];
}

/** A file without providers is legal; that it keeps the environment's keys from being used may surprise. */
function unusedKeys(config: Config, env: Environment, presets: readonly PresetNames[]): string[] {
  if (config.file === null || config.providers.length > 0) return [];
  const unused = presets.flatMap(({ keyEnv }) => firstVariable(env, keyEnv)?.name ?? []);
  if (unused.length === 0) return [];
  return [`${config.file} names no provider, so these keys of the environment are not used: ${unused.join(', ')}.`];
}

function at(tree: unknown, path: Path): unknown {
  return path.reduce((within, step) => (within as Record<string, unknown> | null | undefined)?.[step], tree);
}
