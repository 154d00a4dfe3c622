import { GatewayError } from '../../core/errors.ts';
import { NO_LOSSES } from '../../core/losses.ts';
import type { Envelope, PassOptions, ReadLimits, WrittenCall } from '../dialect.ts';
import { envelopeOf } from '../envelope.ts';
import { member, missing, passBody, readModel, readRequestBody, wordsOrRaw } from '../request.ts';

/**
 * Reads an embeddings request: a string, strings, a list of tokens, lists of tokens, or objects with texts and images, beside
 * strings or alone, as vendors of models for several media take them. Such a vendor may also take `messages` for `input`:
 * https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html#embeddings-api, https://jina.ai/embeddings/
 */
export function readEnvelope(bytes: Buffer, limits: ReadLimits): Envelope {
  const request = readRequestBody(bytes, limits.maxJsonDepth, limits.json);
  const model = readModel(request);
  const input = member(request, 'input');
  checkInput(input === undefined ? member(request, 'messages') : input, limits.maxEmbeddingInputs);
  const format = member(request, 'encoding_format');
  if (format !== undefined && format !== null && format !== 'float' && format !== 'base64') {
    throw refuse('encoding_format', '`encoding_format` must be "float" or "base64".');
  }
  const dimensions = member(request, 'dimensions');
  if (
    dimensions !== undefined &&
    dimensions !== null &&
    !(Number.isInteger(dimensions) && (dimensions as number) >= 1)
  ) {
    throw refuse('dimensions', '`dimensions` must be an integer of at least 1.');
  }
  return envelopeOf(request, {
    model,
    stream: false,
    limits: { maxOutputTokens: 0 },
    choices: 1,
    wantsUsage: false,
  });
}

/** The caller's body with the vendor's model name. */
export function passCall(call: Envelope, options: PassOptions): WrittenCall {
  return { body: passBody(call, options), dropped: NO_LOSSES };
}

/** The text to embed. Each token of a token list counts as a one-letter word. */
export function promptText(call: Envelope): string {
  return wordsOrRaw(call, (body, words) => {
    const input = (body.get('input') ?? body.get('messages'))?.parsed();
    const inputs = Array.isArray(input) ? input : [input];
    words.push(inputs.flat().map(wordsOf).join(' '));
  });
}

/** A token, and an address of an image, count as a word; of an object all texts count. */
function wordsOf(item: unknown): string {
  if (typeof item === 'string') return /^(?:data|https?):/.test(item) ? 'x' : item;
  if (typeof item !== 'object' || item === null) return 'x';
  return Object.values(item).map(wordsOf).join(' ');
}

function checkInput(input: unknown, maxInputs: number): void {
  if (input === undefined) {
    throw missing('input', 'You must send `input`, the text to embed.');
  }
  if (typeof input === 'string') {
    if (input === '') throw refuse('input', '`input` must not be empty.');
    return;
  }
  if (isObject(input)) return;
  if (!Array.isArray(input) || input.length === 0)
    throw refuse('input', '`input` must be a string, or a list of at least one string, token or object.');
  if (input.every(isToken)) return;
  if (input.length > maxInputs)
    throw refuse('input', `\`input\` has ${input.length} items; at most ${maxInputs} may be embedded at once.`);
  const [fits, wanted] = kindOf(input[0]);
  for (const [index, item] of input.entries()) {
    if (fits(item)) continue;
    const must = index === 0 ? `${TEXT}, an object, a token, or ${TOKENS}` : `${wanted}, like the items before it`;
    throw refuse(`input[${index}]`, `\`input[${index}]\` must be ${must}.`);
  }
}

const TEXT = 'a string that is not empty';
const TEXT_OR_OBJECT = `${TEXT}, or an object`;
const TOKENS = 'a list of tokens';

/** What all items must be where the first is this one. */
function kindOf(first: unknown): [fits: (item: unknown) => boolean, wanted: string] {
  if (typeof first === 'string' || isObject(first)) return [isTextOrObject, TEXT_OR_OBJECT];
  if (isToken(first)) return [isToken, 'a token'];
  return [(item) => Array.isArray(item) && item.length > 0 && item.every(isToken), TOKENS];
}

function isTextOrObject(item: unknown): boolean {
  return (typeof item === 'string' && item !== '') || isObject(item);
}

function isObject(item: unknown): boolean {
  return typeof item === 'object' && item !== null && !Array.isArray(item) && Object.keys(item).length > 0;
}

function isToken(item: unknown): boolean {
  return Number.isInteger(item) && (item as number) >= 0;
}

function refuse(param: string, message: string): GatewayError {
  return new GatewayError('invalid_request', message, { param });
}
