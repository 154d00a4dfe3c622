import { GatewayError } from '../../core/errors.ts';
import { NO_LOSSES } from '../../core/losses.ts';
import type { Envelope, PassOptions, ReadLimits, WrittenCall } from '../dialect.ts';
import { envelopeOf } from '../envelope.ts';
import { member, missing, passBody, readModel, readRequestBody, wordsOrRaw } from '../request.ts';

/** Reads an embeddings request: a string, strings, a list of tokens, or lists of tokens. */
export function readEnvelope(bytes: Buffer, limits: ReadLimits): Envelope {
  const request = readRequestBody(bytes, limits.maxJsonDepth, limits.json);
  const model = readModel(request);
  checkInput(member(request, 'input'), limits.maxEmbeddingInputs);
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
    const input = body.get('input')?.parsed();
    const inputs = Array.isArray(input) ? input : [input];
    const each = inputs.flat().map((item) => (typeof item === 'string' ? item : 'x'));
    words.push(each.join(' '));
  });
}

function checkInput(input: unknown, maxInputs: number): void {
  if (input === undefined) {
    throw missing('input', 'You must send `input`, the text to embed.');
  }
  if (typeof input === 'string') {
    if (input === '') throw refuse('input', '`input` must not be empty.');
    return;
  }
  if (!Array.isArray(input) || input.length === 0)
    throw refuse('input', '`input` must be a string, or a list of at least one string or token.');
  if (input.every(isToken)) return;
  if (input.length > maxInputs)
    throw refuse('input', `\`input\` has ${input.length} items; at most ${maxInputs} may be embedded at once.`);
  const [fits, wanted] = kindOf(input[0]);
  for (const [index, item] of input.entries()) {
    if (fits(item)) continue;
    const must = index === 0 ? `${TEXT}, a token, or ${TOKENS}` : `${wanted}, like the items before it`;
    throw refuse(`input[${index}]`, `\`input[${index}]\` must be ${must}.`);
  }
}

const TEXT = 'a string that is not empty';
const TOKENS = 'a list of tokens';

/** What all items must be where the first is this one. */
function kindOf(first: unknown): [fits: (item: unknown) => boolean, wanted: string] {
  if (typeof first === 'string') return [(item) => typeof item === 'string' && item !== '', TEXT];
  if (isToken(first)) return [isToken, 'a token'];
  return [(item) => Array.isArray(item) && item.length > 0 && item.every(isToken), TOKENS];
}

function isToken(item: unknown): boolean {
  return Number.isInteger(item) && (item as number) >= 0;
}

function refuse(param: string, message: string): GatewayError {
  return new GatewayError('invalid_request', message, { param });
}
