import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scanObject } from '../../json/scan.ts';
import { readEnvelope } from './envelope.ts';
import { fitAnswer } from './vectors.ts';

const NUMBERS = [0.5, -0.25, 3];
const BASE64 = 'AAAAPwAAgL4AAEBA';

function fitted(asked: object, embedding: unknown): unknown {
  const call = readEnvelope(Buffer.from(JSON.stringify({ model: 'm', input: 'a', ...asked })), {
    maxJsonDepth: 512,
    maxEmbeddingInputs: 9,
  });
  const body = Buffer.from(
    JSON.stringify({
      model: 'v',
      data: [
        { index: 0, embedding },
        { index: 1, embedding },
      ],
      usage: { a: 1 },
    }),
  );
  const answer = fitAnswer(body, scanObject(body, 512), call);
  const { data, usage } = JSON.parse(answer.toString()) as {
    data: { index: number; embedding: unknown }[];
    usage: object;
  };
  assert.deepEqual([usage, data.map(({ index }) => index), data[1]?.embedding], [{ a: 1 }, [0, 1], data[0]?.embedding]);
  return answer === body ? 'the same bytes' : data[0]?.embedding;
}

test('vectors come in the form that was asked for', () => {
  assert.equal(fitted({ encoding_format: 'base64' }, NUMBERS), BASE64);
  assert.deepEqual(fitted({ encoding_format: 'float' }, BASE64), NUMBERS);
  assert.deepEqual(fitted({}, BASE64), NUMBERS);
});

test('vectors that have that form, or that nobody can tell, stay as they are', () => {
  assert.equal(fitted({ encoding_format: 'base64' }, BASE64), 'the same bytes');
  assert.equal(fitted({}, NUMBERS), 'the same bytes');
  assert.equal(fitted({}, null), 'the same bytes');
  assert.equal(fitted({ output_dtype: 'ubinary' }, BASE64), 'the same bytes');
  assert.equal(fitted({}, 'odd'), 'the same bytes');
});
