import type { ConfigSetting } from '../core/config-setting.ts';
import type { DialectId } from '../core/provider.ts';
import { type BuildParts, buildConfig, buildSecrets } from './build.ts';
import type { Config, PresetNames, Secrets } from './config.ts';
import { type ConfigDocument, readDocument } from './document.ts';
import { readEnvironment } from './environment.ts';
import { type Environment, interpolate, MALFORMED, unset } from './interpolate.ts';
import { noticeDeadEnds, noticeLeftOut, noticeLiteralSecrets } from './notices.ts';
import { byPlace, ConfigError, type Path, type Problem, type Report, showPath } from './problems.ts';
import { providersFromEnvironment, providersFromFile } from './providers.ts';
import { type ConfigFile, FILE } from './schema.ts';
import { explain, sentence } from './sentences.ts';
import { shownSettings } from './shown.ts';
import { type WithoutUnset, withoutUnset } from './unset.ts';

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
  /** How many workers run already, for a reload. */
  running?: number;
};

export type ReadConfig = {
  config: Config;
  secrets: Secrets;
  /** Sentences that the operator should see at start: what is off and why, and what is unwise. */
  notices: string[];
  /** The line of the file on which a setting stands, from 1; `null` where the file does not have it. */
  lineOf(path: Path): number | null;
  /** The gateway's own settings, as people read them. */
  shown(): ConfigSetting[];
};

/** An editor or a full disk leaves an empty file behind; taken at its word, it would turn every provider off. */
const NOTHING_IN_IT = 'the file holds no settings; write {} where every default is meant';

/** The file as its schema returns it, and the tree that was checked, without what needs variables that are not set. */
type Checked = { file: ConfigFile; without: WithoutUnset };

/**
 * Reads a configuration. Pure: touches no disk and no clock.
 * Throws a `ConfigError` with every problem that was found, in the order of the file.
 */
export function readConfig({ text, file, env, presets, built, running = 0 }: ConfigInput): ReadConfig {
  const path = text === null ? null : (file ?? 'headgate.yaml');
  const { overrides, problems } = readEnvironment(env);
  const document = openDocument(text ?? '', path, problems);
  const report: Report = (at, message) => {
    problems.push({ file: path, ...document.place(at), path: showPath(at), message });
  };

  if (text !== null && document.tree === null) report([], NOTHING_IN_IT);
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

/** Fills in the variables and holds the tree against the schema; `null` where that found problems. */
function check(tree: unknown, env: Environment, problem: Report): Checked | null {
  const filled = interpolate(tree ?? {}, env);
  const without = withoutUnset(filled);
  const refused = new Set<string>();
  // A value whose variable is not set is missing from the tree; the schema must not report it a second time.
  const refuseOnce: Report = (path, message) => {
    if (!refused.has(showPath(path))) problem(path, message);
    refused.add(showPath(path));
  };
  for (const path of filled.malformed) refuseOnce(path, MALFORMED);
  for (const { path, variable } of without.needed) refuseOnce(path, unset(variable));
  const result = FILE.safeParse(without.tree, { error: sentence });
  for (const { path, message } of result.success ? [] : explain(result.error.issues))
    refuseOnce(without.original(path), message);
  return result.success && refused.size === 0 ? { file: result.data, without } : null;
}
