import { type ErrorKind, GatewayError } from '../../../core/errors.ts';
import { StorageOpenError } from '../../errors.ts';
import { DataFolderError } from '../../folder.ts';
import type { JournalPosition } from '../../journal-port.ts';
import type { TablesNews, TablesOptions } from '../../tables.ts';

/** What its tables are opened with. */
export type ThreadOptions = Omit<TablesOptions, 'acknowledged' | 'rest'> & {
  /** How long it lets other threads go first behind some records, in ms, while nobody waits for it; 0: not at all. */
  restMs: number;
};

/** What the thread is started with; `own` is its entry's, and `waitedFor` counts, in shared memory, the messages that wait for an answer. */
export type ThreadData = { tables: ThreadOptions; own: unknown; waitedFor: Int32Array };

/** What is asked for: a method of one of the rooms of `Tables`, a sign of life, or the next part of what comes in parts. */
export type TablesQuestion =
  | { room: string; method: string; args: readonly unknown[] }
  | { sign: 'ping' }
  | { next: number }
  | { leave: number };

/** Each message tells how far the journal was acknowledged. `close` is the last one. */
export type ToThread =
  | { number: number; place: JournalPosition | null; question: TablesQuestion }
  | { close: true; place: JournalPosition | null };

/** Whether somebody waits for the answer: to all but the question by which the tables follow the journal. */
export function isWaitedFor(message: ToThread): boolean {
  if ('close' in message || !('room' in message.question)) return true;
  return message.question.room !== 'upkeep' || message.question.method !== 'takeOver';
}

export type FromThread =
  | { about: 'start'; error: ErrorForm | null }
  | { about: 'answer'; number: number; value: unknown }
  | { about: 'refusal'; number: number; error: ErrorForm }
  | { about: 'news'; news: TablesNews };

/** An error as it goes from one thread to another: a copy alone would lose its class and its codes. */
export type ErrorForm = {
  name: string;
  message: string;
  stack?: string | undefined;
  code?: string | undefined;
  errcode?: number | undefined;
  kind?: ErrorKind;
  param?: string | undefined;
  cause?: ErrorForm;
};

export function writeError(error: unknown): ErrorForm {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  const { name, message, stack } = error;
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  return {
    name,
    message,
    stack,
    ...(error instanceof GatewayError ? { kind: error.kind, param: error.param ?? undefined } : {}),
    ...(typeof code === 'string' && { code }),
    ...(typeof errcode === 'number' && { errcode }),
    ...(error.cause === undefined ? {} : { cause: writeError(error.cause) }),
  };
}

/** Reads back what `writeError` wrote. */
export function readError(form: ErrorForm): Error {
  const { name, message, stack, code, errcode, kind, param } = form;
  const cause = form.cause === undefined ? {} : { cause: readError(form.cause) };
  if (kind !== undefined) return new GatewayError(kind, message, { ...cause, ...(param !== undefined && { param }) });
  if (name === 'StorageOpenError') return new StorageOpenError(message, cause);
  if (name === 'DataFolderError') return new DataFolderError(message, cause);
  const codes = { ...(code !== undefined && { code }), ...(errcode !== undefined && { errcode }) };
  return Object.assign(new Error(message, cause), { name, stack }, codes);
}
