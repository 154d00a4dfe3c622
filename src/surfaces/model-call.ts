import type { SurfaceName } from '../api/route-decision.ts';
import { GatewayError } from '../core/errors.ts';
import { anthropicMessages } from '../dialects/anthropic-messages/anthropic-messages.ts';
import { readCount, readCountEnvelope, writeCount } from '../dialects/anthropic-messages/count.ts';
import { DIALECTS } from '../dialects/built.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { openAiChat } from '../dialects/openai-chat/openai-chat.ts';
import { openAiEmbeddings } from '../dialects/openai-embeddings/openai-embeddings.ts';
import { openAiResponses } from '../dialects/openai-responses/openai-responses.ts';
import type { AnswerStyle } from '../http/answer-headers.ts';
import { developerToolOf } from '../http/developer-tool.ts';
import type { IncomingCall, Router } from '../http/incoming-call.ts';
import type { CallRequest } from '../pipeline/parts.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import type { CountDialect } from '../pipeline/token-count.ts';

/** A path for model calls in one dialect. */
type Surface = {
  path: string;
  dialect: Dialect;
  /** A further header for the request id, as the dialect's own service has it. */
  idHeader?: string;
};

export type CallParts = {
  router: Router;
  /** Called for internal errors. */
  onFault(error: unknown, requestId: string): void;
};

/** The paths for model calls. */
export const SURFACES = {
  chat: { path: '/v1/chat/completions', dialect: openAiChat },
  responses: { path: '/v1/responses', dialect: openAiResponses },
  messages: { path: '/v1/messages', dialect: anthropicMessages, idHeader: 'request-id' },
  embeddings: { path: '/v1/embeddings', dialect: openAiEmbeddings },
} as const satisfies Record<SurfaceName, Surface>;

const COUNT_TOKENS = '/count_tokens';

const COUNTING: CountDialect = {
  dialect: anthropicMessages,
  path: COUNT_TOKENS,
  readEnvelope: readCountEnvelope,
  readCount,
};

/** Serves all surfaces: the body goes to the pipeline as it came, and errors leave in the surface's format. */
export function serveModelCalls(parts: CallParts, pipeline: Pipeline): void {
  for (const surface of Object.values(SURFACES)) serveBody(surface, parts, (request) => pipeline.handle(request));
  const { messages } = SURFACES;
  serveBody({ ...messages, path: messages.path + COUNT_TOKENS }, parts, async (request) => {
    const tokens = await pipeline.countTokens(COUNTING, request);
    request.answer.whole(200, writeCount(tokens));
  });
}

/** Serves `POST` requests whose body `answer` answers, or rejects with the error for the caller. */
function serveBody(
  { path, ...surface }: Surface,
  { router, onFault }: CallParts,
  answer: (request: CallRequest) => Promise<void>,
): void {
  const { dialect } = surface;
  const style = styleOf(surface);
  router.post({ path, style, handle: (call) => void answerCall(call, dialect, answer, onFault) });
}

/** The format of errors at a surface, and further headers of its answers. */
export function styleOf({ dialect, idHeader }: Pick<Surface, 'dialect' | 'idHeader'>): AnswerStyle {
  return { writeError: dialect.inbound.writeError, ...(idHeader !== undefined && { idHeader }) };
}

/** Never rejects: every failure is reported to the caller, before or inside the answer. */
async function answerCall(
  call: IncomingCall,
  dialect: Dialect,
  answer: (request: CallRequest) => Promise<void>,
  onFault: CallParts['onFault'],
): Promise<void> {
  const { context, body } = call;
  try {
    await answer({
      asked: dialectOf(body, dialect),
      answered: dialect,
      body,
      forwarded: forwardedOf(call, dialect.inbound.forwards),
      caller: call.caller,
      tool: call.caller.key.source === 'developer_tool' ? developerToolOf(call.header('user-agent')) : null,
      sent: call,
      admission: call,
      requestId: context.requestId,
      clientRequestId: context.clientRequestId,
      startedAt: context.startedAt,
      answer: call.answer,
    });
  } catch (cause) {
    const known =
      cause instanceof GatewayError
        ? cause
        : new GatewayError('internal', 'The gateway failed to answer this call.', { cause });
    if (known.kind === 'internal') onFault(cause, context.requestId);
    if (call.answer.begun) call.answer.end(dialect.inbound.stream?.writeError(known) ?? '');
    else call.answer.error(known, dialect.inbound.writeError(known, context.requestId));
  }
}

/** The dialect of a body: its surface's, unless it can only be another's. */
function dialectOf(body: Buffer, own: Dialect): Dialect {
  if (own.translation === undefined) return own;
  return DIALECTS.find((dialect) => dialect !== own && dialect.inbound.strays?.(body) === true) ?? own;
}

/** The caller's headers that are sent to a vendor of the same dialect; names and values alternate. */
function forwardedOf(call: IncomingCall, names: readonly string[] | undefined): readonly string[] {
  if (names === undefined) return NOTHING;
  return names.flatMap((name) => {
    const value = call.header(name);
    return value === undefined ? NOTHING : [name, value];
  });
}

const NOTHING: readonly string[] = [];
