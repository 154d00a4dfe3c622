import { type Usage, usageOf } from '../core/usage.ts';
import type { JsonNode } from '../json/node.ts';
import { JsonError } from '../json/scan.ts';
import type { Envelope } from './dialect.ts';
import { ADDRESSES, FILE_NAMES } from './noticed-names.ts';
import { type RequestBody, rootOf } from './request.ts';
import { isOwnWords } from './shared-ids.ts';

const BYTES_PER_TOKEN = 4;
const CHARACTERS_PER_TOKEN = 4;
/** Estimated tokens of one inline image of any size, and the minimum of any other file. */
const TOKENS_PER_ATTACHMENT = 1000;
/** Bytes per token of documents and audio: a page of 80 KB is 2,000 tokens. */
const FILE_BYTES_PER_TOKEN = 40;
/** Base64 characters per byte. */
const CHARS_PER_BYTE = 4 / 3;

const DATA_URL = /^data:([^,;]{0,100})[^,]{0,200};base64,/;

/**
 * Estimates the prompt's tokens from its size: four bytes per token, a flat rate per inline image, other inline files
 * by size. Text that only looks like a file, in a message, a tool's input or a schema, counts as text.
 */
export function estimatedInput(request: RequestBody): Pick<Envelope, 'estimatedInputTokens' | 'fileTokens'> {
  let bytes = request.body.length;
  let fileTokens = 0;
  for (const file of (request.index.noticed & FILE_NAMES) === 0 ? NO_FILES : filesIn(rootOf(request))) {
    bytes -= file.chars;
    fileTokens += tokensOf(file);
  }
  const estimatedInputTokens = Math.ceil(bytes / BYTES_PER_TOKEN) + fileTokens;
  return fileTokens > 0 ? { estimatedInputTokens, fileTokens } : { estimatedInputTokens };
}

/** An estimate of an answer's usage, for formats that require one when the vendor reported none. */
export function estimatedUsage({ estimatedInputTokens }: Envelope, characters: number): Usage {
  const outputTokens = Math.ceil(characters / CHARACTERS_PER_TOKEN);
  return usageOf({ inputTokens: estimatedInputTokens, outputTokens });
}

/** `chars` is the number of base64 characters. */
type InlineFile = { mediaType: string; chars: number };

const NO_FILES: readonly InlineFile[] = [];

function tokensOf({ mediaType, chars }: InlineFile): number {
  const bytes = chars / CHARS_PER_BYTE;
  if (mediaType.startsWith('image/')) return TOKENS_PER_ATTACHMENT;
  if (mediaType.startsWith('text/') || mediaType === 'application/json') return Math.ceil(bytes / BYTES_PER_TOKEN);
  return Math.max(TOKENS_PER_ATTACHMENT, Math.ceil(bytes / FILE_BYTES_PER_TOKEN));
}

/** The inline files of a body; none if a string in it is invalid, so that all of it counts as text. */
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

/** The text. Without escapes, as in base64, it need not be parsed. */
function textIn(value: JsonNode): string {
  const { raw } = value;
  return raw.includes('\\') ? (value.text ?? '') : raw.slice(1, -1);
}
