import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { field } from '../../src/testing/json.ts';
import type { RecordedDialect } from '../../src/testing/recordings.ts';
import { DIALECTS, startTranslationLab } from '../support/dialects.ts';
import { structuredAt, structuredByTool } from './structured.ts';
import { scripted } from './vendors.ts';

/** An answer of a form, asked for in each client's words: the vendor is told the schema in its own. */
const lab = await startTranslationLab();
const { headgate, vendor } = lab;
after(() => lab[Symbol.asyncDispose]());

const WEATHER = { temperature: -3.5, sky: 'clear' };
const TURN = { text: JSON.stringify(WEATHER), usage: { input: 20, output: 10 } };

const SCHEMAS: Record<RecordedDialect, readonly string[]> = {
  'openai-chat': ['response_format', 'json_schema', 'schema'],
  'openai-responses': ['text', 'format', 'schema'],
  'anthropic-messages': ['output_config', 'format', 'schema'],
};

const FORCED: Record<RecordedDialect, unknown> = {
  'openai-chat': 'required',
  'openai-responses': 'required',
  'anthropic-messages': { type: 'any', disable_parallel_tool_use: true },
};

for (const [name, ask] of Object.entries(structuredAt(headgate.url, headgate.key))) {
  describe(name, () => {
    for (const spoken of DIALECTS) {
      for (const stream of [false, true]) {
        test(`${spoken}, ${stream ? 'streamed' : 'whole'}: the schema arrives, and the answer is parsed by it`, async () => {
          vendor.forget();
          vendor.plan(scripted(spoken, [TURN]));
          assert.deepEqual(await ask(`${spoken}/m`, stream), WEATHER);
          const schema = field(vendor.requests.at(-1)?.json, ...SCHEMAS[spoken]);
          assert.deepEqual(Object.keys(field(schema, 'properties') as object), ['temperature', 'sky']);
          assert.deepEqual(field(schema, 'required'), ['temperature', 'sky']);
          assert.equal(field(schema, 'additionalProperties'), false);
        });
      }
    }
  });
}

describe('ai, anthropic by a tool', () => {
  const ask = structuredByTool(headgate.url, headgate.key);
  const calls = [{ id: 'call_1', name: 'json', input: WEATHER }];
  for (const spoken of DIALECTS) {
    for (const stream of [false, true]) {
      test(`${spoken}, ${stream ? 'streamed' : 'whole'}: the tool is forced, and its input is the answer`, async () => {
        vendor.forget();
        vendor.plan(scripted(spoken, [{ calls, usage: TURN.usage }]));
        assert.deepEqual(await ask(`${spoken}/m`, stream), WEATHER);
        assert.deepEqual(field(vendor.requests.at(-1)?.json, 'tool_choice'), FORCED[spoken]);
      });
    }
  }
});
