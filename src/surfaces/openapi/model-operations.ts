import type { z } from 'zod';
import { type Operation, operation } from '../../api/operation.ts';
import type { ErrorKind } from '../../core/errors.ts';
import { CHAT, EMBEDDINGS, MESSAGE_ERROR, MESSAGES, RESPONSES, TOKEN_COUNT } from './model-schemas.ts';

/** What the document says about a model call beyond other operations. */
export type ModelOperation = Operation & {
  ofModels: {
    /** The data of a stream's events, and its end. */
    stream?: { event: z.ZodType; end: string };
    /** The body of errors, if it is not OpenAI's. */
    error?: z.ZodType;
    /** True if a call may be translated for its provider. */
    translated: boolean;
    /** True if it is billed. */
    billed: boolean;
  };
};

/** The possible outcomes of a model call, beyond those of any request with a body. */
const ERRORS: readonly ErrorKind[] = [
  'model_not_allowed',
  'model_unpriced',
  'model_not_found',
  'thread_not_found',
  'token_limit_exceeded',
  'token_limit_unreachable',
  'insufficient_quota',
  'context_length_exceeded',
  'overloaded',
  'provider_busy',
  'no_target_available',
  'upstream_rejected',
  'upstream_rate_limited',
  'upstream_unauthorized',
  'upstream_account_empty',
  'upstream_error',
  'upstream_unreachable',
  'upstream_disconnected',
  'upstream_invalid_answer',
  'upstream_timeout',
];

/** The paths for model calls. */
export const MODEL_OPERATIONS: readonly ModelOperation[] = [
  modelOperation('createChatCompletion', '/v1/chat/completions', 'Continue a conversation.', {
    ...CHAT,
    end: 'The last `data` is `[DONE]`. After a failure in the middle there is an Error instead, and no `[DONE]`.',
  }),
  modelOperation('createResponse', '/v1/responses', 'Continue a conversation, in items.', {
    ...RESPONSES,
    end:
      'The last event is `response.completed` or `response.incomplete`; after a failure in the middle `error`, then ' +
      '`response.failed`.',
  }),
  modelOperation('createMessage', '/v1/messages', 'Continue a conversation, in Anthropic’s format.', {
    ...MESSAGES,
    end: 'The last event is `message_stop`; after a failure in the middle `error`.',
    error: MESSAGE_ERROR,
  }),
  modelOperation(
    'countMessageTokens',
    '/v1/messages/count_tokens',
    'Count the tokens of a prompt. Nothing is generated or billed.',
    { ...TOKEN_COUNT, error: MESSAGE_ERROR, billed: false },
  ),
  modelOperation('createEmbeddings', '/v1/embeddings', 'Turn texts into vectors.', {
    ...EMBEDDINGS,
    translated: false,
  }),
];

type Bodies = {
  request: z.ZodType;
  answer: z.ZodType;
  event?: z.ZodType;
  end?: string;
  error?: z.ZodType;
  translated?: boolean;
  billed?: boolean;
};

function modelOperation(id: string, path: `/${string}`, summary: string, bodies: Bodies): ModelOperation {
  const { request, answer, event, end = '', error, translated = true, billed = true } = bodies;
  return {
    ...operation(id, `POST ${path}`, {
      tag: 'Models',
      summary,
      access: 'key',
      body: { schema: request, unchecked: true },
      answer: { description: 'The answer.', schema: answer },
      errors: ERRORS,
    }),
    ofModels: { translated, billed, ...(event && { stream: { event, end } }), ...(error && { error }) },
  };
}
