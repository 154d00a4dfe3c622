import type { Directory, Model, Provider } from './provider.ts';

/**
 * The names of a model, from the most specific to the most general: its own names, then those of the models that it is a
 * version of. Terms are only for comparison.
 */
export type ModelIdentity = readonly (readonly string[])[];

type ModelNames = Pick<Model, 'id' | 'upstreamId'>;
type ProviderNames = Pick<Provider, 'id' | 'account'>;
type Find = Directory['find'];

/** `provider/model:free`, `model@preset`: vendors add such words to one model's name. */
const TAG = /(?<=.)[:@][^/]*$/;
const MONTH_OF_YEAR = '(?:0[1-9]|1[0-2])';
const DAY_OF_MONTH = '(?:0[1-9]|[12]\\d|3[01])';
const YEAR = '(?:20)?2\\d';
/** Suffixes of names: dates in vendors' formats, version numbers (`-002`), and words for the latest version. */
const VERSION = new RegExp(
  `(?:-(?:${[
    '\\d{8}',
    `${YEAR}-?${MONTH_OF_YEAR}(?:-?${DAY_OF_MONTH})?`,
    `(?:${MONTH_OF_YEAR}-${DAY_OF_MONTH}|${DAY_OF_MONTH}-${MONTH_OF_YEAR})-20\\d{2}`,
    `${MONTH_OF_YEAR}-?${DAY_OF_MONTH}`,
    `${MONTH_OF_YEAR}-2\\d{3}`,
    ...['00\\d', 'latest', 'default'],
  ].join('|')}))$`,
);
const NEWEST = /[-@:](?:latest|default)$/;
/** Vendors treat these separators as equal, and so do limits. */
const JOINTS = /[-._~+=,]+/g;
const DAY = /-(\d{4})-(\d{2})-(\d{2})(?!\d)/g;
const DAY_AT = /@(?=\d{8}$)/;
/** Marks before a name or its maker's: `@cf/…`, `~model`. */
const MARKS = /(?<=^|\/)[@~]+/g;
/**
 * Prefixes of Amazon Bedrock's inference profiles, which serve a model in some regions (`us.anthropic.claude-…`):
 * https://docs.aws.amazon.com/cdk/api/v2/docs/@aws-cdk_aws-bedrock-alpha.CrossRegionInferenceProfileRegion.html, read
 * 2026-11-28.
 */
const REGION = /^(?:us|us-gov|eu|apac|jp|au|global)\.(?=.)/;
const OUTER_JOINTS = /^-|-(?=\/|$)|(?<=\/)-/g;

/** /!\ Hot path: made once for each model of a snapshot. */
const identities = new WeakMap<ModelNames, ModelIdentity>();

/** The identity of a model at its provider. */
export function identityOf(provider: ProviderNames, model: ModelNames): ModelIdentity {
  let identity = identities.get(model);
  if (identity === undefined) {
    identity = makeIdentity(provider, model);
    identities.set(model, identity);
  }
  return identity;
}

function makeIdentity(provider: ProviderNames, { id, upstreamId }: ModelNames): ModelIdentity {
  const [ofId, ofUpstream] = [formsOf(id), formsOf(upstreamId)];
  const levels: string[][] = [];
  const seen = new Set<string>();
  for (let level = 0; level < Math.max(ofId.length, ofUpstream.length); level += 1) {
    const [own, theirs] = [ofId[level] ?? [], ofUpstream[level] ?? []];
    const terms = [
      ...own.map((form) => rowTerm(provider, form)),
      ...theirs.map((form) => accountTerm(provider, form)),
      ...own,
      ...theirs,
    ].filter((term) => !seen.has(term));
    for (const term of terms) seen.add(term);
    if (terms.length > 0) levels.push([...new Set(terms)]);
  }
  return levels;
}

/**
 * The name itself, without its tag, and without its version suffixes one by one; each with and without the maker's name.
 * The same again without a region before the name, which is the most general.
 */
function formsOf(name: string): string[][] {
  const last = name.slice(name.lastIndexOf('/') + 1).toLowerCase();
  const anywhere = last.replace(REGION, '');
  return anywhere === last ? plainForms(name) : [...plainForms(name), ...plainForms(anywhere)];
}

function plainForms(name: string): string[][] {
  const [own, untagged] = [folded(name), folded(name.replace(TAG, ''))];
  const levels = [[own], [untagged]];
  const shorter = (forms: readonly string[]) =>
    forms.map((form) => form.replace(VERSION, '')).filter((form, index) => form !== '' && form !== forms[index]);
  for (let forms = shorter([own, untagged]); forms.length > 0; forms = shorter(forms)) levels.push(forms);
  return [...levels, levels.flat().map((form) => form.slice(form.lastIndexOf('/') + 1))];
}

/** Normalizes spellings that vendors treat as the same name. */
function folded(name: string): string {
  return name
    .toLowerCase()
    .replace(/^models\//, '')
    .replace(MARKS, '')
    .replace(DAY_AT, '-')
    .replace(JOINTS, '-')
    .replace(DAY, '-$1$2$3')
    .replace(OUTER_JOINTS, '');
}

function rowTerm({ id }: ProviderNames, form: string): string {
  return `${id} ${form}`;
}

/** Providers with the same address and credential have the same models by their vendor's names. */
function accountTerm({ id, account = id }: ProviderNames, form: string): string {
  return `${account}  ${form}`;
}

/**
 * The terms of a name in a limit. `provider/model` and an alias mean that provider's model, under any name, and its versions.
 * A bare model name means the model at every provider.
 */
function meaningOf(name: string, find: Find): string[] {
  const newest = name.replace(NEWEST, '') || name;
  const entry = find(newest) ?? find(name) ?? find(newest.toLowerCase());
  if (entry === undefined || entry.origin !== 'vendor') {
    const slash = newest.indexOf('/');
    const bare = folded(newest);
    return slash < 1 ? [bare] : [bare, rowTerm({ id: newest.slice(0, slash) }, folded(newest.slice(slash + 1)))];
  }
  const { provider, model } = entry;
  const [own, theirs] = [folded(model.id), folded(model.upstreamId)];
  const there = [rowTerm(provider, own), accountTerm(provider, theirs)];
  const isBare = newest.toLowerCase() === model.id.toLowerCase() || name === model.id;
  return isBare ? [...there, own, theirs] : there;
}

type Meanings = { find: Find; terms: ReadonlySet<string> };
const meanings = new WeakMap<readonly string[], Meanings>();

/** The terms of a list of names. /!\ Hot path: a list is read once per set of callable models. */
export function termsOf(names: readonly string[], find: Find): ReadonlySet<string> {
  const known = meanings.get(names);
  if (known?.find === find) return known.terms;
  const terms = new Set(names.flatMap((name) => meaningOf(name, find)));
  meanings.set(names, { find, terms });
  return terms;
}

/** True if the terms mean the model, or a model that it is a version of. */
export function matchesTerms(identity: ModelIdentity, terms: ReadonlySet<string>): boolean {
  for (const level of identity) for (const term of level) if (terms.has(term)) return true;
  return false;
}

/** Values for names of models, by the terms of the names. */
export type ByMeaning<Value> = { find: Find; values: ReadonlyMap<string, readonly Value[]> };

export function byMeaning<Value>(named: ReadonlyMap<string, Value>, find: Find): ByMeaning<Value> {
  const values = new Map<string, Value[]>();
  for (const [name, value] of named) {
    for (const term of new Set(meaningOf(name, find))) values.set(term, [...(values.get(term) ?? []), value]);
  }
  return { find, values };
}

/** The values for a model under its most specific names. */
export function valuesFor<Value>(identity: ModelIdentity, { values }: ByMeaning<Value>): readonly Value[] {
  for (const level of identity) {
    const found = level.flatMap((term) => values.get(term) ?? []);
    if (found.length > 0) return [...new Set(found)];
  }
  return [];
}
