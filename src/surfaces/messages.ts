import { anthropicMessages } from '../dialects/anthropic-messages/anthropic-messages.ts';
import type { Surface } from './model-call.ts';

/** `POST /v1/messages`, as Anthropic serves it. */
export const messages: Surface = { path: '/v1/messages', dialect: anthropicMessages, idHeader: 'request-id' };
