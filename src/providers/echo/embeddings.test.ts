import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerEmbeddings, MAX_INPUT_TOKENS, MAX_INPUTS } from './embeddings.ts';

const SMALL = { model: 'text-embedding-3-small', input: 'a' };

function answer(fields: object) {
  return JSON.parse([...answerEmbeddings({ ...SMALL, ...fields }).pieces].join(''));
}

/** The only vector of an answer, in either encoding. */
function vector(fields: object): number[] {
  const { embedding } = answer(fields).data[0];
  if (typeof embedding !== 'string') return embedding;
  const bytes = Buffer.from(embedding, 'base64');
  return Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(index * 4));
}

test('base64 is the same vector as floats', () => {
  assert.deepEqual(vector({ encoding_format: 'base64' }), vector({ encoding_format: 'float' }));
});

test('fewer dimensions are the beginning of the whole vector, made unit again', () => {
  const whole = vector({});
  const norm = Math.hypot(...whole.slice(0, 4));
  const few = vector({ dimensions: 4 });
  assert.equal(few.length, 4);
  for (const [index, value] of few.entries()) assert.ok(Math.abs(value - whole[index]! / norm) < 1e-6);
});

test('tokens are one input, lists of tokens are many', () => {
  const count = (input: unknown) => {
    const { data, usage } = answer({ input });
    return [data.length, usage.prompt_tokens];
  };
  assert.deepEqual(count([1, 2, 3]), [1, 3]);
  assert.deepEqual(count([[1, 2], [3]]), [2, 3]);
  assert.deepEqual(count(['a b', 'c']), [2, 3]);
});

test('the largest inputs are taken, and anything beyond or beside is refused by the name of its field', () => {
  assert.equal(answer({ input: Array.from({ length: MAX_INPUTS }, () => 'a'), dimensions: 1 }).data.length, MAX_INPUTS);
  assert.equal(answer({ input: 'w '.repeat(MAX_INPUT_TOKENS - 1) }).data.length, 1);
  const refusals: readonly (readonly [object, string | null])[] = [
    [{ input: undefined }, 'input'],
    [{ input: '' }, 'input'],
    [{ input: [] }, 'input'],
    [{ input: ['a', 3] }, 'input'],
    [{ input: [-1] }, 'input'],
    [{ input: Array.from({ length: MAX_INPUTS + 1 }, () => 'a') }, 'input'],
    [{ input: 'w '.repeat(MAX_INPUT_TOKENS + 1) }, 'input'],
    [{ input: Array.from({ length: MAX_INPUT_TOKENS + 1 }, () => 1) }, 'input'],
    [{ dimensions: 0 }, 'dimensions'],
    [{ dimensions: 1537 }, 'dimensions'],
    [{ encoding_format: 'hex' }, 'encoding_format'],
    [{ model: 'text-embedding-ada-002', dimensions: 8 }, null],
    [{ model: 'echo' }, null],
  ];
  for (const [fields, param] of refusals) assert.throws(() => answer(fields), { name: 'Refusal', param });
  const message = "Invalid value for 'dimensions': expected a whole number from 1 to 1536.";
  assert.throws(() => answer({ dimensions: 1537 }), { message });
});
