import type { Spoken } from '../core/provider.ts';

/** Where each dialect is spoken below a usual base address. */
const CHAT: Spoken = { dialect: 'openai-chat', path: '/chat/completions' };
const RESPONSES: Spoken = { dialect: 'openai-responses', path: '/responses' };
const EMBEDDINGS: Spoken = { dialect: 'openai-embeddings', path: '/embeddings' };
const MESSAGES: Spoken = {
  dialect: 'anthropic-messages',
  path: '/messages',
  authorization: { header: 'x-api-key', prefix: '' },
};

/** What a vendor at an address of the operator's own speaks beside `CHAT_AND_EMBEDDINGS`, where it is known to. */
export const RESPONSES_TOO: readonly Spoken[] = [RESPONSES];
export const CHAT_ONLY: readonly Spoken[] = [CHAT];
/** What an OpenAI-compatible address is taken to speak unless its row says otherwise. */
export const CHAT_AND_EMBEDDINGS: readonly Spoken[] = [CHAT, EMBEDDINGS];
export const CHAT_AND_RESPONSES: readonly Spoken[] = [CHAT, RESPONSES];
export const ALL_OF_OPENAI: readonly Spoken[] = [CHAT, RESPONSES, EMBEDDINGS];
export const MESSAGES_ONLY: readonly Spoken[] = [MESSAGES];

/** Every dialect at its usual path, for addresses of an operator's own. */
export const USUAL: readonly Spoken[] = [CHAT, RESPONSES, EMBEDDINGS, MESSAGES];
