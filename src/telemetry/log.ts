import { type DestinationStream, type LevelWithSilent, type Logger, pino, stdSerializers } from 'pino';
import { GatewayError, sentenceOf } from '../core/errors.ts';
import type { CallLog, CallObserver, LetGo, StorageReason, StorageTrouble } from '../core/ports.ts';
import { withShownAddresses } from '../core/shown-address.ts';
import { closedAtExit, type LineReader, RefusedCallLines } from './call-lines.ts';
import { stderrOutput } from './line-writer.ts';
import { terminalLog } from './terminal-log.ts';

/**
 * The process's log, on stderr: one JSON object a line, or on a terminal one line as people read it. Nothing in it above
 * `debug` is a caller's or a vendor's text.
 */
export function createLog(level: LevelWithSilent, destination: DestinationStream = ownDestination()): Logger {
  return pino({ level, base: null, serializers: { err: serialized } }, destination);
}

function ownDestination(): DestinationStream {
  const stderr = pino.destination({ fd: 2, sync: true });
  return process.stderr.isTTY ? terminalLog((text) => stderr.write(text)) : stderr;
}

/** Who reads what this process writes to stderr. To be asked in its first thread: others cannot tell. */
export function lineReader(): LineReader {
  return process.stderr.isTTY ? 'people' : 'log';
}

/** What tells of each call that is refused on stderr, and tells `next` of all. */
export function refusedCallLines(next: CallObserver): RefusedCallLines {
  return closedAtExit(new RefusedCallLines(next, lineReader(), stderrOutput()));
}

/** Members of errors that are written. Others may hold what could not be read, such as a parser's input. */
const MEMBERS = [
  ...['type', 'message', 'stack', 'kind', 'status', 'code', 'errno', 'syscall', 'address', 'port', 'path'],
  ...['errcode', 'errstr'],
];

function serialized(error: unknown): unknown {
  const all: unknown = stdSerializers.err(withoutQuotes(error) as Error);
  if (!(error instanceof Error)) return all;
  const known = all as Record<string, unknown>;
  const told = MEMBERS.filter((name) => known[name] !== undefined).map((name) => [name, known[name]]);
  return withShownAddresses(Object.fromEntries(told));
}

/** A parser's message quotes what it could not read, and an error for a caller what its vendor said: neither has a place in the log. */
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

/** What is said again and again is said once in so many ms. */
const REPEAT_MS = 60_000;

const LET_GO: Record<LetGo, string> = {
  not_read: 'Callers who did not take their answers were let go: see `timeouts.idle` and `timeouts.total`.',
  unread: 'More bytes of answers waited for callers than `limits.max_unread`: the slowest were let go.',
  idle: 'More connections without a request were open than may be: the oldest were closed.',
  connections: 'As many connections were open as file handles allow: the oldest without a request were closed.',
  handles: 'File handles have run out: connections could not be accepted.',
};

/** Where callers are told who lost their connections: of each reason once a minute, with how many there were since. */
export function letGoLog(log: Logger, now: () => number): (why: LetGo) => void {
  const told = new Map<LetGo, { at: number; since: number }>();
  return (why) => {
    const { at, since } = told.get(why) ?? { at: Number.NEGATIVE_INFINITY, since: 0 };
    if (now() - at < REPEAT_MS) return void told.set(why, { at, since: since + 1 });
    told.set(why, { at: now(), since: 0 });
    log.warn({ reason: why, connections: since + 1 }, LET_GO[why]);
  };
}

/**
 * Where calls that failed are told: by what happened, and to whom. What a vendor said may quote the prompt, and is told at
 * `debug` alone; faults of our own are told with their cause.
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

/** The system's word for what went wrong (`ECONNRESET`); its sentence may have more in it. */
function reasonOf(cause: unknown): string | undefined {
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined;
}

/** Where it is told that the store cannot be written, and when it can be again. */
export function storageLog(
  log: Logger,
  folder: string,
): { onTrouble(trouble: StorageTrouble): void; onRecovered(): void } {
  return {
    onTrouble: ({ reason, cause }) =>
      log.error(
        { storage: reason, err: cause },
        `${troubleOf(reason, folder)}: calls are refused with 503 until it can be.`,
      ),
    onRecovered: () => log.info(`The data folder ${folder} can be written again: calls are taken.`),
  };
}

function troubleOf(reason: StorageReason, folder: string): string {
  switch (reason) {
    case 'full':
      return `The data folder ${folder} cannot be written, since its disk or a quota is full`;
    case 'read_only':
      return `The data folder ${folder} cannot be written, since it or its disk is read-only`;
    case 'failing':
      return `The data folder ${folder} cannot be written or read`;
    default:
      return reason satisfies never;
  }
}
