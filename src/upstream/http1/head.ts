import type { UpstreamHeaders } from '../../core/ports.ts';
import { MalformedAnswer } from './malformed.ts';

/** The status line and headers of an answer, and how its body and connection end. */
export type ResponseHead = {
  status: number;
  headers: UpstreamHeaders;
  /** Bytes of the body; `null` if not declared. */
  length: number | null;
  chunked: boolean;
  /** True if the vendor keeps the connection open after this answer. */
  keepAlive: boolean;
};

/**
 * The only accepted form of a head: a known version, three digits, and headers whose names are tokens followed directly
 * by a colon. Lines end in CRLF and are not folded; values contain no control characters.
 */
const HEAD =
  /^HTTP\/1\.[01] [1-9]\d\d(?: [\t\x20-\x7e\x80-\xff]*)?\r\n(?:[!#$%&'*+\-.^_`|~\dA-Za-z]+:[\t\x20-\x7e\x80-\xff]*\r\n)*\r\n$/;
const FIELDS = /^(?:[!#$%&'*+\-.^_`|~\dA-Za-z]+:[\t\x20-\x7e\x80-\xff]*\r\n)*\r\n$/;

/** At most fifteen digits, which a number holds exactly. */
const LENGTH = /^\d{1,15}$/;
const MINOR_AT = 'HTTP/1.'.length;
const STATUS_AT = 'HTTP/1.1 '.length;
const ZERO = 0x30;
const SPACE = 0x20;
const TAB = 0x09;

type HeaderFields = Record<string, string | string[] | undefined>;

/**
 * Makes header objects without a prototype, so that headers named `constructor` or `__proto__` are ordinary.
 *
 * /!\ Hot path: V8 makes `Object.create(null)` a hash table; objects from a constructor keep a fast shape.
 */
function Bare(): void {}
Bare.prototype = Object.create(null);
const NoFields = Bare as unknown as new () => HeaderFields;

/**
 * Reads a whole head, from the status line to the blank line. Throws `MalformedAnswer` if it is malformed, or if two
 * readers could disagree on the body's length.
 *
 * /!\ Hot path: one regular expression checks all characters; then the text is only sliced.
 */
export function readResponseHead(text: string): ResponseHead {
  if (!HEAD.test(text)) throw new MalformedAnswer('the head of the answer is malformed');
  const headers = readFields(text, text.indexOf('\r\n', STATUS_AT) + 2);
  const minor = text.charCodeAt(MINOR_AT) - ZERO;
  const chunked = isChunked(headers['transfer-encoding'], minor);
  const length = lengthIn(headers['content-length']);
  if (chunked && length !== null) throw new MalformedAnswer('the answer has both a length and chunks');
  return {
    status: Number(text.slice(STATUS_AT, STATUS_AT + 3)),
    headers,
    length,
    chunked,
    keepAlive: keepsAlive(headers.connection, minor),
  };
}

/** Checks the trailers after the last chunk, up to the blank line. They must not declare a length or transfer encoding. */
export function checkTrailers(text: string): void {
  if (!FIELDS.test(text)) throw new MalformedAnswer('the trailers are malformed');
  const trailers = readFields(text, 0);
  if (trailers['content-length'] !== undefined || trailers['transfer-encoding'] !== undefined) {
    throw new MalformedAnswer('the trailers frame another message');
  }
}

/** The vendor's timeout of an idle connection in seconds; `null` if it sends none. */
export function keepAliveHint(headers: UpstreamHeaders): number | null {
  const hint = headers['keep-alive'];
  if (hint === undefined) return null;
  const seconds = /(?:^|[,;\s])timeout=(\d{1,9})/i.exec(String(hint))?.[1];
  return seconds === undefined ? null : Number(seconds);
}

/** Splits headers that were already checked. Repeated headers become a list. */
function readFields(text: string, from: number): HeaderFields {
  const fields = new NoFields();
  const end = text.length - 2;
  let at = from;
  while (at < end) {
    const colon = text.indexOf(':', at);
    const lineEnd = text.indexOf('\r\n', colon);
    const name = nameOf(text.slice(at, colon));
    const value = trimmed(text, colon + 1, lineEnd);
    const before = fields[name];
    if (before === undefined) fields[name] = value;
    else if (typeof before === 'string') fields[name] = [before, value];
    else before.push(value);
    at = lineEnd + 2;
  }
  return fields;
}

/** Lower-case names by the received ones. Vendors use few names, the same in every answer. */
const NAMES = new Map<string, string>();
const MAX_NAMES = 512;

/** /!\ Hot path: reusing the same string object for a name makes property access faster. */
function nameOf(written: string): string {
  const known = NAMES.get(written);
  if (known !== undefined) return known;
  const name = written.toLowerCase();
  if (NAMES.size < MAX_NAMES) NAMES.set(written, name);
  return name;
}

/** Trims a value, but keeps a trailing tab: like Node's parser, this reads `chunked` with a tab as another coding. */
function trimmed(text: string, from: number, to: number): string {
  let start = from;
  let end = to;
  while (start < end && (text.charCodeAt(start) === SPACE || text.charCodeAt(start) === TAB)) start += 1;
  while (end > start && text.charCodeAt(end - 1) === SPACE) end -= 1;
  return text.slice(start, end);
}

function isChunked(coding: string | string[] | undefined, minor: number): boolean {
  if (coding === undefined) return false;
  if (minor === 0 || typeof coding !== 'string' || coding.toLowerCase() !== 'chunked') {
    throw new MalformedAnswer('the transfer-encoding is not chunked alone');
  }
  return true;
}

function lengthIn(length: string | string[] | undefined): number | null {
  if (length === undefined) return null;
  if (typeof length !== 'string' || !LENGTH.test(length)) {
    throw new MalformedAnswer('the content-length is not one plain number');
  }
  return Number(length);
}

function keepsAlive(connection: string | string[] | undefined, minor: number): boolean {
  if (connection === undefined) return minor === 1;
  if (connection === 'keep-alive') return true;
  const words = String(connection)
    .toLowerCase()
    .split(/[\s,]+/);
  return !words.includes('close') && (minor === 1 || words.includes('keep-alive'));
}
