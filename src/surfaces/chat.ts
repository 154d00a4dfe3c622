import { openAiChat } from '../dialects/openai-chat/openai-chat.ts';
import type { Surface } from './model-call.ts';

/** `POST /v1/chat/completions` */
export const chat: Surface = { path: '/v1/chat/completions', dialect: openAiChat };
