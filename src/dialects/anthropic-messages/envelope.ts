import type { Envelope, ReadLimits } from '../dialect.ts';
import {
  checkMessages,
  member,
  missing,
  parseJson,
  type RequestBody,
  readModel,
  readRequestBody,
  readStream,
  wholeNumber,
} from '../request.ts';
import { type OwnPlaces, sharedIdOf } from '../shared-ids.ts';

const OWN_PLACES: OwnPlaces = { keeps: ['store'] };

/** Reads what the gateway must know of a call. Everything else is the vendor's to judge. */
export function readEnvelope(bytes: Buffer, limits: ReadLimits): Envelope {
  const request = readRequestBody(bytes, limits.maxJsonDepth);
  const envelope = readOutside(request);
  if (envelope.maxOutputTokens !== null) return envelope;
  throw missing('max_tokens', 'You must send `max_tokens`, how many tokens the answer may have at most.');
}

/** The same of a question for the tokens of a prompt, which needs no `max_tokens`. */
export function readCountEnvelope(bytes: Buffer, limits: ReadLimits): Envelope {
  return readOutside(readRequestBody(bytes, limits.maxJsonDepth));
}

function readOutside(request: RequestBody): Envelope {
  const model = readModel(request);
  checkMessages(request);
  return {
    model,
    stream: readStream(request),
    maxOutputTokens: wholeNumber(request, 'max_tokens'),
    choices: 1,
    wantsUsage: true,
    estimatedInputTokens: estimateTokens(request.text),
    body: request.body,
    ...sharedIdOf(request, OWN_PLACES),
  };
}

const BYTES_PER_TOKEN = 4;
/** What one inline image or file is taken to cost, whatever its bytes. */
const TOKENS_PER_ATTACHMENT = 1000;
const DATA_MEMBER = /"data"\s*:\s*"/g;
/** So much of a `data` is looked at to tell bytes from words. */
const SAMPLE = 256;
const BYTES_ONLY = /^[A-Za-z0-9+/=_-]+$/;

/** A guess from the size alone: four bytes a token, inline files at a flat rate. */
function estimateTokens(text: string): number {
  let bytes = text.length;
  let attachments = 0;
  for (const { index, 0: found } of text.matchAll(DATA_MEMBER)) {
    const start = index + found.length;
    if (!BYTES_ONLY.test(text.slice(start, start + SAMPLE))) continue;
    const quote = text.indexOf('"', start);
    bytes -= (quote < 0 ? text.length : quote) - start;
    attachments += 1;
  }
  return Math.ceil(bytes / BYTES_PER_TOKEN) + attachments * TOKENS_PER_ATTACHMENT;
}

/** The words of a prompt: every text of every message, and the tools as they stand. */
export function promptText(call: Envelope): string {
  const request = readRequestBody(call.body, Number.MAX_SAFE_INTEGER);
  const words: string[] = [];
  for (const name of ['system', 'messages']) gather(member(request, name), words);
  for (const name of ['tools', 'output_config']) {
    const span = request.members.spans.get(name);
    if (span !== undefined) words.push(JSON.stringify(parseJson(request.body.toString('utf8', span.start, span.end))));
  }
  return words.join('\n');
}

const NOT_WORDS = new Set([
  'role',
  'type',
  'id',
  'tool_use_id',
  'media_type',
  'file_id',
  'url',
  'signature',
  'cache_control',
  'encrypted_content',
  'encrypted_index',
]);

function gather(value: unknown, words: string[]): void {
  if (typeof value === 'string') {
    words.push(value);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const isText = (value as { type?: unknown }).type === 'text';
  for (const [name, inner] of Object.entries(value)) {
    // Under `data` stand the bytes of files and what only Anthropic reads; only in a source of plain text is it words.
    if (NOT_WORDS.has(name) || (name === 'data' && !isText)) continue;
    gather(inner, words);
  }
}
