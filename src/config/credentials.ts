import { DEFAULT_CREDENTIAL, type OutgoingRate } from '../core/provider.ts';
import { Secret } from '../core/secret.ts';
import type { PresetNames, ProviderKey } from './config.ts';
import { type Environment, firstVariable } from './interpolate.ts';
import type { Path, Report } from './problems.ts';
import type { ProviderEntry } from './provider-schema.ts';
import { rateOf } from './rate-schema.ts';

export type CredentialInput = {
  id: string;
  entry: ProviderEntry;
  /** The preset's variables for keys. */
  names: PresetNames;
  env: Environment;
  /** Unset variables that keys refer to, by the JSON of the key's path. */
  unset: { keys: ReadonlyMap<string, string> };
  problem: Report;
  leaveOut(words: string): void;
  notice(sentence: string): void;
};

export type Credentials = {
  keys: readonly ProviderKey[];
  /** The reason why the provider is off: no key is set. `null` if it is on. */
  off: string | null;
};

/** A place for a key: `value` is the key, `why` the reason for its absence. Both are absent if no key is needed. */
type GivenCredential = {
  name: string;
  weight: number;
  value: string | undefined;
  why: string | null;
  rate?: OutgoingRate | undefined;
};

const BROKEN = 'contains characters that are not allowed in a header';

/** True if the path is that of a provider's key, whose variable may be unset. */
export function isKeyPath(path: Path): boolean {
  const [top, , setting, , last] = path;
  if (top !== 'providers') return false;
  return (
    (path.length === 3 && setting === 'api_key') || (path.length === 5 && setting === 'api_keys' && last === 'key')
  );
}

/**
 * Reads a provider's usable keys: `api_key` first, then the named ones. Unusable keys are left out; without a usable key the
 * provider is off.
 */
export function readCredentials(input: CredentialInput): Credentials {
  const { id, entry, notice, leaveOut } = input;
  const named = (entry.api_keys ?? []).map((_, index) => namedKey(input, index));
  // A list of named keys is complete: the preset's variable is not read beside it.
  const isPlain = named.length === 0 || entry.api_key !== undefined || missingAt(input, ['api_key']) !== undefined;
  checkNames(input, isPlain);
  const candidates = isPlain ? [plainKey(input), ...named] : named;
  const keys = candidates.flatMap(({ name, weight, value, why, rate }) =>
    value === undefined || why !== null ? [] : [{ name, weight, secret: new Secret(value), ...(rate && { rate }) }],
  );
  const lost = candidates.filter(({ why }) => why !== null);
  if (keys.length === 0) return { keys, off: lost.length === 0 ? null : lost.map(({ why }) => why).join('; ') };
  for (const { name, why } of lost) leaveOut(`Credential ${name} of provider ${id} is left out: ${why}`);
  if (keys.every(({ weight }) => weight === 0))
    notice(`Provider ${id} has no usable credential with a weight above 0.`);
  return { keys, off: null };
}

/** `OPENAI_API_KEY is not set`. */
export function notSet(variables: readonly string[]): string {
  if (variables.length === 0) return 'it has no api_key';
  if (variables.length === 1) return `${variables[0]} is not set`;
  return `none of ${variables.join(', ')} is set`;
}

function plainKey(input: CredentialInput): GivenCredential {
  const { entry, names, env } = input;
  const plain = { name: DEFAULT_CREDENTIAL, weight: 1, value: undefined };
  const missing = missingAt(input, ['api_key']);
  if (missing !== undefined) return { ...plain, why: notSet([missing]) };
  const found = firstVariable(env, names.keyEnv);
  const value = (entry.api_key ?? found?.value)?.trim();
  if (value === undefined) return { ...plain, why: names.needsKey ? notSet(names.keyEnv) : null };
  const where = entry.api_key === undefined ? found?.name : 'its api_key';
  return { ...plain, value, why: isUsable(value) ? null : `${where} ${BROKEN}` };
}

function namedKey(input: CredentialInput, index: number): GivenCredential {
  const { name, weight = 1, key, ...limits } = input.entry.api_keys![index]!;
  const rate = rateOf(limits);
  const missing = missingAt(input, ['api_keys', index, 'key']);
  if (missing !== undefined) return { name, weight, value: undefined, why: notSet([missing]) };
  if (key === undefined) input.problem(['providers', input.id, 'api_keys', index, 'key'], 'must be given');
  const value = key?.trim() ?? '';
  return { name, weight, value, rate, why: isUsable(value) ? null : `its key ${BROKEN}` };
}

function checkNames({ id, entry, problem }: CredentialInput, isPlain: boolean): void {
  const path = ['providers', id, 'api_keys'];
  const names = new Set(isPlain ? [DEFAULT_CREDENTIAL] : []);
  for (const [index, { name }] of (entry.api_keys ?? []).entries()) {
    if (names.has(name)) {
      const isTaken = isPlain && name === DEFAULT_CREDENTIAL;
      problem([...path, index, 'name'], isTaken ? `is reserved for the api_key` : `names ${name} a second time`);
    }
    names.add(name);
  }
  const hasNone = !isPlain && (entry.api_keys ?? []).every(({ weight }) => weight === 0);
  if (hasNone) problem(path, 'must have one with a weight above 0');
}

function missingAt({ id, unset }: CredentialInput, steps: Path): string | undefined {
  return unset.keys.get(JSON.stringify(['providers', id, ...steps]));
}

function isUsable(key: string): boolean {
  return /^[!-~]+$/.test(key);
}
