import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { RecordedDialect } from '../../src/testing/recordings.ts';
import { jsonReply, type Plan } from '../../src/testing/reply.ts';
import { DIALECTS, PATHS, startTranslationLab, type TranslationLab } from '../support/dialects.ts';
import { answerOf } from './rounds/vendors.ts';

/** A conversation that another vendor of the same format has left its proofs in, at a vendor that refuses them. */
const PROOF = 'proof-of-another-vendor';
const SPOKEN = { thoughts: [], text: 'Fine.', calls: [] };

const ASKED: Record<RecordedDialect, object> = {
  'openai-chat': {
    messages: [
      { role: 'user', content: 'Look it up.' },
      {
        role: 'assistant',
        content: null,
        reasoning_content: PROOF,
        tool_calls: [
          {
            id: 'call_1',
            type: 'function',
            function: { name: 'find', arguments: '{}' },
            extra_content: { google: { thought_signature: PROOF } },
          },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'Found.' },
    ],
  },
  'openai-responses': {
    store: false,
    input: [
      { type: 'compaction', id: 'cmp_1', encrypted_content: PROOF },
      { role: 'user', content: 'Plan it.' },
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: PROOF },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Done.' }] },
      { role: 'user', content: 'Go on.' },
    ],
  },
  'anthropic-messages': {
    max_tokens: 4000,
    thinking: { type: 'enabled', budget_tokens: 2000 },
    tools: [{ name: 'find', input_schema: { type: 'object', properties: {} } }],
    messages: [
      { role: 'user', content: 'Look it up.' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Where?', signature: PROOF },
          { type: 'redacted_thinking', data: PROOF },
          { type: 'tool_use', id: 'toolu_1', name: 'find', input: {} },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'Found.' }] },
    ],
  },
};

/** How vendors of each format refuse it, each in words of its own. */
const REFUSALS: Record<RecordedDialect, [status: number, body: object][]> = {
  'openai-chat': [
    [400, { message: 'messages.1.assistant.reasoning_content: property is unsupported', code: 'wrong_api_format' }],
    [
      422,
      {
        detail: [{ type: 'extra_forbidden', loc: ['body', 'messages', 1], msg: 'Extra inputs are not permitted' }],
      },
    ],
    [400, { error: { code: 400, message: 'Corrupted thought signature.', status: 'INVALID_ARGUMENT' } }],
  ],
  'openai-responses': [
    [400, { error: { message: 'It could not be verified.', code: 'invalid_encrypted_content' } }],
    [400, { error: { message: 'Encrypted content of item rs_1 could not be decrypted.', code: null } }],
  ],
  'anthropic-messages': [
    [
      400,
      {
        type: 'error',
        error: {
          type: 'invalid_request_error',
          message: 'messages.1.content.0: Invalid `signature` in `thinking` block',
        },
      },
    ],
    [
      400,
      {
        type: 'error',
        error: { type: 'invalid_request_error', message: 'Invalid `data` in `redacted_thinking` block' },
      },
    ],
  ],
};

describe('proofs of another vendor', () => {
  let lab: TranslationLab;
  before(async () => {
    lab = await startTranslationLab();
  });
  after(() => lab[Symbol.asyncDispose]());

  async function ask(dialect: RecordedDialect, stream: boolean, plan: Plan) {
    const from = lab.vendor.requests.length;
    lab.vendor.plan(plan);
    const response = await fetch(`${lab.headgate.url}${PATHS[dialect]}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${lab.headgate.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: `${dialect}/m`, ...ASKED[dialect], stream }),
    });
    const body = await response.text();
    lab.vendor.forget();
    return { response, body, sent: lab.vendor.requests.slice(from).map((request) => request.body.toString()) };
  }

  for (const dialect of DIALECTS) {
    for (const [status, refusal] of REFUSALS[dialect]) {
      for (const stream of [false, true]) {
        test(`${dialect}, ${stream ? 'stream' : 'whole'}, ${JSON.stringify(refusal).slice(0, 90)}: asked once more without them`, async () => {
          const { response, body, sent } = await ask(dialect, stream, (request) =>
            request.body.includes(PROOF) ? jsonReply(status, refusal) : answerOf(dialect, SPOKEN, 'again')(request),
          );
          assert.equal(response.status, 200, body);
          assert.deepEqual(
            sent.map((text) => text.includes(PROOF)),
            [true, false],
          );
          assert.match(response.headers.get('service-dropped') ?? '', /seal/);
          assert.equal(response.headers.get('service-attempts'), '2');
          const [row] = (await lab.headgate.usage({ limit: '1' })).data;
          assert.deepEqual([row?.status, row?.attempts], ['succeeded', 2]);
        });
      }
    }

    test(`${dialect}: a vendor that refuses the call without them, too, is asked twice`, async () => {
      const [status, refusal] = REFUSALS[dialect][0]!;
      const { response, sent } = await ask(dialect, false, () => jsonReply(status, refusal));
      assert.deepEqual([response.status, sent.length], [status, 2]);
    });

    test(`${dialect}: a vendor that misses its reasoning is asked once`, async () => {
      const message = 'The reasoning_content in the thinking mode must be passed back to the API.';
      const { response, sent } = await ask(dialect, false, () => jsonReply(400, { error: { message } }));
      assert.deepEqual([response.status, sent.length], [400, 1]);
    });
  }
});
