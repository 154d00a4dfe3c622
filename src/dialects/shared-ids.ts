import { GatewayError } from '../core/errors.ts';
import type { Provider } from '../core/provider.ts';
import { caseless } from '../json/names.ts';
import type { JsonNode } from '../json/node.ts';
import { JsonError } from '../json/scan.ts';
import { hasMember } from '../json/tape.ts';
import type { Envelope } from './dialect.ts';
import { HOLDERS, ID_NAME, IDS, SHARED_ID_NAMES } from './noticed-names.ts';
import { invalidJson, type RequestBody, rootOf } from './request.ts';

/**
 * A reference to an object in the vendor's account: a file, a container, an earlier answer, a stored prompt. All
 * callers share the operator's account, so an id may lead to another caller's data. `unclear`: a name is repeated in an
 * object, so it is unknown which value the vendor reads.
 */
export type SharedId = { kind: 'names' | 'keeps'; param: string } | { kind: 'unclear' };

/** Where the references of one surface are, in addition to the places that all surfaces share. */
export type OwnPlaces = {
  /** Outermost members that ask the vendor to store the call. */
  keeps: readonly string[];
  /** The outermost list whose items may be references, and a function that finds the member that makes an item one. */
  items?: { list: string; find(item: Members): string | null };
  /** Paths of ids in outermost objects (`thread.previous_message_id`) that are looked up by who they belong to. */
  lookedUp?: ReadonlySet<string>;
};

/** Members of an object by name. Of a repeated name the last counts, as in `JSON.parse`. */
export type Members = ReadonlyMap<string, JsonNode>;

/** Outermost members that hold an id, or an object with an `id`. A prompt that is a string is text, not an id. */
const OUTERMOST = ['conversation', 'preset', 'prompt'];

/** The caller's own JSON, whose names mean nothing to a vendor; and sources that an earlier answer cites. */
const OWN_WORDS: ReadonlySet<string> = new Set([
  ...['parameters', 'input_schema', 'input_examples', 'schema', 'arguments', 'metadata', 'annotations', 'citations'],
]);

/** The type of skills that the vendor offers to everybody. */
const VENDORS_OWN_SKILL = 'anthropic';

/** Results of the vendor's own tools. They must be sent back unchanged, and give no access to a file. */
const VENDORS_RESULT = /^(?:bash_)?code_execution_output$/;

/** The first reference to an object in the vendor's account. Most bodies contain none of the names and are not searched. */
export function findSharedId(request: RequestBody, own: OwnPlaces): SharedId | null {
  if (!mayName(request, own)) return null;
  try {
    return findIn(rootOf(request), own);
  } catch (error) {
    throw error instanceof JsonError ? invalidJson(error) : error;
  }
}

/** Whether the body may contain a reference. Outermost names in other cases were already refused. */
function mayName({ body, index }: RequestBody, { keeps, items }: OwnPlaces): boolean {
  const { noticed } = index;
  if ((noticed & SHARED_ID_NAMES) !== 0) return true;
  for (const name of OUTERMOST) if (hasMember(body, index, name)) return true;
  for (const name of keeps) if (hasMember(body, index, name)) return true;
  return items !== undefined && (noticed & ID_NAME) !== 0 && hasMember(body, index, items.list);
}

/** An object or a list and its place. `name` is set for members. */
type Visited = { value: JsonNode; name: string | null; outer: Visited | null; isOwnWords: boolean };

/** Searches every object once, at any depth. Objects of the caller's own JSON are searched for repeated names only. */
function findIn(body: JsonNode, own: OwnPlaces): SharedId | null {
  const places: Visited[] = [{ value: body, name: null, outer: null, isOwnWords: false }];
  let isUnclear = false;
  for (let place = places.pop(); place !== undefined; place = places.pop()) {
    const inner = place.value.children();
    if (place.value.isList) {
      for (const value of inner.reverse())
        push(places, { value, name: null, outer: place, isOwnWords: place.isOwnWords });
      continue;
    }
    const members: Members = new Map(inner.map((value) => [value.name!, value]));
    isUnclear ||= members.size < inner.length;
    const found = place.isOwnWords ? null : idIn(members, place, own);
    if (found !== null) return found;
    for (const [name, value] of members)
      push(places, { value, name, outer: place, isOwnWords: isOwn(name, members, place) });
  }
  return isUnclear ? { kind: 'unclear' } : null;
}

function push(places: Visited[], place: Visited): void {
  if (place.value.isObject || place.value.isList) places.push(place);
}

function isOwn(name: string, members: Members, { isOwnWords: isInside, outer }: Visited): boolean {
  return isInside || (isOwnWords(name, members) && (outer !== null || name !== 'input'));
}

/** Whether a member of an inner object holds the caller's own JSON. */
export function isOwnWords(name: string, outer: { get(name: string): JsonNode | null | undefined }): boolean {
  return OWN_WORDS.has(name) || (name === 'input' && outer.get('type')?.text?.endsWith('tool_use') === true);
}

/** The first reference among the members of an object. */
function idIn(members: Members, place: Visited, { keeps, items, lookedUp }: OwnPlaces): SharedId | null {
  const isOutermost = place.outer === null;
  for (const [written, value] of members) {
    if (isNothing(value)) continue;
    const name = caseless(written);
    if (isOutermost && keeps.includes(name)) return { kind: 'keeps', param: written };
    if (!isId(name, value, members, place)) continue;
    const param = pathOf(place, written);
    if (lookedUp?.has(param) !== true) return { kind: 'names', param };
  }
  const isItem = items !== undefined && place.outer?.name === items.list && place.outer.outer?.outer === null;
  const name = isItem ? items.find(inLowerCase(members)) : null;
  return name === null ? null : { kind: 'names', param: pathOf(place, name) };
}

function isId(name: string, value: JsonNode, members: Members, { name: written, outer }: Visited): boolean {
  if (name === 'skill_id') return members.get('type')?.text !== VENDORS_OWN_SKILL;
  if (name === 'file_id' && VENDORS_RESULT.test(members.get('type')?.text ?? '')) return false;
  if (IDS.has(name)) return true;
  if (name === 'id') {
    if (written === null) return false;
    const holder = caseless(written);
    return HOLDERS.has(holder) || (outer?.outer === null && OUTERMOST.includes(holder));
  }
  const isNamed = name === 'container' || (outer === null && name !== 'prompt' && OUTERMOST.includes(name));
  return isNamed && value.isText;
}

/** The members with lower-case names. */
function inLowerCase(members: Members): Members {
  return new Map([...members].map(([name, value]) => [caseless(name), value]));
}

function isNothing(value: JsonNode): boolean {
  return value.isNull || value.isFalse || value.isEmptyText || value.isEmptyList;
}

/** The path for error messages: `messages[0].content[1].file.file_id`. */
function pathOf(place: Visited, last: string): string {
  let path = last;
  for (let at: Visited = place; at.outer !== null; at = at.outer) {
    const step = at.name ?? `[${at.outer.value.indexOf(at.value)}]`;
    path = path === '' || path.startsWith('[') ? `${step}${path}` : `${step}.${path}`;
  }
  return path;
}

/** Whether this call's references allow sending it to the provider. */
export function mayReceive({ sharedId }: Envelope, { sharedIds }: Pick<Provider, 'sharedIds'>): boolean {
  return sharedId === undefined || sharedIds === 'allow';
}

/** Throws `GatewayError` (400) that names the field if the call may not be sent to the provider. */
export function refuseSharedId(envelope: Envelope, provider: Pick<Provider, 'sharedIds'>): void {
  if (!mayReceive(envelope, provider)) throw sharedIdRefusal(envelope.sharedId!);
}

/** The error for a call that refers to the vendor's account. */
export function sharedIdRefusal(id: SharedId): GatewayError {
  const code = 'unsupported_parameter';
  switch (id.kind) {
    case 'names': {
      const message = `\`${id.param}\` refers to an object in the provider’s account, which callers share. Send the object itself.`;
      return new GatewayError('invalid_request', message, { param: id.param, code });
    }
    case 'keeps': {
      const message = `\`${id.param}\` asks to store the call in the provider’s account, which callers share. Leave it out.`;
      return new GatewayError('invalid_request', message, { param: id.param, code });
    }
    case 'unclear': {
      const message = 'An object of the body repeats a name, so it may refer to an object in the provider’s account.';
      return new GatewayError('invalid_request', message);
    }
    default:
      return id satisfies never;
  }
}
