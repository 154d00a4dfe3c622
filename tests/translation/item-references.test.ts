import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { createOpenAI } from '@ai-sdk/openai';
import { APICallError, generateText, type ModelMessage } from 'ai';
import OpenAI, { BadRequestError } from 'openai';
import type { RecordedDialect } from '../../src/testing/recordings.ts';
import { rejection } from '../sdk/lab.ts';
import { DIALECTS, startTranslationLab } from '../support/dialects.ts';
import { received, type Step } from './received.ts';
import { scripted } from './vendors.ts';

/** Items that a caller names in place of sending them, as some agents do unless they are told to store nothing. */
const lab = await startTranslationLab();
const { headgate, vendor } = lab;
after(() => lab[Symbol.asyncDispose]());

type Input = OpenAI.Responses.ResponseInputItem[];

const THOUGHT = { id: 'rs_vendor', text: 'Hm.', seal: 'gAAA+/==' };
const TURN = { reasoning: THOUGHT, text: 'It rains.', usage: { input: 20, output: 10 } };
const ASKED = { role: 'user' as const, content: 'And in Oslo?' };
const ASKED_AGAIN = { role: 'user' as const, content: 'Are you sure?' };

const client = clientWith(headgate.key);

for (const spoken of DIALECTS) {
  describe(spoken, () => {
    for (const stream of [false, true]) {
      test(`items of ${stream ? 'a streamed' : 'a whole'} answer are known by their ids`, async () => {
        const { reasoning, message } = await answered(spoken, stream);
        await ask(spoken, [ASKED, reference(reasoning), { id: message, type: null }, ASKED_AGAIN]);
        assert.deepEqual(received(spoken, vendor.requests.at(-1)!), backAndForth(spoken));
      });
    }

    test('what is not known, another key’s, or was not to be kept is refused by its place', async () => {
      const { message } = await answered(spoken, false);
      const { message: unkept } = await answered(spoken, true, { store: false });
      const stranger = clientWith((await headgate.createKey()).key);
      const before = vendor.requests.length;
      await refused(spoken, client, 'msg_nobody');
      await refused(spoken, stranger, message);
      await refused(spoken, client, unkept);
      assert.equal(vendor.requests.length, before);
    });
  });
}

describe('the AI SDK', () => {
  const openai = createOpenAI({ baseURL: `${headgate.url}/v1`, apiKey: headgate.key });
  const talk = (messages: ModelMessage[]) => {
    const model = openai('anthropic-messages/m');
    return generateText({ model, messages, maxRetries: 0, include: { requestBody: true } });
  };

  test('names what it was answered, and the vendor gets it in full', async () => {
    vendor.forget();
    vendor.plan(scripted('anthropic-messages', [TURN, TURN]));
    const { responseMessages } = await talk([ASKED]);
    const { request } = await talk([ASKED, ...responseMessages, ASKED_AGAIN]);
    assert.equal(JSON.stringify(request.body).match(/item_reference/g)?.length, 2);
    assert.deepEqual(received('anthropic-messages', vendor.requests.at(-1)!), backAndForth('anthropic-messages'));
  });

  test('is told which of its items is not known', async () => {
    const providerOptions = { openai: { itemId: 'msg_nobody' } };
    const said = { role: 'assistant' as const, content: [{ type: 'text' as const, text: 'Hm.', providerOptions }] };
    const error = await rejection(talk([ASKED, said, ASKED_AGAIN]), APICallError);
    assert.equal(error.statusCode, 400);
    assert.match(error.responseBody ?? '', /"param":"input\[1\]"/);
  });
});

/** A vendor's answer as a caller got it: the ids of its items. */
async function answered(spoken: RecordedDialect, stream: boolean, more: { store?: boolean } = {}) {
  vendor.forget();
  vendor.plan(scripted(spoken, [TURN, TURN]));
  const body = { model: `${spoken}/m`, input: [ASKED], ...more };
  const { output } = stream ? await client.responses.stream(body).finalResponse() : await client.responses.create(body);
  const idOf = (type: string) => String(output.find((item) => item.type === type)?.id);
  return { reasoning: idOf('reasoning'), message: idOf('message') };
}

async function refused(spoken: RecordedDialect, asker: OpenAI, id: string): Promise<void> {
  const error = await rejection(ask(spoken, [ASKED, reference(id)], asker), BadRequestError);
  assert.deepEqual([error.param, error.code], ['input[1]', 'item_not_found']);
}

function ask(spoken: RecordedDialect, input: Input, asker = client) {
  return asker.responses.create({ model: `${spoken}/m`, input });
}

function clientWith(apiKey: string): OpenAI {
  return new OpenAI({ baseURL: `${headgate.url}/v1`, apiKey, maxRetries: 0 });
}

function reference(id: string): OpenAI.Responses.ResponseInputItem.ItemReference {
  return { type: 'item_reference', id };
}

/** The conversation as a vendor must receive it. */
function backAndForth(spoken: RecordedDialect): Step[] {
  const { id, ...thought } = THOUGHT;
  return [
    { kind: 'user', text: ASKED.content },
    { kind: 'reasoning', ...thought, ...(spoken === 'openai-responses' && { id }) },
    { kind: 'text', text: TURN.text },
    { kind: 'user', text: ASKED_AGAIN.content },
  ];
}
