import { isJson, parseJson } from '../json/parse.ts';
import { objectOf, type Unchecked } from './unchecked-json.ts';

/** The members that hold an error's message at any vendor; the first one that is not empty counts. */
const NAMES = [
  ...['message', 'Message', 'msg', 'error_message', 'errorMessage', 'error_msg', 'error_description', 'status_msg'],
  ...['faultstring', 'detail', 'details', 'errors', 'title'],
];
/** The objects that hold an error: OpenAI's, MiniMax's and Apigee's. */
const CONTAINERS = ['error', 'base_resp', 'fault'];

/** The longest text that is parsed, and the longest that counts as words although it is no JSON. */
const MAX_RAW = 64 * 1024;
const MAX_PLAIN = 1000;
/** The most entries of a list that are quoted. */
const MAX_ENTRIES = 8;
/** How often an error may be within another. */
export const MAX_DEPTH = 6;

/**
 * The message of an error in any vendor's form: a text, JSON in a text, an event of a stream, a list of a validator's
 * findings, or an object that holds one of these. Empty if there is none.
 *
 * @param isDeep whether the error that a router passes on in `metadata.raw` takes precedence over its own
 */
export function messageIn(value: unknown, depth = MAX_DEPTH, isDeep = false): string {
  if (depth === 0) return '';
  if (typeof value === 'string') return messageInText(value, depth, isDeep);
  // Each member that is not there would be searched for all others, to the full depth.
  if (typeof value !== 'object' || value === null) return '';
  if (Array.isArray(value)) {
    const entries = value.slice(0, MAX_ENTRIES).map((entry) => messageIn(entry, depth - 1, isDeep));
    return entries.filter((words) => words !== '').join('; ');
  }
  const members = value as Unchecked;
  const { raw } = objectOf(members.metadata);
  const deepest = raw === undefined || !isDeep ? '' : messageIn(raw, depth - 1, isDeep);
  if (deepest !== '') return deepest;
  for (const name of CONTAINERS) {
    const words = typeof members[name] === 'object' ? messageIn(members[name], depth - 1, isDeep) : '';
    if (words !== '') return words;
  }
  for (const name of NAMES) {
    const words = messageIn(members[name], depth - 1, isDeep);
    if (words !== '') return located(members.loc, words);
  }
  return typeof members.error === 'string' ? messageIn(members.error, depth - 1, isDeep) : '';
}

/** A validator names the place of its finding: https://docs.pydantic.dev/latest/errors/errors/ */
function located(loc: unknown, words: string): string {
  const place = (Array.isArray(loc) ? loc : []).filter((step) => step !== 'body').join('.');
  return place === '' ? words : `${place}: ${words}`;
}

function messageInText(text: string, depth: number, isDeep: boolean): string {
  const plain = text.trim();
  if (plain.length > MAX_RAW) return plain;
  const parsed = parseText(plain);
  if (typeof parsed === 'string') return messageIn(parsed, depth - 1, isDeep);
  return parsed === null ? (isPage(plain) ? '' : plain) : messageIn(parsed, depth - 1, isDeep) || plain;
}

/** The body of an error as JSON, as the data of a stream event or as text; `null` if it is a web page or empty. */
export function readErrorBody(body: string): unknown {
  const parsed = parseText(body.trim());
  if (parsed !== null) return parsed;
  const plain = body.trim();
  return plain === '' || plain.length > MAX_PLAIN || isPage(plain) || isJson(plain) ? null : plain;
}

/** The object, list or text that a text holds as JSON, or in the first event of a stream. */
function parseText(text: string): unknown {
  for (const json of [text, eventData(text)]) {
    try {
      const value: unknown = json === '' ? null : parseJson(json);
      if (typeof value === 'string' || (typeof value === 'object' && value !== null)) return value;
    } catch {
      // It is no JSON.
    }
  }
  return null;
}

/**
 * Whether a text is HTML or XML, made for people and often by a proxy that names its own host, or an event that cannot
 * be parsed.
 */
function isPage(text: string): boolean {
  return /^(?:<|(?:data|event|id):)/.test(text);
}

/** The data of the first event in an event stream: some vendors refuse a streamed call with one. Empty if there is none. */
function eventData(body: string): string {
  const [first] = /^data:.*(?:\r?\n|\r)(?:data:.*(?:\r?\n|\r))*/m.exec(`${body}\n`) ?? [];
  return first === undefined ? '' : first.replace(/^data:/gm, '');
}

/** The object that holds the error, for its code, type and param. */
export function errorIn(outer: Unchecked): Unchecked {
  for (const name of CONTAINERS) {
    const held = outer[name];
    const parsed = typeof held === 'string' ? parseText(held.trim()) : held;
    const inner = Array.isArray(parsed) ? parsed[0] : parsed;
    if (typeof inner === 'object' && inner !== null) return inner as Unchecked;
  }
  return outer;
}
