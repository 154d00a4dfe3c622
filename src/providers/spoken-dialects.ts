import type { Spoken } from '../core/provider.ts';

/** The usual path of each dialect. */
const CHAT: Spoken = { dialect: 'openai-chat', path: '/chat/completions' };
const RESPONSES: Spoken = { dialect: 'openai-responses', path: '/responses' };
const EMBEDDINGS: Spoken = { dialect: 'openai-embeddings', path: '/embeddings' };
const MESSAGES: Spoken = {
  dialect: 'anthropic-messages',
  path: '/messages',
  authorization: { header: 'x-api-key', prefix: '' },
};

/** The additional dialect of some vendors without a preset, beside `CHAT_AND_EMBEDDINGS`. */
export const RESPONSES_TOO: readonly Spoken[] = [RESPONSES];
export const CHAT_ONLY: readonly Spoken[] = [CHAT];
/** The default dialects of an OpenAI-compatible address. */
export const CHAT_AND_EMBEDDINGS: readonly Spoken[] = [CHAT, EMBEDDINGS];
export const CHAT_AND_RESPONSES: readonly Spoken[] = [CHAT, RESPONSES];
export const ALL_OF_OPENAI: readonly Spoken[] = [CHAT, RESPONSES, EMBEDDINGS];
export const MESSAGES_ONLY: readonly Spoken[] = [MESSAGES];

/** All dialects at their usual paths, for addresses without a preset. */
export const USUAL: readonly Spoken[] = [CHAT, RESPONSES, EMBEDDINGS, MESSAGES];
