import { GatewayError } from '../core/errors.ts';
import type { Envelope } from './dialect.ts';
import { parseJson, type RequestBody } from './request.ts';
import { isOwnWords } from './shared-ids.ts';

const BYTES_PER_TOKEN = 4;
/** What one inline image is taken to cost, whatever its bytes, and any other file at least. */
const TOKENS_PER_ATTACHMENT = 1000;
/** Of a document or of speech: a page of 80 KB is 2,000 tokens. */
const FILE_BYTES_PER_TOKEN = 40;
/** Of base64, for each byte. */
const CHARS_PER_BYTE = 4 / 3;
/** Inline files deeper than this count as words. */
const MAX_DEPTH = 512;

const DATA_URL = /^data:([^,;]{0,100})[^,]{0,200};base64,/;
/** Members in which an address, or a data URL in its place, is a part of a prompt. */
const ADDRESSES: ReadonlySet<string> = new Set(['url', 'image_url', 'file_url', 'file_data']);

/**
 * A guess from the size alone: four bytes a token, inline images at a flat rate, other inline files by their size. What
 * only looks like a file, in words, in a tool's input or in a schema, counts as the words it is.
 */
export function estimatedInput({ text, body }: RequestBody): Pick<Envelope, 'estimatedInputTokens' | 'fileTokens'> {
  if (!mayHoldFiles(text)) return { estimatedInputTokens: Math.ceil(text.length / BYTES_PER_TOKEN) };
  const files: InlineFile[] = [];
  gatherFiles(parsedOrNothing(body), files, 0);
  let bytes = text.length;
  let fileTokens = 0;
  for (const file of files) {
    bytes -= file.chars;
    fileTokens += tokensOf(file);
  }
  const estimatedInputTokens = Math.ceil(bytes / BYTES_PER_TOKEN) + fileTokens;
  return { estimatedInputTokens, ...(fileTokens > 0 && { fileTokens }) };
}

/** /!\ Hot path: nearly every text lacks the first piece, which is so short that it is looked for many times faster. */
function mayHoldFiles(text: string): boolean {
  return text.includes('se64') && (text.includes(';base64,') || text.includes('"base64"'));
}

/** `chars` of base64. */
type InlineFile = { mediaType: string; chars: number };

function tokensOf({ mediaType, chars }: InlineFile): number {
  const bytes = chars / CHARS_PER_BYTE;
  if (mediaType.startsWith('image/')) return TOKENS_PER_ATTACHMENT;
  if (mediaType.startsWith('text/') || mediaType === 'application/json') return Math.ceil(bytes / BYTES_PER_TOKEN);
  return Math.max(TOKENS_PER_ATTACHMENT, Math.ceil(bytes / FILE_BYTES_PER_TOKEN));
}

/** A body may pass the structural scan and still not parse: all of it is then taken for words. */
function parsedOrNothing(body: Buffer): unknown {
  try {
    return parseJson(body.toString('utf8'));
  } catch (error) {
    if (error instanceof GatewayError) return null;
    throw error;
  }
}

function gatherFiles(value: unknown, files: InlineFile[], depth: number): void {
  if (typeof value !== 'object' || value === null || depth === MAX_DEPTH) return;
  if (Array.isArray(value)) {
    for (const item of value) gatherFiles(item, files, depth + 1);
    return;
  }
  const members = value as Readonly<Record<string, unknown>>;
  for (const name of Object.keys(members)) {
    const inner = members[name];
    if (typeof inner === 'string') {
      const file = fileIn(name, inner, members);
      if (file !== null) files.push(file);
    } else if (!isOwnWords(name, members)) gatherFiles(inner, files, depth + 1);
  }
}

function fileIn(name: string, text: string, { type, media_type: mediaType }: Readonly<Record<string, unknown>>) {
  if (name === 'data' && type === 'base64') return { mediaType: String(mediaType), chars: text.length };
  if (!ADDRESSES.has(name) || !text.startsWith('data:')) return null;
  const found = DATA_URL.exec(text.slice(0, 400));
  return found === null ? null : { mediaType: found[1] ?? '', chars: text.length - found[0].length };
}
