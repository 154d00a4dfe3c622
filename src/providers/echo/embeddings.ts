import { createHash } from 'node:crypto';
import { badValue, EchoRefusal, type EchoReply, JSON_TYPE, missing, unknownModel, wholeNumber } from './reply.ts';
import { countTokens } from './tokens.ts';

/** The embedding models by vector length. */
export const EMBEDDING_MODELS: ReadonlyMap<string, number> = new Map([
  ['text-embedding-3-small', 1536],
  ['text-embedding-3-large', 3072],
  ['text-embedding-ada-002', 1536],
]);

/** OpenAI's limit: https://platform.openai.com/docs/api-reference/embeddings/create */
export const MAX_INPUTS = 2_048;
export const MAX_INPUT_TOKENS = 8_192;

/** The only model with a fixed vector length. */
const FIXED_LENGTH = 'text-embedding-ada-002';

type EmbeddingInput = string | readonly number[];

/** Answers with unit vectors that depend only on the input: the same text always gives the same vector. */
export function answerEmbeddings(body: Record<string, unknown>): EchoReply {
  if (typeof body.model !== 'string') throw missing('model');
  const length = EMBEDDING_MODELS.get(body.model);
  if (length === undefined) throw unknownModel(body.model);
  const dimensions = wholeNumber(body, 'dimensions', 1, length);
  if (dimensions !== null && body.model === FIXED_LENGTH) {
    throw new EchoRefusal(400, 'This model does not support specifying dimensions.', null, null);
  }
  const format = body.encoding_format ?? 'float';
  if (format !== 'float' && format !== 'base64') throw badValue('encoding_format', "'float' or 'base64'");
  const inputs = readInputs(body.input);
  const tokens = inputs.reduce((sum, input, index) => sum + countInput(input, index), 0);
  const pieces = list(inputs, body.model, tokens, (input) => {
    const vector = vectorOf(input, length, dimensions ?? length);
    return format === 'float' ? [...vector] : base64(vector);
  });
  return { status: 200, contentType: JSON_TYPE, pieces };
}

/** Writes the answer one vector at a time: all together may be a hundred megabytes. */
function* list(
  inputs: readonly EmbeddingInput[],
  model: string,
  tokens: number,
  encode: (input: EmbeddingInput) => string | number[],
): Generator<string> {
  yield '{"object":"list","data":[';
  for (const [index, input] of inputs.entries()) {
    yield `${index === 0 ? '' : ','}${JSON.stringify({ object: 'embedding', index, embedding: encode(input) })}`;
  }
  yield `],"model":${JSON.stringify(model)},"usage":{"prompt_tokens":${tokens},"total_tokens":${tokens}}}`;
}

/** A string or a list of tokens is one input; a list of those is several. */
function readInputs(value: unknown): EmbeddingInput[] {
  if (value === undefined || value === null) throw missing('input');
  if (isInput(value)) return [value];
  if (Array.isArray(value) && value.length > 0 && value.length <= MAX_INPUTS && value.every(isInput)) return value;
  const expected = `a string, a list of tokens, or a list of 1 to ${MAX_INPUTS} of either, none of them empty`;
  throw badValue('input', expected);
}

function isInput(value: unknown): value is EmbeddingInput {
  if (typeof value === 'string') return value !== '';
  return Array.isArray(value) && value.length > 0 && value.every((token) => Number.isSafeInteger(token) && token >= 0);
}

function countInput(input: EmbeddingInput, index: number): number {
  const tokens = typeof input === 'string' ? countTokens(input, MAX_INPUT_TOKENS + 1) : input.length;
  if (tokens <= MAX_INPUT_TOKENS) return tokens;
  const message = `This model's maximum context length is ${MAX_INPUT_TOKENS} tokens; input ${index} has more.`;
  throw new EchoRefusal(400, message, 'input', 'context_length_exceeded');
}

/** A unit vector: the first `dimensions` numbers of the model's full vector for this input, normalized. */
function vectorOf(input: EmbeddingInput, length: number, dimensions: number): Float32Array {
  const seed = createHash('sha256')
    .update(`${length}:`)
    .update(typeof input === 'string' ? input : JSON.stringify(input))
    .digest();
  const random = xorshift(seed);
  const vector = new Float64Array(dimensions);
  let squares = 0;
  for (const index of vector.keys()) {
    const value = random() * 2 - 1;
    vector[index] = value;
    squares += value * value;
  }
  return Float32Array.from(vector, (value) => value / Math.sqrt(squares));
}

/** Marsaglia's xorshift128: pseudo-random numbers in [0, 1) from the first 16 bytes of the seed. */
function xorshift(seed: Buffer): () => number {
  let [x, y, z, w] = [0, 4, 8, 12].map((offset) => seed.readInt32LE(offset)) as [number, number, number, number];
  return () => {
    const mixed = x ^ (x << 11);
    [x, y, z] = [y, z, w];
    w = w ^ (w >>> 19) ^ mixed ^ (mixed >>> 8);
    return (w >>> 0) / 2 ** 32;
  };
}

/** Little-endian float32 on every machine, as OpenAI's clients expect. */
function base64(vector: Float32Array): string {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * 4);
  return bytes.toString('base64');
}
