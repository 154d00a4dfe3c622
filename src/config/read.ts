import type { DialectId } from '../core/provider.ts';
import { buildConfig, buildSecrets, type Parts } from './build.ts';
import type { Config, PresetNames, Secrets } from './config.ts';
import { type ConfigDocument, readDocument } from './document.ts';
import { readEnvironment } from './environment.ts';
import { type Environment, interpolate } from './interpolate.ts';
import { noticeDeadEnds, noticeLiteralSecrets } from './notices.ts';
import { byPlace, ConfigError, type Path, type Problem, type Report, showPath } from './problems.ts';
import { providersFromEnvironment, providersFromFile } from './providers.ts';
import { type ConfigFile, FILE } from './schema.ts';
import { explain, sentence } from './sentences.ts';

export type ConfigInput = {
  /** The text of the configuration file; `null` where there is none. */
  text: string | null;
  /** Its path, as problems and `Config.file` show it. */
  file: string | null;
  env: Environment;
  /** In the order in which they come on without a file. */
  presets: readonly PresetNames[];
  /** The dialects that can be spoken. */
  built: readonly DialectId[];
};

export type ReadConfig = {
  config: Config;
  secrets: Secrets;
  /** Sentences that the operator should see at start: what is off and why, and what is unwise. */
  notices: string[];
};

const MALFORMED = 'has a “${” that names no variable; “$${” stands for “${” itself';

/** The file as its schema gives it back, and for each provider a variable that its `api_key` names in vain. */
type Checked = { file: ConfigFile; missingKeys: ReadonlyMap<string, string> };

/**
 * Reads a configuration. Pure: touches no disk and no clock.
 * Throws a `ConfigError` with every problem that was found, in the order of the file.
 */
export function readConfig({ text, file, env, presets, built }: ConfigInput): ReadConfig {
  const path = text === null ? null : (file ?? 'headgate.yaml');
  const { overrides, problems } = readEnvironment(env);
  const document = openDocument(text ?? '', path, problems);
  const problem: Report = (at, message) => {
    problems.push({ file: path, ...document.place(at), path: showPath(at), message });
  };

  const checked = check(document.tree, env, problem);
  if (checked === null) return refuse(problems);

  const notices: string[] = [];
  const reading = { env, presets, built, problem, notice: (words: string) => void notices.push(words) };
  const providers =
    text === null
      ? providersFromEnvironment(reading)
      : providersFromFile(reading, checked.file.providers, checked.missingKeys);
  const parts: Parts = { path, file: checked.file, overrides, providers };
  const config = buildConfig(parts, problem);
  if (problems.length > 0) return refuse(problems);

  notices.push(...noticeLiteralSecrets(document.tree, config), ...noticeDeadEnds(config, env, presets));
  return { config, secrets: buildSecrets(parts), notices };
}

function refuse(problems: readonly Problem[]): never {
  throw new ConfigError(problems.toSorted(byPlace));
}

function openDocument(text: string, file: string | null, problems: readonly Problem[]): ConfigDocument {
  const document = readDocument(text);
  if (!('faults' in document)) return document;
  return refuse([...problems, ...document.faults.map((fault) => ({ file, ...fault, path: showPath(fault.path) }))]);
}

/** Fills in the variables and holds the tree against the schema; `null` where that found problems. */
function check(tree: unknown, env: Environment, problem: Report): Checked | null {
  const filled = interpolate(tree ?? {}, env);
  const missingKeys = new Map<string, string>();
  const refused = new Set<string>();
  // A value that could not be filled in is missing from the tree: the schema need not say so again.
  const refuseOnce: Report = (path, message) => {
    if (!refused.has(showPath(path))) problem(path, message);
    refused.add(showPath(path));
  };
  for (const path of filled.malformed) refuseOnce(path, MALFORMED);
  for (const { path, variable } of filled.missing) {
    const provider = providerOfKey(path);
    if (provider === null) refuseOnce(path, `names ${variable}, which is not set in the environment`);
    else missingKeys.set(provider, variable);
  }
  const result = FILE.safeParse(filled.tree, { error: sentence });
  for (const { path, message } of result.success ? [] : explain(result.error.issues)) refuseOnce(path, message);
  return result.success && refused.size === 0 ? { file: result.data, missingKeys } : null;
}

/** The provider whose `api_key` stands at this path. */
function providerOfKey(path: Path): string | null {
  const [top, provider, setting] = path;
  return path.length === 3 && top === 'providers' && setting === 'api_key' ? String(provider) : null;
}
