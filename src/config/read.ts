import type { DialectId } from '../core/provider.ts';
import { type BuildParts, buildConfig, buildSecrets } from './build.ts';
import type { Config, PresetNames, Secrets } from './config.ts';
import { isKeyPath, type MissingKeys } from './credentials.ts';
import { type ConfigDocument, readDocument } from './document.ts';
import { readEnvironment } from './environment.ts';
import { type Environment, interpolate, MALFORMED, unset } from './interpolate.ts';
import { noticeDeadEnds, noticeLiteralSecrets } from './notices.ts';
import { byPlace, ConfigError, type Problem, type Report, showPath } from './problems.ts';
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

/** An editor or a full disk leaves an empty file behind; taken at its word, it would turn every provider off. */
const NOTHING_IN_IT = 'the file holds no settings; write {} where every default is meant';

/** The file as its schema returns it, the tree that was checked, and the variables that keys name and that are not set. */
type Checked = { file: ConfigFile; tree: unknown; missing: MissingKeys };

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

  if (text !== null && document.tree === null) problem([], NOTHING_IN_IT);
  const checked = check(document.tree, env, problem);
  if (checked === null) return refuse(problems);

  const notices: string[] = [];
  const reading = { env, presets, built, problem, notice: (words: string) => void notices.push(words) };
  const providers =
    text === null
      ? providersFromEnvironment(reading)
      : providersFromFile(reading, checked.file.providers, checked.missing);
  const parts: BuildParts = { path, file: checked.file, tree: checked.tree, overrides, providers };
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
  const missing = new Map<string, string>();
  const refused = new Set<string>();
  // A value whose variable is not set is missing from the tree; the schema must not report it a second time.
  const refuseOnce: Report = (path, message) => {
    if (!refused.has(showPath(path))) problem(path, message);
    refused.add(showPath(path));
  };
  for (const path of filled.malformed) refuseOnce(path, MALFORMED);
  for (const { path, variable } of filled.missing) {
    if (isKeyPath(path)) missing.set(JSON.stringify(path), variable);
    else refuseOnce(path, unset(variable));
  }
  const result = FILE.safeParse(filled.tree, { error: sentence });
  for (const { path, message } of result.success ? [] : explain(result.error.issues)) refuseOnce(path, message);
  return result.success && refused.size === 0 ? { file: result.data, tree: filled.tree, missing } : null;
}
