/** What is kept in settings and keys and can be found by its name. */
export const KEPT_KINDS = ['api_key', 'admin_api_key', 'user', 'project', 'group', 'budget'] as const;
export type KeptKind = (typeof KEPT_KINDS)[number];

/**
 * What is looked for. `ofProjects`: of keys and projects only those of these are found; left out, those of all that are not
 * archived.
 */
export type KeptSearch = {
  words: string;
  kinds: readonly { kind: KeptKind; ofProjects?: ReadonlySet<string> }[];
  /** Of each kind at most so many, the best. */
  limit: number;
};

/** Something that was found. `about` tells it from others of its name: a person's address. */
export type FoundKept = {
  kind: KeptKind;
  id: string;
  name: string;
  about: string | null;
  project: { id: string; name: string } | null;
};

/** `more`: of which kinds there are more than were asked for. */
export type FoundPage<Kind, Each> = { items: readonly Each[]; more: readonly Kind[] };

/** How well something fits what is looked for, from the best on. Names come before ids, which are random. */
export const RANKS = { same: 0, begins: 1, wordBegins: 2, holds: 3, id: 4 } as const;

/** From so many characters on, what is looked for may be a part of an id: fewer are in many ids by chance. */
export const LEAST_OF_ID = 4;

/** A text as it is compared: capitals do not count, nor does how an accent was typed. */
export function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/**
 * How well names and an id fit; `null`: they do not. All are `folded`. Of several words each must be in some name.
 *
 * @param ids - more than one where a thing has several, such as the ends of a key's secret
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

/** What ids of a kind begin with (`key_`) says nothing of one of them. */
function isInId(words: string, id: string): boolean {
  const ownPart = id.indexOf('_') + 1;
  if (words.length > ownPart && id.startsWith(words)) return true;
  return words.length >= LEAST_OF_ID && id.includes(words, ownPart);
}
