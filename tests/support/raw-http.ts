import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createWaiters } from '../../src/testing/wait.ts';

/** Bytes of a body as received: one HTTP chunk, or one read if the body is not chunked. */
export type Piece = { bytes: Buffer; atMs: number };

/** `complete`: according to HTTP; `closed`: the other side closed earlier; `reset`: it sent a TCP reset. */
export type Ending = 'complete' | 'closed' | 'reset';

export type RawAnswer = {
  status: number;
  /** In the order received. */
  headers: readonly (readonly [name: string, value: string])[];
  /** The first header of this name, in any case. */
  header(name: string): string | undefined;
  /** All received bytes, without chunk framing, but still compressed. */
  body(): Buffer;
  pieces: readonly Piece[];
  ending: Ending | null;
};

/** A client that sends exact bytes and records exactly what it receives. Times count from the connection. */
export type RawClient = Disposable & {
  /** Resolves when the kernel has the bytes. */
  send(bytes: string | Buffer): Promise<void>;
  /** Resolves with the current answer when its head has arrived. */
  head(): Promise<RawAnswer>;
  /** Resolves when the body contains this text. */
  bodyHas(text: string): Promise<RawAnswer>;
  /** Resolves when the body has this many bytes, or has ended. */
  bytes(count: number): Promise<RawAnswer>;
  /** Resolves with the current answer when it has ended; the next answer on the connection is then current. */
  answer(): Promise<RawAnswer>;
  /** Pauses and resumes reading, as a slow client does. */
  pause(): void;
  resume(): void;
  /** Closes the connection. */
  leave(): void;
  /** Closes the connection with a TCP reset. */
  reset(): void;
};

/** The bytes of a request with a JSON body, or without a body. */
export function requestBytes(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  json?: unknown,
): Buffer {
  const body = json === undefined ? '' : JSON.stringify(json);
  const bodyHeaders =
    json === undefined ? {} : { 'content-type': 'application/json', 'content-length': `${Buffer.byteLength(body)}` };
  const all = { host: '127.0.0.1', ...bodyHeaders, ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
}

/** Connects to the host and port of a URL. */
export async function connectRaw(url: string): Promise<RawClient> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, 'connect');
  return rawClient(socket);
}

function rawClient(socket: Socket): RawClient {
  const startedAt = performance.now();
  const waiters = createWaiters();
  let reader = answerReader();
  let unread = Buffer.alloc(0);
  let over: Ending | null = null;

  const read = (bytes: Buffer) => {
    unread = reader.push(Buffer.concat([unread, bytes]), performance.now() - startedAt);
    waiters.changed();
  };
  const end = (ending: Ending) => {
    over ??= ending;
    reader.connectionOver(over);
    waiters.changed();
  };
  socket.on('data', read);
  socket.on('end', () => end('closed'));
  socket.on('error', () => end('reset'));
  socket.on('close', () => end('closed'));

  const until = async (condition: (answer: RawAnswer) => boolean, what: string) => {
    const { answer } = reader;
    await waiters.until(
      () => {
        if (condition(answer)) return true;
        if (over !== null) throw new Error(`the connection was ${over} before ${what}: ${answer.body()}`);
        return false;
      },
      () => `${what}; so far: ${answer.status} ${answer.body()}`,
    );
    return answer;
  };

  return {
    send: (bytes) =>
      new Promise((resolve, reject) => socket.write(bytes, (error) => (error ? reject(error) : resolve()))),
    head: () => until((answer) => answer.status !== 0, 'the head of an answer'),
    bodyHas: (text) => until((answer) => answer.body().includes(text), `"${text}" in the body`),
    bytes: (count) =>
      until(
        ({ pieces, ending }) => ending !== null || pieces.reduce((sum, { bytes }) => sum + bytes.length, 0) >= count,
        `${count} bytes of a body`,
      ),
    async answer() {
      const answer = await until(({ status, ending }) => status !== 0 && ending !== null, 'the end of an answer');
      reader = answerReader();
      if (unread.length > 0) read(Buffer.alloc(0));
      return answer;
    },
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    leave: () => void socket.destroy(),
    reset: () => void socket.resetAndDestroy(),
    [Symbol.dispose]: () => void socket.destroy(),
  };
}

type Reader = {
  answer: RawAnswer;
  /** Consumes what it can and returns the rest. */
  push(bytes: Buffer, atMs: number): Buffer<ArrayBuffer>;
  connectionOver(ending: Ending): void;
};

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Reads one answer. */
function answerReader(): Reader {
  const pieces: Piece[] = [];
  const answer: Mutable<RawAnswer> = {
    status: 0,
    headers: [],
    header: (name) => answer.headers.find(([other]) => other.toLowerCase() === name.toLowerCase())?.[1],
    body: () => Buffer.concat(pieces.map(({ bytes }) => bytes)),
    pieces,
    ending: null,
  };
  /** The rest of a body with a length; `chunked`, or until the connection is closed. */
  let left: number | 'chunked' | 'until-closed' = 0;

  const readHead = (bytes: Buffer): Buffer => {
    const end = bytes.indexOf('\r\n\r\n');
    if (end === -1) return bytes;
    const [statusLine = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
    const rest = bytes.subarray(end + 4);
    const status = Number(statusLine.split(' ')[1]);
    if (status < 200) return readHead(rest);
    answer.status = status;
    answer.headers = lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]);
    left = bodyLength(answer);
    if (left === 0) answer.ending = 'complete';
    return rest;
  };
  const readSized = (bytes: Buffer, size: number, atMs: number): Buffer => {
    const taken = bytes.subarray(0, size);
    if (taken.length > 0) pieces.push({ bytes: taken, atMs });
    left = size - taken.length;
    if (left === 0) answer.ending = 'complete';
    return bytes.subarray(taken.length);
  };
  const readChunks = (bytes: Buffer, atMs: number): Buffer => {
    let rest = bytes;
    while (answer.ending === null) {
      const lineEnd = rest.indexOf('\r\n');
      const size = Number.parseInt(rest.subarray(0, Math.max(lineEnd, 0)).toString('latin1'), 16);
      const end = lineEnd + 2 + size + 2;
      if (lineEnd === -1 || rest.length < end) break;
      if (size === 0) answer.ending = 'complete';
      else pieces.push({ bytes: rest.subarray(lineEnd + 2, end - 2), atMs });
      rest = rest.subarray(end);
    }
    return rest;
  };

  return {
    answer,
    push(bytes, atMs) {
      const body = answer.status === 0 ? readHead(bytes) : bytes;
      if (answer.status === 0 || answer.ending !== null) return Buffer.from(body);
      if (left === 'chunked') return Buffer.from(readChunks(body, atMs));
      if (left !== 'until-closed') return Buffer.from(readSized(body, left, atMs));
      if (body.length > 0) pieces.push({ bytes: body, atMs });
      return Buffer.alloc(0);
    },
    connectionOver(ending) {
      if (answer.status === 0) return;
      answer.ending ??= left === 'until-closed' && ending === 'closed' ? 'complete' : ending;
    },
  };
}

function bodyLength(answer: RawAnswer): number | 'chunked' | 'until-closed' {
  if (answer.status === 204 || answer.status === 304) return 0;
  if (answer.header('transfer-encoding')?.toLowerCase() === 'chunked') return 'chunked';
  const length = answer.header('content-length');
  return length === undefined ? 'until-closed' : Number(length);
}
