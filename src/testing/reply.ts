import type { IncomingHttpHeaders } from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';

/** A request as received by the fake provider. */
export type VendorRequest = {
  /** Counts from 1, so that answers can be distinguished. */
  serial: number;
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** Names and values alternate, as sent. */
  rawHeaders: readonly string[];
  body: Buffer;
  /** The body as JSON; `undefined` if it is not JSON. */
  json: unknown;
  /** The body's `model`; empty if it is missing. */
  model: string;
  stream: boolean;
};

/**
 * A step of an answer. Bytes are one write, and one TCP segment if they fit. `head` sends the status and headers, which
 * otherwise precede the first bytes. `hold` waits until the test continues the call. `reset` is a TCP reset; `close`
 * ends the connection with an incomplete message.
 */
export type Act = Buffer | { waitMs: number } | 'head' | 'hold' | 'reset' | 'close';

export type Reply = {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** After the last act, the message ends normally. The list may be endless. */
  acts: Iterable<Act>;
  /** The acts include the head: nothing is added to their bytes. */
  raw?: boolean;
};

/** How the provider answers a call. */
export type Plan = (request: VendorRequest) => Reply;

export type Encoding = 'gzip' | 'deflate' | 'br';

const JSON_TYPE = 'application/json';
const STREAM_TYPE = 'text/event-stream; charset=utf-8';
const FINISH = /"finish_reason":"/;

/** A complete answer with its length in the header. */
export function wholeReply(status: number, body: string | Buffer, headers: Record<string, string> = {}): Reply {
  const bytes = Buffer.from(body);
  return {
    status,
    headers: { 'content-type': JSON_TYPE, 'content-length': `${bytes.length}`, ...headers },
    acts: bytes.length === 0 ? [] : [bytes],
  };
}

export function jsonReply(status: number, value: unknown, headers: Record<string, string> = {}): Reply {
  return wholeReply(status, JSON.stringify(value), headers);
}

/** A stream of server-sent events. */
export function streamReply(acts: Iterable<Act>): Reply {
  return { status: 200, headers: { 'content-type': STREAM_TYPE }, acts };
}

/** An error in OpenAI's format. */
export function errorReply(
  status: number,
  error: { message: string; type: string; param?: string; code?: string },
  headers: Record<string, string> = {},
): Reply {
  const { message, type, param = null, code = null } = error;
  return jsonReply(status, { error: { message, type, param, code } }, headers);
}

/** One server-sent event, as most vendors write it. */
export function frame(payload: unknown): Buffer {
  return Buffer.from(`data: ${typeof payload === 'string' ? payload : JSON.stringify(payload)}\n\n`);
}

// The functions below derive a plan from another, whose answers must be finite.

/** Inserts acts after the answer's first `pieces` writes. A body with fewer writes is split evenly. */
export function insert(plan: Plan, pieces: number, ...acts: Act[]): Plan {
  return edit(plan, (old) => {
    const cut = inPieces(old, pieces + 1);
    return [...cut.slice(0, pieces), ...acts, ...cut.slice(pieces)];
  });
}

/** Inserts acts after the first write with a finish reason, or at the end if there is none. */
export function insertAfterFinish(plan: Plan, ...acts: Act[]): Plan {
  return edit(plan, (old) => {
    const finish = old.findIndex((act) => Buffer.isBuffer(act) && FINISH.test(act.toString()));
    const place = finish === -1 ? old.length : finish + 1;
    return old.toSpliced(place, 0, ...acts);
  });
}

/** Ends the message after the first `pieces` writes and `acts`. For HTTP, it is complete. */
export function endAfter(plan: Plan, pieces: number, ...acts: Act[]): Plan {
  return (request) => {
    const reply = plan(request);
    const kept = [...inPieces([...reply.acts], pieces + 1).slice(0, pieces), ...acts];
    return { ...reply, headers: { ...reply.headers, ...lengthOf(reply, kept) }, acts: kept };
  };
}

/** Waits between writes. */
export function paced(plan: Plan, waitMs: number): Plan {
  return edit(plan, (old) => old.flatMap((act, index) => (index === 0 ? [act] : [{ waitMs }, act])));
}

/** Replaces each frame of a stream, as text, with any number of frames. Other answers stay unchanged. */
export function eachFrame(plan: Plan, change: (text: string) => string[]): Plan {
  const edited = edit(plan, (old) =>
    old.flatMap((act): Act[] =>
      Buffer.isBuffer(act) ? change(act.toString()).map((text) => Buffer.from(text)) : [act],
    ),
  );
  return (request) => (request.stream ? edited : plan)(request);
}

/** Writes the body with cuts only at these offsets. */
export function cutAt(plan: Plan, offsets: readonly number[]): Plan {
  return edit(plan, (old) => {
    const bytes = bytesOf(old);
    const edges = [0, ...offsets.toSorted((a, b) => a - b), bytes.length];
    return edges.slice(1).flatMap((end, index) => {
      const piece = bytes.subarray(edges[index], end);
      return piece.length === 0 ? [] : [piece];
    });
  });
}

/** Writes the body in pieces of this many bytes; 1 cuts every character. */
export function cutEvery(plan: Plan, size: number): Plan {
  return edit(plan, (old) => {
    const bytes = bytesOf(old);
    return Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size));
  });
}

/** Compresses the body, even if the client did not request it. */
export function encoded(plan: Plan, encoding: Encoding): Plan {
  return (request) => {
    const reply = plan(request);
    const acts = slices(compress(bytesOf([...reply.acts]), encoding), 4);
    const headers = { ...reply.headers, ...lengthOf(reply, acts), 'content-encoding': encoding };
    return { ...reply, headers, acts };
  };
}

function edit(plan: Plan, change: (acts: Act[]) => Act[]): Plan {
  return (request) => {
    const reply = plan(request);
    return { ...reply, acts: change([...reply.acts]) };
  };
}

/** The corrected `content-length`, if the reply has one. */
function lengthOf(reply: Reply, acts: readonly Act[]): Record<string, string> {
  return 'content-length' in reply.headers ? { 'content-length': `${bytesOf(acts).length}` } : {};
}

function inPieces(acts: readonly Act[], least: number): readonly Act[] {
  return acts.length >= least ? acts : slices(bytesOf(acts), least);
}

function bytesOf(acts: readonly Act[]): Buffer {
  return Buffer.concat(
    acts.map((act) => {
      if (Buffer.isBuffer(act)) return act;
      throw new Error('only an answer that is nothing but bytes can be cut or compressed');
    }),
  );
}

/** Even slices that are not empty; fewer if there are too few bytes. */
function slices(bytes: Buffer, count: number): Buffer[] {
  const edge = (index: number) => Math.floor((bytes.length * index) / count);
  return Array.from({ length: count }, (_, index) => bytes.subarray(edge(index), edge(index + 1))).filter(
    (slice) => slice.length > 0,
  );
}

function compress(bytes: Buffer, encoding: Encoding): Buffer {
  switch (encoding) {
    case 'gzip':
      return gzipSync(bytes);
    case 'deflate':
      return deflateSync(bytes);
    case 'br':
      return brotliCompressSync(bytes);
    default:
      return encoding satisfies never;
  }
}
