import { GatewayError } from '../../core/errors.ts';
import type { Envelope, Versions } from '../dialect.ts';
import { parsedBody } from '../request.ts';
import { parseCall } from './body.ts';
import { isList, loose } from './wire.ts';

export const VERSION_HEADER = 'anthropic-version';

/**
 * Something that a version takes no more: an outermost member of the call, a kind of block that stands directly in turns of a role,
 * or a member of such blocks that is not empty. `words`: the vendor’s, behind the place.
 */
type Removal = Readonly<{
  role?: 'user' | 'assistant';
  block?: string;
  member?: string;
  words: string;
  source: string;
}>;

const EXTRA = 'Extra inputs are not permitted';
const MEASURED = 'https://qiita.com/Synthorai/items/01a0067e88747257a4e6';
const UNCHECKED = `${MEASURED}; its words were not checked`;

/** What each version has removed, with where that is told (read 2026-11-27). `docs/translation.md` has the same table. */
export const REMOVALS: ReadonlyMap<string, readonly Removal[]> = new Map([
  [
    '2026-10-21',
    [
      { member: 'temperature', words: EXTRA, source: MEASURED },
      { member: 'top_p', words: EXTRA, source: MEASURED },
      { member: 'top_k', words: EXTRA, source: MEASURED },
      {
        ...{ role: 'assistant', block: 'document' },
        words: '`document` blocks are not permitted in assistant messages',
        source: UNCHECKED,
      },
      { role: 'user', block: 'text', member: 'citations', words: EXTRA, source: UNCHECKED },
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
  removed: (forwarded) => REMOVED_MEMBERS.get(versionOf(forwarded)) ?? NONE,
  check(envelope, forwarded) {
    const removals = REMOVALS.get(versionOf(forwarded));
    if (removals !== undefined) refuse(envelope, removals);
  },
};

function versionOf(forwarded: readonly string[]): string {
  const at = forwarded.indexOf(VERSION_HEADER);
  return at < 0 ? '' : forwarded[at + 1]!;
}

function refuse(envelope: Envelope, removals: readonly Removal[]): void {
  const body = loose(parsedBody(envelope, parseCall));
  for (const { block, member, words } of removals) {
    if (block === undefined && isGiven(body[member!])) throw refusal([member!], words);
  }
  for (const [at, message] of (isList(body.messages) ? body.messages : []).entries()) {
    const { role, content } = loose(message);
    for (const [place, block] of (isList(content) ? content : []).entries()) {
      const found = removals.find((removal) => isIn(loose(block), role, removal));
      if (found === undefined) continue;
      const path = ['messages', at, 'content', place];
      throw refusal(found.member === undefined ? path : [...path, found.member], found.words);
    }
  }
}

function isIn(block: Readonly<Record<string, unknown>>, role: unknown, removal: Removal): boolean {
  if (removal.block === undefined || removal.role !== role || removal.block !== block.type) return false;
  return removal.member === undefined || isGiven(block[removal.member]);
}

/** `null` and an empty list say nothing. */
function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && !(isList(value) && value.length === 0);
}

function refusal(path: readonly (string | number)[], words: string): GatewayError {
  const param = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
  return new GatewayError('invalid_request', `${path.join('.')}: ${words}`, {
    param: param.slice(1),
    code: 'unsupported_parameter',
  });
}
