import { errorAnswers, OF_CALLS } from './errors.ts';
import { type AnswerHeaders, headerRefs } from './headers.ts';
import { answer, body, type Content, json } from './parts.ts';
import { ref } from './schema.ts';

type Operation = {
  operationId: string;
  summary: string;
  request: string;
  answer: string;
  /** What the data of a stream’s events is, and how the stream ends; left out where nothing is streamed. */
  stream?: { event: string; end: string };
  error?: string;
};

const OPERATIONS: Readonly<Record<string, Operation>> = {
  '/v1/chat/completions': {
    operationId: 'createChatCompletion',
    summary: 'Continue a conversation.',
    request: 'ChatCompletionRequest',
    answer: 'ChatCompletion',
    stream: {
      event: 'ChatCompletionChunk',
      end: 'The last `data` is `[DONE]`. After a failure in the middle it is an Error instead, and no `[DONE]` follows.',
    },
  },
  '/v1/responses': {
    operationId: 'createResponse',
    summary: 'Continue a conversation, in items.',
    request: 'ResponseRequest',
    answer: 'Response',
    stream: {
      event: 'ResponseEvent',
      end: 'The last event is `response.completed` or `response.incomplete`; after a failure in the middle `error`, then `response.failed`.',
    },
  },
  '/v1/messages': {
    operationId: 'createMessage',
    summary: 'Continue a conversation, as Anthropic’s clients ask.',
    request: 'MessageRequest',
    answer: 'Message',
    stream: {
      event: 'MessageEvent',
      end: 'The last event is `message_stop`; after a failure in the middle `error`.',
    },
    error: 'MessageError',
  },
  '/v1/messages/count_tokens': {
    operationId: 'countMessageTokens',
    summary: 'Tell how many tokens a prompt has. Nothing is generated, and nothing is billed.',
    request: 'CountTokensRequest',
    answer: 'TokenCount',
    error: 'MessageError',
  },
  '/v1/embeddings': {
    operationId: 'createEmbeddings',
    summary: 'Turn texts into vectors.',
    request: 'EmbeddingRequest',
    answer: 'EmbeddingList',
  },
};

/** The paths at which models are called. */
export function callPaths(headers: AnswerHeaders): Record<string, Record<string, unknown>> {
  const fromModel = headerRefs(headers.always, headers.toCaller, headers.fromProvider, headers.fromRoute);
  const translated = { ...fromModel, ...headerRefs(headers.fromTranslation) };
  const headersOf = ({ answer, error }: Operation) => ({
    ...(answer === 'EmbeddingList' ? fromModel : translated),
    ...(error === 'MessageError' ? headerRefs(headers.inMessages) : {}),
  });
  const post = (operation: Operation) => ({
    operationId: operation.operationId,
    tags: ['Models'],
    summary: operation.summary,
    requestBody: body(operation.request),
    responses: {
      200: answer('The answer.', headersOf(operation), contentOf(operation)),
      ...errorAnswers(headers, headersOf(operation), OF_CALLS, operation.error),
    },
  });
  return Object.fromEntries(Object.entries(OPERATIONS).map(([path, operation]) => [path, { post: post(operation) }]));
}

function contentOf({ answer: whole, stream }: Operation): Content {
  if (stream === undefined) return json(whole);
  const schema = {
    type: 'string',
    contentMediaType: 'text/event-stream',
    contentSchema: ref(stream.event),
    description: `Server-sent events, where \`stream\` was asked for. ${stream.end}`,
  };
  return { ...json(whole), 'text/event-stream': { schema } };
}
