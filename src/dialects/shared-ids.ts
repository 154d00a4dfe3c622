import { GatewayError } from '../core/errors.ts';
import { countMembers } from '../core/json.ts';
import type { Provider } from '../core/provider.ts';
import type { Envelope } from './dialect.ts';
import { caseless, parseJson, type RequestBody } from './request.ts';

/**
 * What a call names in its vendor's account: a file, a container, an earlier answer, a stored prompt. The account is the
 * operator's, and shared by all of its callers, so that an id leads to whatever anyone who uses it has put there.
 * `unclear`: it may, but a name stands twice in one object, and nobody can say which of the two its vendor reads.
 */
export type SharedId = { kind: 'names' | 'keeps'; param: string } | { kind: 'unclear' };

/** Where a surface has such ids beside the places that are the same on all. */
export type OwnPlaces = {
  /** Outermost members that ask for the call to be kept in the account. */
  keeps: readonly string[];
  /** The outermost list whose items may stand for kept ones, and the member of an item that makes it one. */
  items?: { list: string; find(item: Members): string | null };
};

type Members = Readonly<Record<string, unknown>>;

/**
 * Members that are an id or a list of ids, wherever they stand. These and all names below are in lower case, and found in
 * any: some vendors read `File_ID` as `file_id`.
 */
const IDS: ReadonlySet<string> = new Set([
  ...['file_id', 'file_ids', 'vector_store_id', 'vector_store_ids', 'container_id', 'skill_id', 'connector_id'],
  ...['previous_response_id', 'previous_message_id', 'cached_content', 'cachedcontent'],
  ...['collection_ids', 'library_ids', 'knowledge_id'],
]);

/** Members whose own `id` is one, wherever they stand. A container may also be named by a text in its place. */
const HOLDERS: ReadonlySet<string> = new Set(['container', 'audio', 'voice']);

/** Outermost members that are an id, or an object that has one as its `id`; a prompt that is a text is that text. */
const OUTERMOST = ['conversation', 'preset', 'prompt'];

/**
 * Members under which a caller's own JSON stands, whose names mean nothing to a vendor; and what an earlier answer says
 * of where its words came from.
 */
const OWN_WORDS: ReadonlySet<string> = new Set([
  ...['parameters', 'input_schema', 'input_examples', 'schema', 'arguments', 'metadata', 'annotations', 'citations'],
]);

/** Skills that the vendor itself offers to everybody. */
const VENDORS_OWN_SKILL = 'anthropic';

/** Blocks in which a vendor told what its own tool made. They must come back as they were, and open no file. */
const VENDORS_RESULT = /^(?:bash_)?code_execution_output$/;

/**
 * One of the names above as it stands in JSON, read as latin1. Inside a text a quote is escaped, so that words never look
 * like a name. Two letters of Unicode are other cases of `s` and `k`.
 */
const NAME = new RegExp(
  `"(?:${[...IDS, ...HOLDERS].join('|')})"`.replaceAll('s', '(?:s|\xc5\xbf)').replaceAll('k', '(?:k|\xe2\x84\xaa)'),
  'i',
);

/** /!\ Hot path: a piece of each of them. So short and rare ones are found many times faster than the names together. */
const PIECE = /_id|contai|cached|voice"|audio"/gi;
/** Longer than any name with its quotes. */
const AROUND = 32;
/** A text with more of the pieces than this is looked through for the names at once. */
const MAX_PIECES = 1000;

/** A letter, or what stands between two in a name, written as an escape: it may hide a name from whoever looks at the bytes. */
export const ESCAPED_LETTER = /\\u00(?:5f|4[1-9a-f]|5[0-9a]|6[1-9a-f]|7[0-9a])/i;

/** What a call names in its vendor's account. Most bodies are looked at, and not parsed, for it. */
export function findSharedId(request: RequestBody, own: OwnPlaces): SharedId | null {
  if (!mayName(request, own)) return null;
  const body = parseJson(request.body.toString('utf8')) as Members;
  const { found, members } = walk(body, own);
  if (found !== null) return found;
  return members === countMembers(request.text) ? null : { kind: 'unclear' };
}

/** The same as a member of an envelope: none where nothing is named. */
export function sharedIdOf(request: RequestBody, own: OwnPlaces): { sharedId?: SharedId } {
  const sharedId = findSharedId(request, own);
  return sharedId === null ? {} : { sharedId };
}

const ID = /"id"/gi;

/** Whether the bytes may hold such an id. */
function mayName({ text, members: { spans } }: RequestBody, { keeps, items }: OwnPlaces): boolean {
  // Outermost, these are refused in any other case when the body is read.
  for (const name of OUTERMOST) if (spans.has(name)) return true;
  for (const name of keeps) if (spans.has(name)) return true;
  const list = items && spans.get(items.list);
  if (list !== undefined) {
    ID.lastIndex = list.start;
    if (ID.test(text) && ID.lastIndex <= list.end) return true;
  }
  return hasName(text) || ESCAPED_LETTER.test(text);
}

function hasName(text: string): boolean {
  PIECE.lastIndex = 0;
  for (let pieces = 0; PIECE.test(text); pieces += 1) {
    if (pieces === MAX_PIECES) return NAME.test(text);
    const at = PIECE.lastIndex;
    if (NAME.test(text.slice(Math.max(0, at - AROUND), at + AROUND))) return true;
  }
  return false;
}

/** An object or a list that is not empty, and where it stands. */
type Place = { value: object; name: string | number; outer: Place | null; isOwnWords: boolean };

/** Looks at every member once, however deep; `members` is how many there are, those of the caller's own words too. */
function walk(body: Members, own: OwnPlaces): { found: SharedId | null; members: number } {
  const places: Place[] = [{ value: body, name: '', outer: null, isOwnWords: false }];
  let members = 0;
  for (let place = places.pop(); place !== undefined; place = places.pop()) {
    if (Array.isArray(place.value)) {
      pushItems(places, place, place.value);
      continue;
    }
    const value = place.value as Members;
    const found = place.isOwnWords ? null : idIn(value, place, own);
    if (found !== null) return { found, members };
    for (const name of Object.keys(value)) {
      members += 1;
      const inner = value[name];
      if (isFilled(inner)) {
        places.push({ value: inner, name, outer: place, isOwnWords: isOwn(name, value, place) });
      }
    }
  }
  return { found: null, members };
}

function isOwn(name: string, value: Members, { isOwnWords: isInside, outer }: Place): boolean {
  return isInside || (isOwnWords(name, value) && (outer !== null || name !== 'input'));
}

function pushItems(places: Place[], list: Place, items: readonly unknown[]): void {
  for (let index = items.length - 1; index >= 0; index -= 1) {
    const value = items[index];
    if (isFilled(value)) places.push({ value, name: index, outer: list, isOwnWords: list.isOwnWords });
  }
}

function isFilled(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.length > 0;
  for (const _ in value) return true;
  return false;
}

/** Whether a member of an object, which is not the whole call, holds a caller's own JSON. */
export function isOwnWords(name: string, { type }: Members): boolean {
  return OWN_WORDS.has(name) || (name === 'input' && typeof type === 'string' && type.endsWith('tool_use'));
}

/** The first id among the members of one object. */
function idIn(value: Members, place: Place, { keeps, items }: OwnPlaces): SharedId | null {
  const isOutermost = place.outer === null;
  for (const written of Object.keys(value)) {
    if (isNothing(value[written])) continue;
    const name = caseless(written);
    if (isOutermost && keeps.includes(name)) return { kind: 'keeps', param: written };
    if (isId(name, value[written], value, place)) return { kind: 'names', param: pathOf(place, written) };
  }
  const isItem = items !== undefined && place.outer?.name === items.list && place.outer.outer?.outer === null;
  const name = isItem ? items.find(inLowerCase(value)) : null;
  return name === null ? null : { kind: 'names', param: pathOf(place, name) };
}

function isId(name: string, inner: unknown, { type }: Members, { name: written, outer }: Place): boolean {
  if (name === 'skill_id') return type !== VENDORS_OWN_SKILL;
  if (name === 'file_id' && typeof type === 'string' && VENDORS_RESULT.test(type)) return false;
  if (IDS.has(name)) return true;
  if (name === 'id') {
    if (typeof written !== 'string') return false;
    const holder = caseless(written);
    return HOLDERS.has(holder) || (outer?.outer === null && OUTERMOST.includes(holder));
  }
  const isNamed = name === 'container' || (outer === null && name !== 'prompt' && OUTERMOST.includes(name));
  return isNamed && typeof inner === 'string';
}

/** The object, or one with its names in lower case, where one of them is not. */
function inLowerCase(value: Members): Members {
  const names = Object.keys(value);
  if (names.every((name) => caseless(name) === name)) return value;
  return Object.fromEntries(names.map((name) => [caseless(name), value[name]]));
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === false || value === '' || isEmptyList(value);
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** As callers are told: `messages[0].content[1].file.file_id`. */
function pathOf(place: Place, last: string): string {
  let path = last;
  for (let at: Place = place; at.outer !== null; at = at.outer) {
    const step = typeof at.name === 'number' ? `[${at.name}]` : at.name;
    path = path === '' || path.startsWith('[') ? `${step}${path}` : `${step}.${path}`;
  }
  return path;
}

/** Whether a provider may be sent this call, so far as its account is concerned. */
export function maySee({ sharedId }: Envelope, { sharedIds }: Pick<Provider, 'sharedIds'>): boolean {
  return sharedId === undefined || sharedIds === 'allow';
}

/** Throws `GatewayError` (400) with the field, where the provider may not be sent this call. */
export function refuseSharedId(envelope: Envelope, provider: Pick<Provider, 'sharedIds'>): void {
  if (!maySee(envelope, provider)) throw sharedIdRefusal(envelope.sharedId!);
}

/** The refusal of a call that names what is in its vendor's account. */
export function sharedIdRefusal(id: SharedId): GatewayError {
  const code = 'unsupported_parameter';
  switch (id.kind) {
    case 'names': {
      const message = `\`${id.param}\` names something that is kept in the provider’s account, which is shared here. Send the thing itself.`;
      return new GatewayError('invalid_request', message, { param: id.param, code });
    }
    case 'keeps': {
      const message = `\`${id.param}\` asks for the call to be kept in the provider’s account, which is shared here. Leave it out.`;
      return new GatewayError('invalid_request', message, { param: id.param, code });
    }
    case 'unclear': {
      const message =
        'A name stands twice in one object of the body, which may name what is kept in the provider’s account.';
      return new GatewayError('invalid_request', message);
    }
    default:
      return id satisfies never;
  }
}
