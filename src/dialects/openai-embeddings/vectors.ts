import { GatewayError } from '../../core/errors.ts';
import { splice } from '../../json/edits.ts';
import { parseJson } from '../../json/parse.ts';
import { type ByteRange, hasMember, type JsonIndex, memberAt, memberRange, TAPE_STEP } from '../../json/tape.ts';
import type { Envelope } from '../dialect.ts';
import { member } from '../request.ts';
import { isObject } from '../unchecked-json.ts';

/** Members that ask for vectors of other numbers, which cannot be converted. */
const OTHER_NUMBERS = ['embedding_type', 'output_dtype', 'embedding_types'];

/**
 * An answer in the form that the call asked for. Throws `GatewayError` (502) if it has fewer vectors than the call has
 * texts, because it is unknown which are missing.
 */
export function fitAnswer(body: Buffer, index: JsonIndex, call: Envelope): Buffer {
  const range = memberRange(body, index, 'data');
  if (range === undefined) return body;
  checkCount(body, range, call);
  const fitted = withAskedVectors(body, range, call);
  if (hasMember(body, index, 'model')) return fitted;
  const end = fitted.lastIndexOf('}');
  return splice(fitted, [{ start: end, end, text: `,"model":${JSON.stringify(call.model)}` }]);
}

/**
 * The answer with its vectors in the requested form, in the order of their inputs, and numbered. Vendors send numbers
 * instead of base64, which official clients request by default, or the reverse; in any order; or without `index`. The
 * same bytes if nothing changes.
 * https://platform.openai.com/docs/api-reference/embeddings/create#embeddings-create-encoding_format
 */
function withAskedVectors(body: Buffer, range: ByteRange, call: Envelope): Buffer {
  const wantsBase64 = member(call, 'encoding_format') === 'base64';
  if (isAsAsked(body, range, wantsBase64)) return body;
  const data = parseJson(body.toString('utf8', range.start, range.end));
  const items: unknown[] = Array.isArray(data) ? data : [data];
  if (!items.every((item) => isObject(item) && EMBEDDING in item)) return body;
  const converts = OTHER_NUMBERS.every((name) => member(call, name) === undefined);
  const ordered = inOrder(items as VectorItem[]);
  const text = JSON.stringify(converts ? ordered.map((item) => withVector(item, wantsBase64)) : ordered);
  return text === JSON.stringify(data) ? body : splice(body, [{ ...range, text }]);
}

/**
 * How many vectors the call must get: one for each of its texts; 0 if it asks with objects, which a vendor may join.
 *
 * /!\ Hot path: counts in the tape of the scan, which leaves out numbers: a list without entries is one text in tokens.
 */
function leastVectors({ body, index }: Envelope): number {
  const { tape } = index;
  const input = memberAt(body, index, 'input');
  const first = input < 0 ? undefined : body[tape[input + 1]!];
  if (first === QUOTE) return 1;
  if (first !== OPEN_BRACKET) return 0;
  let texts = 0;
  for (let at = input + TAPE_STEP; at < tape[input + 3]!; at = tape[at + 3]!) {
    if (body[tape[at + 1]!] === OPEN_BRACE) return 0;
    texts += 1;
  }
  return Math.max(texts, 1);
}

function checkCount(body: Buffer, range: ByteRange, call: Envelope): void {
  const least = leastVectors(call);
  if (valuesOf(body, VECTOR_NAME, range, least).length >= least) return;
  const data = parseJson(body.toString('utf8', range.start, range.end));
  const count = Array.isArray(data) ? data.length : isObject(data) ? 1 : 0;
  if (count >= least) return;
  const message = `The provider answered with ${count} embeddings for ${least} inputs.`;
  throw new GatewayError('upstream_invalid_answer', message);
}

type VectorItem = { readonly [name: string]: unknown };

const EMBEDDING = 'embedding';
const VECTOR_NAME = `"${EMBEDDING}"`;
const QUOTE = 0x22;
const OPEN_BRACKET = 0x5b;
const OPEN_BRACE = 0x7b;

/** Only the first and last items of a list with more bytes are read. */
const MOST_BYTES = 64 * 1024;
const FIRST_ITEMS = 4;

/**
 * Whether the vectors are in the wanted form, and have their numbers.
 *
 * /!\ Hot path: the places of two names are looked at, in megabytes of numbers. A quote within a text is escaped, so a name in
 * quotes is never part of one.
 */
function isAsAsked(body: Buffer, range: ByteRange, wantsBase64: boolean): boolean {
  if (body[range.start] !== OPEN_BRACKET) return false;
  const isLarge = range.end - range.start > MOST_BYTES;
  const most = isLarge ? FIRST_ITEMS : Number.POSITIVE_INFINITY;
  const vectors = valuesOf(body, VECTOR_NAME, range, most);
  const last = isLarge
    ? valuesOf(body, VECTOR_NAME, { ...range, start: body.lastIndexOf(VECTOR_NAME, range.end) }, 1)
    : [];
  const wanted = wantsBase64 ? QUOTE : OPEN_BRACKET;
  if ([...vectors, ...last].some((at) => body[at] !== wanted)) return false;
  const numbers = valuesOf(body, '"index"', range, most);
  return numbers.length === vectors.length && numbers.every((at, number) => isNumber(body, at, number));
}

/** Where the values of the first members of this name begin. */
function valuesOf(body: Buffer, name: string, { start, end }: ByteRange, most: number): number[] {
  const found: number[] = [];
  for (let at = body.indexOf(name, start); at >= 0 && at < end && found.length < most; at = body.indexOf(name, at)) {
    at = pastSpace(body, at + name.length);
    if (body[at] === 0x3a) found.push(pastSpace(body, at + 1));
  }
  return found;
}

function pastSpace(body: Buffer, from: number): number {
  let at = from;
  while (body[at] === 0x20 || body[at] === 0x0a || body[at] === 0x0d || body[at] === 0x09) at += 1;
  return at;
}

/** Whether this number is written there. */
function isNumber(body: Buffer, at: number, number: number): boolean {
  const text = String(number);
  return (
    body.toString('latin1', at, at + text.length) === text &&
    !/[\d.eE]/.test(body.toString('latin1', at + text.length, at + text.length + 1))
  );
}

/** The items by their numbers if these are 0, 1, 2 …, in any order; else as they came, and numbered so. */
function inOrder(items: readonly VectorItem[]): VectorItem[] {
  const places = new Map(items.map((item) => [Number(item.index ?? Number.NaN), item]));
  const isWhole = places.size === items.length && items.every((_, place) => places.has(place));
  return items.map((item, place) => {
    const own = isWhole ? places.get(place)! : item;
    return own.index === place ? own : { ...own, index: place };
  });
}

function withVector(item: VectorItem, wantsBase64: boolean): VectorItem {
  const { embedding } = item;
  if (wantsBase64) return isNumbers(embedding) ? { ...item, embedding: toBase64(embedding) } : item;
  return typeof embedding === 'string' ? { ...item, embedding: toNumbers(embedding) ?? embedding } : item;
}

function isNumbers(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((number) => typeof number === 'number');
}

/** 32-bit floats, the lowest byte first. */
function toBase64(numbers: readonly number[]): string {
  const bytes = Buffer.allocUnsafe(numbers.length * 4);
  for (const [at, number] of numbers.entries()) bytes.writeFloatLE(number, at * 4);
  return bytes.toString('base64');
}

function toNumbers(text: string): number[] | null {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length === 0 || bytes.length % 4 !== 0) return null;
  return Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(at * 4));
}
