import type { Versions } from '../dialect.ts';

export const VERSION_HEADER = 'anthropic-version';

/**
 * What a version no longer accepts: an outermost member of the call, a kind of block directly in turns of a role, or a
 * non-empty member of such blocks.
 */
type Removal = Readonly<{ role?: 'user' | 'assistant'; block?: string; member?: string; source: string }>;

const MEASURED = 'https://qiita.com/Synthorai/items/01a0067e88747257a4e6';

/** What each version removed, with the source (read 2026-11-27). `docs/translation.md` has the same table. */
export const REMOVALS: ReadonlyMap<string, readonly Removal[]> = new Map([
  [
    '2026-10-21',
    [
      { member: 'temperature', source: MEASURED },
      { member: 'top_p', source: MEASURED },
      { member: 'top_k', source: MEASURED },
      { role: 'assistant', block: 'document', source: MEASURED },
      { role: 'user', block: 'text', member: 'citations', source: MEASURED },
    ],
  ],
]);

/** The outermost members that each version has removed. */
const REMOVED_MEMBERS = new Map(
  [...REMOVALS].map(([version, removals]) => [
    version,
    new Set(removals.flatMap(({ block, member }) => (block === undefined && member !== undefined ? [member] : []))),
  ]),
);
const NONE: ReadonlySet<string> = new Set();

/** The versions of the API, named in a header. https://platform.claude.com/docs/en/api/versioning */
export const VERSIONS: Versions = {
  removed(forwarded) {
    const at = forwarded.indexOf(VERSION_HEADER);
    return at < 0 ? NONE : (REMOVED_MEMBERS.get(forwarded[at + 1]!) ?? NONE);
  },
};
