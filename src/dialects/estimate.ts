import type { JsonNode } from '../json/node.ts';
import { JsonError } from '../json/scan.ts';
import type { Envelope } from './dialect.ts';
import { ADDRESSES, FILE_NAMES } from './noticed-names.ts';
import { type RequestBody, rootOf } from './request.ts';
import { isOwnWords } from './shared-ids.ts';

const BYTES_PER_TOKEN = 4;
/** What one inline image is taken to cost, whatever its bytes, and any other file at least. */
const TOKENS_PER_ATTACHMENT = 1000;
/** Of a document or of speech: a page of 80 KB is 2,000 tokens. */
const FILE_BYTES_PER_TOKEN = 40;
/** Of base64, for each byte. */
const CHARS_PER_BYTE = 4 / 3;

const DATA_URL = /^data:([^,;]{0,100})[^,]{0,200};base64,/;

/**
 * A guess from the size alone: four bytes a token, inline images at a flat rate, other inline files by their size. What
 * only looks like a file, in words, in a tool's input or in a schema, counts as the words it is.
 */
export function estimatedInput(request: RequestBody): Pick<Envelope, 'estimatedInputTokens' | 'fileTokens'> {
  let bytes = request.body.length;
  let fileTokens = 0;
  for (const file of (request.index.noticed & FILE_NAMES) === 0 ? NO_FILES : filesIn(rootOf(request, request.text))) {
    bytes -= file.chars;
    fileTokens += tokensOf(file);
  }
  const estimatedInputTokens = Math.ceil(bytes / BYTES_PER_TOKEN) + fileTokens;
  return fileTokens > 0 ? { estimatedInputTokens, fileTokens } : { estimatedInputTokens };
}

/** `chars` of base64. */
type InlineFile = { mediaType: string; chars: number };

const NO_FILES: readonly InlineFile[] = [];

function tokensOf({ mediaType, chars }: InlineFile): number {
  const bytes = chars / CHARS_PER_BYTE;
  if (mediaType.startsWith('image/')) return TOKENS_PER_ATTACHMENT;
  if (mediaType.startsWith('text/') || mediaType === 'application/json') return Math.ceil(bytes / BYTES_PER_TOKEN);
  return Math.max(TOKENS_PER_ATTACHMENT, Math.ceil(bytes / FILE_BYTES_PER_TOKEN));
}

/** A body may pass the structural scan and still have texts that are broken: all of it is then taken for words. */
function filesIn(body: JsonNode): readonly InlineFile[] {
  const files: InlineFile[] = [];
  try {
    body.walk((value, outer) => {
      const { name } = value;
      if (name === null) return true;
      const file = value.isText ? fileIn(name, value, outer) : null;
      if (file !== null) files.push(file);
      return !isOwnWords(name, outer);
    });
  } catch (error) {
    if (error instanceof JsonError) return NO_FILES;
    throw error;
  }
  return files;
}

function fileIn(name: string, value: JsonNode, outer: JsonNode): InlineFile | null {
  if (name === 'data' && outer.get('type')?.text === 'base64') {
    return { mediaType: outer.get('media_type')?.text ?? '', chars: textIn(value).length };
  }
  if (!ADDRESSES.has(name)) return null;
  const text = textIn(value);
  const found = text.startsWith('data:') ? DATA_URL.exec(text.slice(0, 400)) : null;
  return found === null ? null : { mediaType: found[1] ?? '', chars: text.length - found[0].length };
}

/** The text, which is not copied where it has no escapes, as base64 has none. */
function textIn(value: JsonNode): string {
  const { raw } = value;
  return raw.includes('\\') ? (value.text ?? '') : raw.slice(1, -1);
}
