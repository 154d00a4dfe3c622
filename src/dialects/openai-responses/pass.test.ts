import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packSeal } from '../../core/seal.ts';
import { openAiResponses } from './openai-responses.ts';
import { passCall } from './pass.ts';

const SEALED = { dialect: 'openai-responses', form: 'encrypted', id: 'rs_1', value: 'gAAA' } as const;

function passed(input: readonly object[]) {
  const body = Buffer.from(JSON.stringify({ model: 'small', store: false, input }));
  const call = openAiResponses.inbound.readEnvelope(body, { maxJsonDepth: 9, maxEmbeddingInputs: 1 });
  const written = passCall(call, { upstreamModel: 'v', provider: 'lab', streamUsage: 'as-sent' });
  return { input: JSON.parse(written.body.toString()).input as unknown, dropped: written.dropped };
}

test('reasoning that was sealed goes back to its provider as the provider made it, and to no other', () => {
  const question = { role: 'user', content: 'Hi' };
  const own = { type: 'reasoning', summary: [], encrypted_content: packSeal({ ...SEALED, provider: 'lab' }) };
  assert.deepEqual(passed([question, own]), {
    input: [question, { type: 'reasoning', summary: [], id: 'rs_1', encrypted_content: 'gAAA' }],
    dropped: [],
  });
  const others = { ...own, encrypted_content: packSeal({ ...SEALED, provider: 'other' }) };
  assert.deepEqual(passed([question, others]), { input: [question], dropped: ['seal'] });
  const told = { ...others, summary: [{ type: 'summary_text', text: 'I thought.' }] };
  assert.deepEqual(passed([told, question]), { input: [question], dropped: ['seal', 'reasoning'] });
  const unsealed = { ...own, encrypted_content: 'gBBB' };
  assert.deepEqual(passed([own, unsealed]).input, [
    { type: 'reasoning', summary: [], id: 'rs_1', encrypted_content: 'gAAA' },
    unsealed,
  ]);
});

test('reasoning that had no seal is removed, by the mark that it got here; without that mark it is the caller’s own', () => {
  const question = { role: 'user', content: 'Hi' };
  const empty = packSeal({ ...SEALED, id: null, value: '', provider: 'lab' });
  const marked = { id: 'rs_2', type: 'reasoning', summary: [], encrypted_content: empty };
  assert.deepEqual(passed([question, marked]), { input: [question], dropped: [] });
  const told = { ...marked, summary: [{ type: 'summary_text', text: 'I thought.' }] };
  assert.deepEqual(passed([told, question]), { input: [question], dropped: ['reasoning'] });
  const { encrypted_content: _, ...plain } = told;
  assert.deepEqual(passed([plain, told]), { input: [plain], dropped: ['reasoning'] });
});
