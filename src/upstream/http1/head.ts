import type { UpstreamHeaders } from '../../core/ports.ts';
import { MalformedAnswer } from './malformed.ts';

/** The status line and the fields of an answer, and what they say of its body and its connection. */
export type ResponseHead = {
  status: number;
  headers: UpstreamHeaders;
  /** Bytes of the body; `null` where its length is not declared. */
  length: number | null;
  chunked: boolean;
  /** The vendor keeps the connection open after this answer. */
  keepAlive: boolean;
};

/**
 * The one shape a head may have: a version we know, three digits, and fields whose names are tokens with the colon right
 * behind. Lines end in CRLF; none is folded; no control character stands in a value.
 */
const HEAD =
  /^HTTP\/1\.[01] [1-9]\d\d(?: [\t\x20-\x7e\x80-\xff]*)?\r\n(?:[!#$%&'*+\-.^_`|~\dA-Za-z]+:[\t\x20-\x7e\x80-\xff]*\r\n)*\r\n$/;
const FIELDS = /^(?:[!#$%&'*+\-.^_`|~\dA-Za-z]+:[\t\x20-\x7e\x80-\xff]*\r\n)*\r\n$/;

/** A number is exact up to fifteen digits. */
const LENGTH = /^\d{1,15}$/;
const MINOR_AT = 'HTTP/1.'.length;
const STATUS_AT = 'HTTP/1.1 '.length;
const ZERO = 0x30;
const SPACE = 0x20;
const TAB = 0x09;

type HeaderFields = Record<string, string | string[] | undefined>;

/**
 * Makes fields that inherit nothing, so that one named `constructor` or `__proto__` is like any other.
 *
 * /!\ Hot path: of `Object.create(null)` V8 makes a hash table at once; what a function makes has a shape.
 */
function Bare(): void {}
Bare.prototype = Object.create(null);
const NoFields = Bare as unknown as new () => HeaderFields;

/**
 * Reads a whole head, from its status line to its blank line. Throws `MalformedAnswer` for all that is not plain, and where
 * two readers might disagree on how long the body is.
 *
 * /!\ Hot path: one regular expression checks each character; after that the text is only sliced.
 */
export function readHead(text: string): ResponseHead {
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

/** Checks the trailers after the last chunk, up to the blank line. None may be a field that frames a message. */
export function checkTrailers(text: string): void {
  if (!FIELDS.test(text)) throw new MalformedAnswer('the trailers are malformed');
  const trailers = readFields(text, 0);
  if (trailers['content-length'] !== undefined || trailers['transfer-encoding'] !== undefined) {
    throw new MalformedAnswer('the trailers frame another message');
  }
}

/** How many seconds the vendor says that it keeps an idle connection; `null` where it does not say. */
export function keepAliveHint(headers: UpstreamHeaders): number | null {
  const hint = headers['keep-alive'];
  if (hint === undefined) return null;
  const seconds = /(?:^|[,;\s])timeout=(\d{1,9})/i.exec(String(hint))?.[1];
  return seconds === undefined ? null : Number(seconds);
}

/** Cuts fields whose shape was checked. One that stands several times is a list. */
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

/** Names in small letters, as they came; vendors have few, and say them in every answer. */
const NAMES = new Map<string, string>();
const MAX_NAMES = 512;

/** /!\ Hot path: a name that is always the same string is found in an object without being looked up among all strings. */
function nameOf(written: string): string {
  const known = NAMES.get(written);
  if (known !== undefined) return known;
  const name = written.toLowerCase();
  if (NAMES.size < MAX_NAMES) NAMES.set(written, name);
  return name;
}

/** A tab at the end stays: Node's parser takes `chunked` with a tab after it for another coding, so it must be one here too. */
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
