import type { ConfigSetting } from '../core/config-setting.ts';
import type { DialectId } from '../core/provider.ts';
import { type BuildParts, buildConfig, buildSecrets } from './build.ts';
import type { Config, PresetNames, Secrets } from './config.ts';
import { type ConfigDocument, readDocument } from './document.ts';
import { readEnvironment } from './environment.ts';
import { type Environment, FOREIGN, interpolate, MALFORMED, unset } from './interpolate.ts';
import { noticeDeadEnds, noticeLeftOut, noticeLiteralSecrets } from './notices.ts';
import { byPlace, ConfigError, type Path, type Problem, type Report, showPath } from './problems.ts';
import { providersFromEnvironment, providersFromFile } from './providers.ts';
import { type ConfigFile, FILE } from './schema.ts';
import { explain, sentence } from './sentences.ts';
import { shownSettings } from './shown.ts';
import { type WithoutUnset, withoutUnset } from './unset.ts';

export type ConfigInput = {
  /** The text of the configuration file; `null` without a file. */
  text: string | null;
  /** The path of the file, for problems and `Config.file`. */
  file: string | null;
  env: Environment;
  /** In the order of the providers without a file. */
  presets: readonly PresetNames[];
  /** The supported dialects. */
  built: readonly DialectId[];
  /** Number of workers that already run, for a reload. */
  running?: number;
};

export type ReadConfig = {
  config: Config;
  secrets: Secrets;
  /** Notices for the operator at start: what is off and why, and what is unwise. */
  notices: string[];
  /** The line of a setting, from 1; `null` if the file does not have it. */
  lineOf(path: Path): number | null;
  /** The gateway's settings, for display. */
  shown(): ConfigSetting[];
};

/** Editors and full disks leave empty files behind. Accepting one would turn every provider off. */
const EMPTY_FILE = 'the file has no settings; write {} to use all defaults';

/** The parsed file, and the tree without the parts whose variables are not set. */
type Checked = { file: ConfigFile; without: WithoutUnset };

/**
 * Reads a configuration. Pure: touches no disk and no clock.
 * Throws a `ConfigError` with all problems, in the order of the file.
 */
export function readConfig({ text, file, env, presets, built, running = 0 }: ConfigInput): ReadConfig {
  const path = text === null ? null : (file ?? 'headgate.yaml');
  const { overrides, problems } = readEnvironment(env);
  const document = openDocument(text ?? '', path, problems);
  const report: Report = (at, message) => {
    problems.push({ file: path, ...document.place(at), path: showPath(at), message });
  };

  if (text !== null && document.tree === null) report([], EMPTY_FILE);
  const checked = check(document.tree, env, report);
  if (checked === null) return refuse(problems);

  const { file: content, without } = checked;
  const problem: Report = (at, message) => report(without.original(at), message);
  const notices: string[] = [];
  const off = [...without.leftOut];
  const reading = {
    ...{ env, presets, built, problem, unset: without },
    notice: (words: string) => void notices.push(words),
    leaveOut: (words: string) => void off.push(words),
  };
  const providers = text === null ? providersFromEnvironment(reading) : providersFromFile(reading, content.providers);
  const parts: BuildParts = { path, file: content, tree: without.tree, overrides, providers, running };
  const config = buildConfig(parts, problem);
  if (problems.length > 0) return refuse(problems);

  const ends = noticeDeadEnds(config, env, presets);
  notices.unshift(...noticeLeftOut(off, ends.unserved));
  notices.push(...noticeLiteralSecrets(document.tree, config), ...ends.notices);
  return {
    config,
    secrets: buildSecrets(parts),
    notices,
    lineOf: document.lineOf,
    shown: () => shownSettings(document, overrides),
  };
}

function refuse(problems: readonly Problem[]): never {
  throw new ConfigError(problems.toSorted(byPlace));
}

function openDocument(text: string, file: string | null, problems: readonly Problem[]): ConfigDocument {
  const document = readDocument(text);
  if (!('faults' in document)) return document;
  return refuse([...problems, ...document.faults.map((fault) => ({ file, ...fault, path: showPath(fault.path) }))]);
}

/** Fills in variables and validates the tree; `null` if there are problems. */
function check(tree: unknown, env: Environment, problem: Report): Checked | null {
  const filled = interpolate(tree ?? {}, env);
  const without = withoutUnset(filled);
  const refused = new Set<string>();
  // A value with an unset variable is missing from the tree. The schema must not report it again.
  const refuseOnce: Report = (path, message) => {
    if (!refused.has(showPath(path))) problem(path, message);
    refused.add(showPath(path));
  };
  for (const path of filled.malformed) refuseOnce(path, MALFORMED);
  for (const path of filled.foreign) refuseOnce(path, FOREIGN);
  for (const { path, variable } of without.needed) refuseOnce(path, unset(variable));
  const result = FILE.safeParse(without.tree, { error: sentence });
  for (const { path, message } of result.success ? [] : explain(result.error.issues))
    refuseOnce(without.original(path), message);
  return result.success && refused.size === 0 ? { file: result.data, without } : null;
}
