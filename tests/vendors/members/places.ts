import { MEMBERS as MESSAGES } from '../../../src/dialects/anthropic-messages/members.ts';
import type { DialectMembers, MemberShape } from '../../../src/dialects/members.ts';
import { MEMBERS as CHAT } from '../../../src/dialects/openai-chat/members.ts';
import { MEMBERS as EMBEDDINGS } from '../../../src/dialects/openai-embeddings/members.ts';
import { MEMBERS as RESPONSES } from '../../../src/dialects/openai-responses/members.ts';
import type { Place } from './sdk-types.ts';

/** The clients whose declarations are read. */
export const CLIENTS = ['openai', '@anthropic-ai/sdk'] as const;

/** The tables by dialect, as callers know it. */
export const TABLES: Readonly<Record<string, DialectMembers>> = {
  'chat completions': CHAT,
  responses: RESPONSES,
  messages: MESSAGES,
  embeddings: EMBEDDINGS,
};

/** Every place of the tables, with the stable and beta types that describe it. */
export function placesOf(tables: typeof TABLES = TABLES): Place[] {
  return Object.entries(tables).flatMap(([dialect, { request, response, events, errors, count }]) => {
    const types = TYPES[dialect]!;
    return [
      place(`${dialect}, request`, request, types.request),
      place(`${dialect}, response`, response, types.response),
      ...(events === undefined ? [] : [place(`${dialect}, events`, events, types.events ?? [])]),
      ...(errors === undefined ? [] : [place(`${dialect}, errors`, errors, types.errors ?? [])]),
      ...(count === undefined ? [] : [place(`${dialect}, token count`, count.response, types.count ?? [])]),
    ];
  });
}

function place(name: string, shape: MemberShape, types: readonly string[]): Place {
  return { name, shape, types };
}

type Types = Partial<Record<'events' | 'errors' | 'count', readonly string[]>> &
  Record<'request' | 'response', readonly string[]>;

const from = (module: string, ...names: readonly string[]) => names.map((name) => `import('${module}').${name}`);

const CHAT_TYPES = 'openai/resources/chat/completions/completions';
const RESPONSE_TYPES = 'openai/resources/responses/responses';
const BETA_RESPONSE_TYPES = 'openai/resources/beta/responses/responses';
const EMBEDDING_TYPES = 'openai/resources/embeddings';
const MESSAGE_TYPES = '@anthropic-ai/sdk/resources/messages/messages';
const BETA_MESSAGE_TYPES = '@anthropic-ai/sdk/resources/beta/messages/messages';

const TYPES: Readonly<Record<string, Types>> = {
  'chat completions': {
    request: from(CHAT_TYPES, 'ChatCompletionCreateParams'),
    response: from(CHAT_TYPES, 'ChatCompletion'),
    events: from(CHAT_TYPES, 'ChatCompletionChunk'),
  },
  responses: {
    request: [...from(RESPONSE_TYPES, 'ResponseCreateParams'), ...from(BETA_RESPONSE_TYPES, 'ResponseCreateParams')],
    response: [...from(RESPONSE_TYPES, 'Response'), ...from(BETA_RESPONSE_TYPES, 'BetaResponse')],
    events: [...from(RESPONSE_TYPES, 'ResponseStreamEvent'), ...from(BETA_RESPONSE_TYPES, 'BetaResponseStreamEvent')],
  },
  messages: {
    request: [
      ...from(MESSAGE_TYPES, 'MessageCreateParams', 'MessageCountTokensParams'),
      ...from(BETA_MESSAGE_TYPES, 'MessageCreateParams', 'MessageCountTokensParams'),
    ],
    response: [...from(MESSAGE_TYPES, 'Message'), ...from(BETA_MESSAGE_TYPES, 'BetaMessage')],
    events: [...from(MESSAGE_TYPES, 'RawMessageStreamEvent'), ...from(BETA_MESSAGE_TYPES, 'BetaRawMessageStreamEvent')],
    errors: from('@anthropic-ai/sdk/resources/shared', 'ErrorObject'),
    count: [...from(MESSAGE_TYPES, 'MessageTokensCount'), ...from(BETA_MESSAGE_TYPES, 'BetaMessageTokensCount')],
  },
  embeddings: {
    request: from(EMBEDDING_TYPES, 'EmbeddingCreateParams'),
    response: from(EMBEDDING_TYPES, 'CreateEmbeddingResponse'),
  },
};
