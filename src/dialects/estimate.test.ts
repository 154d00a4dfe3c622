import assert from 'node:assert/strict';
import { test } from 'node:test';
import { estimatedInput } from './estimate.ts';
import { readRequestBody } from './request.ts';

const BASE64 = 'QUFB'.repeat(100_000);
const estimate = (part: unknown) =>
  estimatedInput(readRequestBody(Buffer.from(JSON.stringify({ messages: [{ role: 'user', content: [part] }] })), 512))
    .estimatedInputTokens;

/** What all of it costs as words: four bytes a token. */
const AS_WORDS = BASE64.length / 4;

test('an inline image is taken at a flat rate, another file by its size', () => {
  const images = [
    { type: 'image_url', image_url: { url: `data:image/png;base64,${BASE64}` } },
    { type: 'input_image', image_url: `data:image/png;base64,${BASE64}` },
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: BASE64 } },
    { type: 'tool_result', content: [{ source: { type: 'base64', media_type: 'image/png', data: BASE64 } }] },
  ];
  for (const image of images) assert.ok(estimate(image) < 1100, JSON.stringify(image).slice(0, 60));
  const pdf = estimate({ type: 'file', file: { file_data: `data:application/pdf;base64,${BASE64}` } });
  assert.ok(pdf >= 7500 && pdf < 7600, String(pdf));
  const text = estimate({ type: 'file', file: { file_data: `data:text/plain;base64,${BASE64}` } });
  assert.ok(text >= 75_000 && text < 75_100, String(text));
});

test('what only looks like a file counts as the words that it is', () => {
  const dataUrl = `data:image/png;base64,${BASE64}`;
  const source = { type: 'base64', media_type: 'image/png', data: BASE64 };
  const words = [
    { type: 'text', text: dataUrl },
    { type: 'text', text: `;base64,${BASE64}` },
    { type: 'text', text: `Words before ${dataUrl}` },
    { type: 'image_url', image_url: { url: `;base64,${BASE64}` } },
    { type: 'document', source: { type: 'text', media_type: 'text/plain', data: BASE64 } },
    { type: 'tool_use', id: 't', name: 'f', input: { url: dataUrl, source } },
    { type: 'function', function: { parameters: { url: dataUrl } } },
    { type: 'mcp', input_schema: { default: source } },
  ];
  for (const part of words) assert.ok(estimate(part) >= AS_WORDS, JSON.stringify(part).slice(0, 60));
});

test('words behind a file count, and a body that does not parse is all words', () => {
  const after = estimate([{ image_url: 'data:image/png;base64,AAAA' }, { text: BASE64 }]);
  assert.ok(after >= AS_WORDS);
  const broken = Buffer.from(`{"messages":[{"image_url":"data:image/png;base64,${BASE64}\\x"}]}`);
  assert.ok(estimatedInput(readRequestBody(broken, 512)).estimatedInputTokens >= AS_WORDS);
});
