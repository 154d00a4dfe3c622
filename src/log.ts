import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';
import type { LogLevel } from './config/config.ts';
import type { CallLog } from './core/ports.ts';

/** The process's log: one JSON object a line, on stderr. */
export function createLog(
  level: LogLevel,
  destination: DestinationStream = pino.destination({ fd: 2, sync: true }),
): Logger {
  return pino({ level, base: null, serializers: { err: serialized } }, destination);
}

function serialized(error: unknown): unknown {
  return stdSerializers.err(withoutQuotes(error) as Error);
}

/** A parser's message quotes what it could not read: what a vendor or a caller wrote has no place in the log. */
function withoutQuotes(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const cause = withoutQuotes(error.cause);
  const quotes = error instanceof SyntaxError;
  if (!quotes && cause === error.cause) return error;
  const message = quotes ? 'The text could not be parsed.' : error.message;
  const stack = error.stack?.replace(error.message, () => message);
  const changed = { message: { value: message }, stack: { value: stack }, cause: { value: cause } };
  return Object.create(Object.getPrototypeOf(error), { ...Object.getOwnPropertyDescriptors(error), ...changed });
}

/** Where calls that failed are told. */
export function callLog(log: Logger): CallLog {
  return {
    failed({ requestId, provider, upstreamModel }, { kind, message, cause }) {
      log.warn({ request_id: requestId, provider, model: upstreamModel, kind, err: cause }, message);
    },
    disbelieved({ requestId }, { provider, model }, { inputTokens, outputTokens }) {
      const reported = { input_tokens: inputTokens, output_tokens: outputTokens };
      log.warn(
        { request_id: requestId, provider: provider.id, model: model.upstreamId, reported },
        'The provider reported more tokens than can be; the call is billed by an estimate.',
      );
    },
  };
}
