import { openAiChat } from '../dialects/openai-chat/openai-chat.ts';

/** `POST /v1/chat/completions` */
export const chat = { path: '/v1/chat/completions', dialect: openAiChat };
