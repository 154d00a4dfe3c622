import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openAiResponses } from './openai-responses.ts';
import { passCall } from './pass.ts';

const LIMITS = { maxJsonDepth: 512, maxEmbeddingInputs: 1 };
const { readEnvelope, promptText } = openAiResponses.inbound;
const OPTIONS = { upstreamModel: 'm', provider: 'p', streamUsage: 'ask' } as const;

function read(fields: object) {
  return readEnvelope(Buffer.from(JSON.stringify({ model: 'm', input: 'Hi', ...fields })), LIMITS);
}

test('what the gateway must know of a call is read', () => {
  const { body: _, index: __, estimatedInputTokens, ...plain } = read({});
  assert.deepEqual(plain, { model: 'm', stream: false, maxOutputTokens: null, choices: 1, wantsUsage: true });
  assert.ok(estimatedInputTokens > 4 && estimatedInputTokens < 20, String(estimatedInputTokens));
  const { stream, maxOutputTokens, keepsNothing } = read({ stream: true, max_output_tokens: 7, store: false });
  assert.deepEqual([stream, maxOutputTokens, keepsNothing], [true, 7, true]);
});

test('a call may ask to be kept where the vendor’s account is its callers’ own', () => {
  const kept = read({ store: true });
  assert.equal(JSON.parse(passCall(kept, OPTIONS).body.toString()).store, false);
  assert.equal(passCall(kept, { ...OPTIONS, sharedIds: 'allow' }).body, kept.body);
  const unsaid = passCall(read({}), { ...OPTIONS, sharedIds: 'allow' });
  assert.equal(JSON.parse(unsaid.body.toString()).store, false, 'not unless it asks');
});

test('a model that is known to reason, or not to, decides whether its reasoning is asked for', () => {
  const written = (fields: object, reasons?: boolean) =>
    JSON.parse(passCall(read(fields), { ...OPTIONS, ...(reasons !== undefined && { reasons }) }).body.toString())
      .include;
  assert.deepEqual(written({}, true), ['reasoning.encrypted_content']);
  assert.equal(written({ reasoning: { effort: 'low' } }, false), undefined);
  assert.equal(written({ store: false }, true), undefined);
});

test('the words of a prompt are its texts and its tools, not its files and ids', () => {
  const words = promptText(
    read({
      instructions: 'Be brief.',
      input: [
        { role: 'user', content: [{ type: 'input_text', text: 'What is this?' }, { image_url: 'data:x;base64,AAAA' }] },
        { type: 'reasoning', id: 'rs_secret', summary: [], encrypted_content: 'gAAA' },
        { type: 'function_call', call_id: 'call_secret', name: 'look', arguments: '{"x":1}' },
        { type: 'function_call_output', call_id: 'call_secret', output: 'data:image/png;base64,BBBB' },
      ],
      tools: [{ type: 'function', name: 'look', description: 'Looks closer.' }],
    }),
  );
  for (const said of ['Be brief.', 'What is this?', '{"x":1}', 'Looks closer.']) assert.ok(words.includes(said), said);
  for (const unsaid of ['AAAA', 'BBBB', 'secret', 'user']) assert.ok(!words.includes(unsaid), unsaid);
});

test('a whole answer also tells all that it says, unless its vendor does', () => {
  const { peekAnswer } = openAiResponses.outbound;
  const added = (answer: string) => peekAnswer(Buffer.from(answer)).added?.();
  const part = (text: string) => ({ type: 'output_text', text });
  const output = [
    { type: 'reasoning', summary: [part('not this')] },
    { type: 'message', content: [part('日本 "'), { type: 'refusal', refusal: 'nor this' }, part('a')] },
    { type: 'message', content: [part('b')] },
  ];
  assert.equal(added(JSON.stringify({ output })), '"output_text":"日本 \\"ab"');
  assert.equal(added('{"output":[],"output_text":"x"}'), '');
});
