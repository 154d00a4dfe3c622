import { type DestinationStream, type LevelWithSilent, type Logger, pino, stdSerializers } from 'pino';
import { redactAddressesIn } from '../core/address-redaction.ts';
import { GatewayError, sentenceOf } from '../core/errors.ts';
import type { CallLog, CallObserver, DisconnectReason, StorageReason, StorageTrouble } from '../core/ports.ts';
import { closedAtExit, type LineReader, RefusedCallLines } from './call-lines.ts';
import { stderrOutput } from './line-writer.ts';
import { terminalLog } from './terminal-log.ts';

/**
 * The process's log on stderr: one JSON object per line, or on a terminal one readable line. Above `debug` it has no
 * text of callers or vendors.
 */
export function createLog(level: LevelWithSilent, destination: DestinationStream = ownDestination()): Logger {
  return pino({ level, base: null, serializers: { err: serialized } }, destination);
}

function ownDestination(): DestinationStream {
  const stderr = pino.destination({ fd: 2, sync: true });
  return process.stderr.isTTY ? terminalLog((text) => stderr.write(text)) : stderr;
}

/** The reader of this process's stderr. Only the first thread can find out. */
export function lineReader(): LineReader {
  return process.stderr.isTTY ? 'people' : 'log';
}

/** Writes each refused call to stderr, and passes all calls to `next`. */
export function refusedCallLines(next: CallObserver): RefusedCallLines {
  return closedAtExit(new RefusedCallLines(next, lineReader(), stderrOutput()));
}

/** The members of errors that are written. Others may contain input, such as a parser's. */
const MEMBERS = [
  ...['type', 'message', 'stack', 'kind', 'status', 'code', 'errno', 'syscall', 'address', 'port', 'path'],
  ...['errcode', 'errstr'],
];

function serialized(error: unknown): unknown {
  const all: unknown = stdSerializers.err(withoutQuotes(error) as Error);
  if (!(error instanceof Error)) return all;
  const known = all as Record<string, unknown>;
  const told = MEMBERS.filter((name) => known[name] !== undefined).map((name) => [name, known[name]]);
  return redactAddressesIn(Object.fromEntries(told));
}

/** A parser's message quotes its input, and an error for a caller quotes the vendor: neither may be in the log. */
function withoutQuotes(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const cause = withoutQuotes(error.cause);
  const message = plainMessage(error);
  if (message === error.message && cause === error.cause) return error;
  const stack = error.stack?.replace(error.message, () => message);
  const changed = { message: { value: message }, stack: { value: stack }, cause: { value: cause } };
  const code = error instanceof GatewayError ? { code: { value: undefined } } : {};
  return Object.create(Object.getPrototypeOf(error), {
    ...Object.getOwnPropertyDescriptors(error),
    ...changed,
    ...code,
  });
}

function plainMessage(error: Error): string {
  if (error instanceof SyntaxError) return 'The text could not be parsed.';
  return error instanceof GatewayError ? sentenceOf(error) : error.message;
}

/** The shortest time between equal messages, in ms. */
const REPEAT_MS = 60_000;

const LET_GO: Record<DisconnectReason, string> = {
  not_read:
    'Connections were closed because callers did not read their answers: see `timeouts.idle` and `timeouts.total`.',
  unread: 'The slowest callers were disconnected, because more than `limits.max_unread` bytes of answers were waiting.',
  idle: 'The oldest idle connections were closed, because there were too many.',
  connections: 'The oldest connections without a request were closed, because file handles are nearly used up.',
  handles: 'Connections could not be accepted, because no file handles are left.',
};

/** Logs lost connections of callers: each reason at most once a minute, with the number since then. */
export function disconnectLog(log: Logger, now: () => number): (why: DisconnectReason) => void {
  const told = new Map<DisconnectReason, { at: number; since: number }>();
  return (why) => {
    const { at, since } = told.get(why) ?? { at: Number.NEGATIVE_INFINITY, since: 0 };
    if (now() - at < REPEAT_MS) return void told.set(why, { at, since: since + 1 });
    told.set(why, { at: now(), since: 0 });
    log.warn({ reason: why, connections: since + 1 }, LET_GO[why]);
  };
}

/**
 * Logs failed calls: what happened, at which vendor. A vendor's message may quote the prompt and is logged only at
 * `debug`. Our own faults are logged with their cause.
 */
export function callLog(log: Logger): CallLog {
  return {
    failed({ requestId, upstreamStatus, upstreamRequestId, ...call }, error) {
      const named = { request_id: requestId, ...call };
      const { kind, status, cause, message, type, code, param, details } = error;
      const isOurs = kind === 'internal' || kind === 'storage_unavailable';
      const upstream = { upstream_status: upstreamStatus, upstream_request_id: upstreamRequestId };
      const why = isOurs ? { err: cause } : { reason: reasonOf(cause) };
      const told = details === null ? {} : { error_code: details.error_code };
      log.warn({ ...named, kind, status, ...told, ...upstream, ...why }, sentenceOf(error));
      log.debug({ ...named, type, code, param, err: cause }, message);
    },
    disbelieved({ requestId }, { provider, model }, { inputTokens, outputTokens }) {
      const reported = { input_tokens: inputTokens, output_tokens: outputTokens };
      log.warn(
        { request_id: requestId, provider: provider.id, model: model.upstreamId, reported },
        'The provider reported more tokens than are possible; the call is billed by an estimate.',
      );
    },
  };
}

/** The system's error code (`ECONNRESET`). The message may contain more than is allowed here. */
function reasonOf(cause: unknown): string | undefined {
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined;
}

/** Logs that the store cannot be written, and when it can be again. */
export function storageLog(
  log: Logger,
  folder: string,
): { onTrouble(trouble: StorageTrouble): void; onRecovered(): void } {
  return {
    onTrouble: ({ reason, cause }) =>
      log.error(
        { storage: reason, err: cause },
        `${troubleOf(reason, folder)}. Calls are refused with 503 until this ends.`,
      ),
    onRecovered: () => log.info(`The data folder ${folder} can be written again. Calls are accepted.`),
  };
}

function troubleOf(reason: StorageReason, folder: string): string {
  switch (reason) {
    case 'full':
      return `The data folder ${folder} cannot be written, because its disk or a quota is full`;
    case 'read_only':
      return `The data folder ${folder} cannot be written, because it or its disk is read-only`;
    case 'failing':
      return `The data folder ${folder} cannot be written or read`;
    default:
      return reason satisfies never;
  }
}
