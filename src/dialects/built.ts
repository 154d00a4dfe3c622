import { anthropicMessages } from './anthropic-messages/anthropic-messages.ts';
import type { Dialect } from './dialect.ts';
import { openAiChat } from './openai-chat/openai-chat.ts';
import { openAiEmbeddings } from './openai-embeddings/openai-embeddings.ts';
import { openAiResponses } from './openai-responses/openai-responses.ts';

/** All dialects, richest first: the first one that a provider speaks is used if it does not speak the caller's dialect. */
export const DIALECTS: readonly Dialect[] = [openAiResponses, anthropicMessages, openAiChat, openAiEmbeddings];
