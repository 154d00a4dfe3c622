import { readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { basename } from 'node:path';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { EndedCall } from '../../../core/records.ts';
import { storageUnavailable } from '../../errors.ts';
import type { JournalPosition } from '../../journal-port.ts';
import type { OpenTables, TablesNews } from '../../tables.ts';
import { openTables } from '../tables.ts';
import {
  type FromThread,
  isWaitedFor,
  type TablesQuestion,
  type ThreadData,
  type ToThread,
  writeError,
} from './messages.ts';

let acknowledged: JournalPosition | null = null;
/** Parts of answers that are still to be asked for, by number. */
const streams = new Map<number, AsyncIterator<unknown>>();
/** Whether the last write was told to have been done. */
let isWritten = false;

/**
 * How much nicer this thread is than those that answer calls. Whoever answers one is let in front of it, and where all share one
 * core it still has three tenths of it, a little more than small calls make work for it.
 */
const NICER = 4;
const NICEST = 19;

/** How long it works between two rests, in ms. Whoever shares its core waits for as long, and answers some calls less meanwhile. */
const WORK_MS = 0.3;

const port = parentPort as MessagePort;
const { tables: given, waitedFor } = workerData as ThreadData;
const { restMs, ...tablesOptions } = given;
/** When the present piece of work began; monotonic ms. */
let beganAt = 0;

/**
 * What the thread that keeps the tables does: started by `table-thread.ts`, it opens them, and answers what it is asked. What
 * is asked for at once is worked at in turn, a step of some ms each.
 *
 * @param onEnded as of `openTables`
 */
export async function serveTables(onEnded?: (calls: readonly EndedCall[]) => void): Promise<void> {
  if (process.platform === 'linux') stepBack();
  try {
    const options = { ...tablesOptions, acknowledged: () => acknowledged, rest: restMs > 0 ? rest : undefined };
    const tables = await openTables(options, tell, onEnded);
    port.on('message', (message: ToThread) => void hear(tables, message));
    post({ about: 'start', error: null });
  } catch (error) {
    post({ about: 'start', error: writeError(error) });
  }
}

/** Only Linux has priorities of threads, and only it tells a thread its number. */
function stepBack(): void {
  try {
    const thread = Number(basename(readlinkSync('/proc/thread-self')));
    setPriority(thread, Math.min(getPriority(thread) + NICER, NICEST));
  } catch {
    // Without `/proc`, or where a sandbox refuses: calls wait longer for it, and nothing else is different.
  }
}

/**
 * The kernel lets a thread that runs go on for some ms, whoever wakes up beside it; one that rests gives its core away at once.
 * A message that somebody waits for ends the rest, and there is no other until it was answered.
 */
function rest(): void {
  if (performance.now() - beganAt < WORK_MS) return;
  Atomics.wait(waitedFor, 0, 0, restMs);
  beganAt = performance.now();
}

async function hear(tables: OpenTables, message: ToThread): Promise<void> {
  acknowledged = message.place;
  beganAt = performance.now();
  if ('close' in message) {
    await tables.close();
    return port.close();
  }
  const { number, question } = message;
  try {
    post({ about: 'answer', number, value: await answer(tables, number, question) });
  } catch (error) {
    post({ about: 'refusal', number, error: writeError(error) });
  } finally {
    if (isWaitedFor(message)) Atomics.sub(waitedFor, 0, 1);
  }
}

async function answer(tables: OpenTables, number: number, question: TablesQuestion): Promise<unknown> {
  if ('sign' in question) return null;
  if ('next' in question) {
    const stream = streams.get(question.next);
    // What came before came of a thread that has ended.
    if (stream === undefined) throw storageUnavailable(new Error('The thread that had begun the answer has ended.'));
    const part = await stream.next();
    if (part.done === true) streams.delete(question.next);
    return part;
  }
  if ('leave' in question) {
    await streams.get(question.leave)?.return?.();
    streams.delete(question.leave);
    return null;
  }
  const { room, method, args } = question;
  const rooms = tables as unknown as Record<string, Record<string, (...args: readonly unknown[]) => unknown>>;
  const given = rooms[room]![method]!(...args);
  if (!isStream(given)) return given;
  streams.set(number, given[Symbol.asyncIterator]());
  return null;
}

function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

function tell(news: TablesNews): void {
  if (news.event === 'written' && isWritten) return;
  if (news.event === 'written' || news.event === 'failed') isWritten = news.event === 'written';
  post({ about: 'news', news: 'error' in news ? { ...news, error: writeError(news.error) } : news });
}

function post(message: FromThread): void {
  port.postMessage(message);
}
