import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { field } from '../../src/testing/json.ts';
import type { RecordedDialect } from '../../src/testing/recordings.ts';
import { type Said, saidByCompletion, saidByMessage, saidByResponse } from './said.ts';

const PROMPT = 'What is the weather in Paris?';
const MAX_TOKENS = 4096;

/** The official client of a surface, which asks once and tells what it understood. */
export type Client = (model: string, stream: boolean) => Promise<Said>;

/** The official clients, unmodified but for address and key. They repeat nothing. */
export function clientsAt(url: string, apiKey: string): Record<RecordedDialect, Client> {
  const openai = new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0 });
  const anthropic = new Anthropic({ baseURL: url, apiKey, maxRetries: 0 });
  const messages = [{ role: 'user' as const, content: PROMPT }];
  return {
    async 'openai-chat'(model, stream) {
      const body = { model, messages };
      if (!stream) return saidByCompletion(await openai.chat.completions.create(body));
      const streamed = openai.chat.completions.stream({ ...body, stream_options: { include_usage: true } });
      // The helper has no member for reasoning, and keeps the last piece of what it does not know.
      let reasoning = '';
      streamed.on('chunk', ({ choices }) => {
        reasoning += String(field(choices[0], 'delta', 'reasoning_content') ?? '');
      });
      return { ...saidByCompletion(await streamed.finalChatCompletion()), reasoning };
    },
    async 'openai-responses'(model, stream) {
      const body = { model, input: PROMPT };
      if (!stream) return saidByResponse(await openai.responses.create(body));
      return saidByResponse(await openai.responses.stream(body).finalResponse());
    },
    async 'anthropic-messages'(model, stream) {
      const body = { model, messages, max_tokens: MAX_TOKENS };
      if (!stream) return saidByMessage(await anthropic.messages.create(body));
      return saidByMessage(await anthropic.messages.stream(body).finalMessage());
    },
  };
}
