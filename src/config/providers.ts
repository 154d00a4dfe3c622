import type { Concurrency, DialectId } from '../core/provider.ts';
import type { ModelConfig, PresetNames, ProviderConfig, ProviderKey } from './config.ts';
import { type Credentials, notSet, readCredentials } from './credentials.ts';
import { factsOf, given } from './facts.ts';
import { address } from './fields.ts';
import { type Environment, firstVariable, variableList } from './interpolate.ts';
import type { ModelEntry } from './model-schema.ts';
import type { Path, Report } from './problems.ts';
import { DEFAULT_QUEUE, type ProviderEntry } from './provider-schema.ts';
import { rateOf } from './rate-schema.ts';
import { suggestion } from './suggestion.ts';
import type { WithoutUnset } from './unset.ts';

/** The id of the built-in provider, which is reserved. */
export const ECHO = 'echo';

/** The preset names of a custom provider. */
const CUSTOM: PresetNames = { id: '', keyEnv: [], needsKey: false, needsBaseUrl: true, baseUrlEnv: [] };

export type ProviderInput = {
  env: Environment;
  presets: readonly PresetNames[];
  built: readonly DialectId[];
  problem: Report;
  /** The source of prices (default: the file). */
  priceSource?: string;
  /** Unset variables that keys and other provider settings refer to. */
  unset: Pick<WithoutUnset, 'keys' | 'providers'>;
  notice(sentence: string): void;
  /** Records that something is off: a sentence without a full stop. */
  leaveOut(words: string): void;
};

/** A provider and its keys; no keys if it is off. */
export type KeyedProvider = { provider: ProviderConfig; keys: readonly ProviderKey[] };

/** A value, or the reason why the provider is off. */
type Found = { value: string | null; off: string | null };
type Dialects = { value: readonly DialectId[] | null; off: string | null };

/** The providers without a file: each preset that needs a key and finds one in the environment, in preset order. */
export function providersFromEnvironment(input: ProviderInput): KeyedProvider[] {
  return input.presets
    .filter((preset) => preset.needsKey && firstVariable(input.env, preset.keyEnv) !== null)
    .map((preset) => readProvider(input, preset.id, { headers: new Map() }));
}

/** The providers of the file, in its order. */
export function providersFromFile(input: ProviderInput, entries: ReadonlyMap<string, ProviderEntry>): KeyedProvider[] {
  return [...entries].map(([id, entry]) => readProvider(input, id, entry));
}

function readProvider(input: ProviderInput, id: string, entry: ProviderEntry): KeyedProvider {
  return readRow(input, id, entry, (names) => readCredentials({ ...input, id, entry, names }));
}

/** @param credentialsOf reads the keys of a provider with the given preset names */
export function readRow(
  input: ProviderInput,
  id: string,
  entry: ProviderEntry,
  credentialsOf: (names: PresetNames) => Credentials,
): KeyedProvider {
  const path: [string, string] = ['providers', id];
  const isWhole = !input.unset.providers.has(id);
  const preset = findPreset(input, path, entry);
  const names = preset ?? CUSTOM;
  const baseUrl = isWhole ? findBaseUrl(input, path, entry, names) : { value: null, off: null };
  const credentials = credentialsOf(names);
  const dialects = builtOnly(input, `Provider ${id}`, entry.dialects);
  const unset = input.unset.providers.get(id);
  const off = (unset && variableList(unset)) ?? credentials.off ?? baseUrl.off ?? dialects.off;
  if (off !== null) input.leaveOut(`Provider ${id} is off: ${off}`);
  checkLists(input, path, entry, preset);
  const provider: ProviderConfig = {
    id,
    preset: preset?.id ?? null,
    baseUrl: baseUrl.value,
    label: entry.label ?? null,
    dialects: dialects.value,
    models: readModels(input, [...path, 'models'], entry.models ?? []),
    only: entry.only === undefined ? null : readModels(input, [...path, 'only'], entry.only),
    unknownModels: entry.unknown_models ?? 'pass',
    headers: readHeaders(input, path, entry.headers),
    credentials: credentials.keys.map(({ name }) => name),
    region: entry.region ?? null,
    sharedIds: entry.shared_ids ?? 'refuse',
    ...(entry.message_threads !== undefined && { messageThreads: entry.message_threads }),
    concurrency: isWhole ? concurrencyOf(input, path, entry) : null,
    off,
    ...given({ rate: rateOf(entry) }),
  };
  return { provider, keys: off === null ? credentials.keys : [] };
}

function findPreset(
  { presets, problem, unset }: ProviderInput,
  path: [string, string],
  entry: ProviderEntry,
): PresetNames | null {
  const [, id] = path;
  const ids = presets.map((preset) => preset.id);
  const meant = presets.find(({ alsoCalled = [] }) => alsoCalled.includes(id.toLowerCase()));
  const preset = presets.find((each) => each.id === (entry.preset ?? id)) ?? null;
  if (id === ECHO) {
    problem(path, 'is built in; write “echo: false” at the top level of the file to turn it off');
  } else if (preset === null && entry.preset !== undefined) {
    problem([...path, 'preset'], `is not a preset${suggestion(entry.preset, ids)}`);
  } else if (preset === null && entry.base_url === undefined && !unset.providers.has(id)) {
    problem(path, `is not the name of a preset${suggestion(meant?.id ?? id, ids)}, so it must have a base_url`);
  }
  return preset;
}

function findBaseUrl({ env, problem }: ProviderInput, path: Path, entry: ProviderEntry, names: PresetNames): Found {
  if (entry.base_url !== undefined) return { value: entry.base_url, off: null };
  const found = firstVariable(env, names.baseUrlEnv);
  if (found !== null) return addressIn(found.name, found.value);
  if (!names.needsBaseUrl || names === CUSTOM) return { value: null, off: null };
  if (names.baseUrlEnv.length > 0) return { value: null, off: notSet(names.baseUrlEnv) };
  problem(path, `must have a base_url: the preset ${names.id} has no address of its own`);
  return { value: null, off: null };
}

/** A vendor's variable may hold a bare name (`AZURE_RESOURCE_NAME`), from which the preset makes the address. */
function addressIn(variable: string, value: string): Found {
  if (/^[A-Za-z0-9-]+$/.test(value)) return { value, off: null };
  const read = address().safeParse(value);
  if (read.success) return { value: read.data, off: null };
  return { value: null, off: `${variable} ${read.error.issues[0]?.message}` };
}

/** Refuses settings without effect, and warns of settings whose meaning has changed. */
function checkLists(
  { problem, notice }: ProviderInput,
  path: [string, string],
  entry: ProviderEntry,
  preset: PresetNames | null,
): void {
  const { models, only, unknown_models: unknown } = entry;
  for (const [name, value] of Object.entries({ models, unknown_models: unknown })) {
    if (only !== undefined && value !== undefined) {
      problem([...path, name], 'has no effect beside “only”, which lists all models that are served');
    }
  }
  if (models === undefined || only !== undefined || unknown !== undefined || preset === null) return;
  notice(
    `Provider ${path[1]} serves every model that it has; “models” only adds to what is known of them. ` +
      'To serve these alone, name them under “only”; to hide this note, set “unknown_models: pass”.',
  );
}

function concurrencyOf({ problem }: ProviderInput, path: Path, entry: ProviderEntry): Concurrency | null {
  const { max_concurrency: max, queue } = entry;
  if (max !== undefined)
    return { max, queue: queue?.length ?? DEFAULT_QUEUE.length, wait: queue?.wait ?? DEFAULT_QUEUE.wait };
  if (queue !== undefined) problem([...path, 'queue'], 'needs max_concurrency beside it');
  return null;
}

/** Leaves out dialects that are not supported yet, with a notice. Without a supported dialect the subject is off. */
function builtOnly(
  { built, notice }: ProviderInput,
  subject: string,
  dialects: readonly DialectId[] | undefined,
): Dialects {
  if (dialects === undefined) return { value: null, off: null };
  const usable = dialects.filter((dialect) => built.includes(dialect));
  const unbuilt = dialects.filter((dialect) => !built.includes(dialect)).join(', ');
  if (usable.length === 0) return { value: dialects, off: `none of its dialects is supported yet (${unbuilt})` };
  if (unbuilt !== '') notice(`${subject} does not use dialects that are not supported yet: ${unbuilt}.`);
  return { value: usable, off: null };
}

function readModels(
  input: ProviderInput,
  path: [string, string, string],
  entries: readonly (string | ModelEntry)[],
): ModelConfig[] {
  const [, provider] = path;
  const models = new Map<string, ModelConfig>();
  for (const [index, each] of entries.entries()) {
    const entry: ModelEntry = typeof each === 'string' ? { id: each } : each;
    const { id, upstream = id } = entry;
    const dialects = builtOnly(input, `Model ${provider}/${id}`, entry.dialects);
    if (models.has(id)) input.problem([...path, index], `lists ${id} a second time`);
    if (dialects.off !== null) input.notice(`Model ${provider}/${id} is left out: ${dialects.off}.`);
    else
      models.set(id, {
        id,
        upstream,
        ...(dialects.value && { dialects: dialects.value }),
        ...(entry.think_tags !== undefined && { thinkTags: entry.think_tags }),
        ...factsOf(entry, input.priceSource),
      });
  }
  return [...models.values()];
}

function readHeaders(input: ProviderInput, path: Path, entries: ReadonlyMap<string, string>): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of entries) {
    const lower = name.toLowerCase();
    if (Object.hasOwn(headers, lower))
      input.problem([...path, 'headers', name], 'is given twice, with different capitalization');
    headers[lower] = value;
  }
  return headers;
}
