import type { DialectId } from '../core/provider.ts';
import { anthropicMessages } from './anthropic-messages/anthropic-messages.ts';
import type { Dialect } from './dialect.ts';
import { openAiChat } from './openai-chat/openai-chat.ts';
import { openAiEmbeddings } from './openai-embeddings/openai-embeddings.ts';
import { openAiResponses } from './openai-responses/openai-responses.ts';

/** Every dialect that is built, the richest first: it is spoken with a provider that does not speak the caller's own. */
export const DIALECTS: readonly Dialect[] = [openAiResponses, anthropicMessages, openAiChat, openAiEmbeddings];

export const BUILT_DIALECT_IDS: readonly DialectId[] = DIALECTS.map((dialect) => dialect.id);
