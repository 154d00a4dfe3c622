/** The settings and keys that can be found by name. */
export const KEPT_KINDS = ['api_key', 'admin_api_key', 'user', 'project', 'group', 'budget'] as const;
export type KeptKind = (typeof KEPT_KINDS)[number];

/** A search. `ofProjects`: only keys and projects of these are found (default: of all that are not archived). */
export type KeptSearch = {
  words: string;
  kinds: readonly { kind: KeptKind; ofProjects?: ReadonlySet<string> }[];
  /** The most results per kind; the best are kept. */
  limit: number;
};

/** A result. `about` distinguishes it from others of the same name, such as a person's email address. */
export type FoundKept = {
  kind: KeptKind;
  id: string;
  name: string;
  about: string | null;
  project: { id: string; name: string } | null;
};

/** `more`: the kinds with more results than the limit. */
export type FoundPage<Kind, Each> = { items: readonly Each[]; more: readonly Kind[] };

/** The quality of a match, best first. Names come before ids, which are random. */
export const RANKS = { same: 0, begins: 1, wordBegins: 2, holds: 3, id: 4 } as const;

/** The least number of characters that are compared with parts of ids. Shorter texts occur in many ids by chance. */
export const LEAST_OF_ID = 4;

/** A text for comparison: without regard to case, or to the encoding of accents. */
export function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/**
 * The rank of the names and ids for a search; `null` if they do not match. All texts are `folded`. Each of several
 * words must occur in some name.
 * @param ids - several if a thing has several, such as the ends of a key's secret
 */
export function rankOf(words: string, names: readonly string[], ids: readonly string[]): number | null {
  if (words === '') return null;
  if (names.includes(words) || ids.includes(words)) return RANKS.same;
  if (names.some((name) => name.startsWith(words))) return RANKS.begins;
  const at = names.map((name) => name.indexOf(words));
  if (at.some((index, each) => index > 0 && !/[\p{L}\p{N}]/u.test(names[each]![index - 1]!))) return RANKS.wordBegins;
  if (at.some((index) => index >= 0)) return RANKS.holds;
  const several = words.split(/\s+/);
  if (several.length > 1 && several.every((word) => names.some((name) => name.includes(word)))) return RANKS.holds;
  return ids.some((id) => isInId(words, id)) ? RANKS.id : null;
}

/** The prefix of ids of a kind (`key_`) does not identify any of them. */
function isInId(words: string, id: string): boolean {
  const ownPart = id.indexOf('_') + 1;
  if (words.length > ownPart && id.startsWith(words)) return true;
  return words.length >= LEAST_OF_ID && id.includes(words, ownPart);
}
