import { openAiChat } from '../dialects/openai-chat/openai-chat.ts';
import { openAiResponses } from '../dialects/openai-responses/openai-responses.ts';
import type { Surface } from './model-call.ts';

/** `POST /v1/chat/completions`. Cursor sends it the body of a response for some models, and reads a chat completion. */
export const chat: Surface = {
  path: '/v1/chat/completions',
  dialect: openAiChat,
  asked: (body) => (body.includes('"messages"') || !body.includes('"input"') ? openAiChat : openAiResponses),
};
