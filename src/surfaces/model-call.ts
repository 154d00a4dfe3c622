import { GatewayError } from '../core/errors.ts';
import { DIALECTS } from '../dialects/built.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { Door, IncomingCall } from '../http/door.ts';
import type { Manner } from '../http/exchange.ts';
import { toolOf } from '../http/tool-of.ts';
import type { CallRequest } from '../pipeline/parts.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';

/** A path at which models are called in a dialect. */
export type Surface = {
  path: string;
  dialect: Dialect;
  /** A further name of the header that tells the request's id, as the dialect's own service has it. */
  idHeader?: string;
};

export type CallParts = {
  door: Door;
  /** Told of faults that are the gateway's own. */
  onFault(error: unknown, requestId: string): void;
};

/** Serves a surface: the body as it came goes into the pipeline, and errors leave in the surface's words. */
export function serveModelCalls(surface: Surface, parts: CallParts, pipeline: Pipeline): void {
  serveBody(surface, parts, (request) => pipeline.handle(request));
}

/** Serves `POST` of a body that `answer` answers, or rejects with the error for the caller. */
export function serveBody(
  { path, dialect, idHeader }: Surface,
  { door, onFault }: CallParts,
  answer: (request: CallRequest) => Promise<void>,
): void {
  const manner: Manner = { writeError: dialect.inbound.writeError, ...(idHeader !== undefined && { idHeader }) };
  door.post({ path, manner, handle: (call) => void answerCall(call, dialect, answer, onFault) });
}

/** Never rejects: whatever fails is told to the caller, before its answer has begun or in it. */
async function answerCall(
  call: IncomingCall,
  dialect: Dialect,
  answer: (request: CallRequest) => Promise<void>,
  onFault: CallParts['onFault'],
): Promise<void> {
  const { exchange, body } = call;
  try {
    await answer({
      asked: dialectOf(body, dialect),
      answered: dialect,
      body,
      forwarded: forwardedOf(call, dialect.inbound.forwards),
      caller: call.caller,
      tool: call.caller.key.source === 'developer_tool' ? toolOf(call.header('user-agent')) : null,
      sent: call,
      requestId: exchange.requestId,
      clientRequestId: exchange.clientRequestId,
      startedAt: exchange.startedAt,
      answer: call.answer,
    });
  } catch (cause) {
    const known =
      cause instanceof GatewayError
        ? cause
        : new GatewayError('internal', 'The gateway failed to answer this call.', { cause });
    if (known.kind === 'internal') onFault(cause, exchange.requestId);
    if (call.answer.begun) call.answer.end(dialect.inbound.stream?.writeError(known) ?? '');
    else call.answer.error(known, dialect.inbound.writeError(known, exchange.requestId));
  }
}

/** The dialect of a body: that of its surface, unless it can only be another's. */
function dialectOf(body: Buffer, own: Dialect): Dialect {
  if (own.translation === undefined) return own;
  return DIALECTS.find((dialect) => dialect !== own && dialect.inbound.strays?.(body) === true) ?? own;
}

/** The caller's headers that go on to a vendor of the same dialect; names and values alternate. */
function forwardedOf(call: IncomingCall, names: readonly string[] | undefined): readonly string[] {
  if (names === undefined) return NOTHING;
  return names.flatMap((name) => {
    const value = call.header(name);
    return value === undefined ? NOTHING : [name, value];
  });
}

const NOTHING: readonly string[] = [];
