import { splice } from '../../json/edits.ts';
import { parseJson } from '../../json/parse.ts';
import { type ByteRange, type JsonIndex, memberRange } from '../../json/tape.ts';
import type { Envelope } from '../dialect.ts';
import { member } from '../request.ts';

/** How far into the list the form of the first vector shows, in bytes. */
const SHOWS_WITHIN = 4096;

/** Members that ask for vectors of other numbers, whose text is nothing that we could convert. */
const OTHER_NUMBERS = ['embedding_type', 'output_dtype', 'embedding_types'];

/**
 * The answer with its vectors in the form that was asked for: vendors answer numbers where base64 was asked, which official
 * clients do unless told otherwise, or base64 where numbers were. The same bytes where the form is right.
 * https://platform.openai.com/docs/api-reference/embeddings/create#embeddings-create-encoding_format
 */
export function withAskedVectors(body: Buffer, index: JsonIndex, call: Envelope): Buffer {
  const range = memberRange(body, index, 'data');
  if (range === undefined) return body;
  const wantsBase64 = member(call, 'encoding_format') === 'base64';
  const found = formOf(body, range);
  if (found === null || (found === 'base64') === wantsBase64) return body;
  if (OTHER_NUMBERS.some((name) => member(call, name) !== undefined)) return body;
  const data = parseJson(body.toString('utf8', range.start, range.end));
  if (!Array.isArray(data)) return body;
  const text = JSON.stringify(data.map((item: unknown) => withVector(item, wantsBase64)));
  return splice(body, [{ ...range, text }]);
}

function formOf(body: Buffer, { start, end }: ByteRange): 'base64' | 'numbers' | null {
  const shown = body.toString('latin1', start, Math.min(end, start + SHOWS_WITHIN));
  const first = /"embedding"\s*:\s*(["[])/.exec(shown)?.[1];
  if (first === undefined) return null;
  return first === '"' ? 'base64' : 'numbers';
}

function withVector(item: unknown, wantsBase64: boolean): unknown {
  if (typeof item !== 'object' || item === null) return item;
  const { embedding } = item as { embedding?: unknown };
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
