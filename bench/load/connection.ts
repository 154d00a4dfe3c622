import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { FIRST_WORD } from '../upstream/answers.ts';

/** `body` has no HTTP framing. `firstContentAt` is of `performance.now()`; 0 without content. */
export type Answer = { status: number; body: string; firstContentAt: number };

type Waiting = { resolve(answer: Answer): void; reject(error: Error): void };

const HEAD_END = '\r\n\r\n';
const LAST_CHUNK = Buffer.from('0\r\n\r\n');

/**
 * A kept connection that carries one request at a time. It inspects as little of an answer as possible while it
 * arrives.
 */
export class Connection {
  readonly #socket: Socket;
  #waiting: Waiting | null = null;
  /** Resolves the wait for the first word. */
  #hear: (() => void) | null = null;
  #pieces: Buffer[] = [];
  #length = 0;
  /** The length of the whole answer with its head: `null` if unknown, infinite for chunks. */
  #wanted: number | null = null;
  #firstContentAt = 0;

  private constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.on('data', (piece: Buffer) => this.#take(piece));
    this.#socket.on('error', (error) => this.#fail(error));
    this.#socket.on('close', () => this.#fail(new Error(`the connection closed within an answer: ${this.#text()}`)));
  }

  static async open(port: number): Promise<Connection> {
    const connection = new Connection(port);
    await once(connection.#socket, 'connect');
    return connection;
  }

  /** Sends a request. Resolves when it is answered completely. */
  ask(request: Buffer): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#socket.destroyed) return reject(new Error('the connection was closed between two requests'));
      this.#waiting = { resolve, reject };
      this.#socket.write(request);
    });
  }

  /** Resolves at the first word of the current answer. Call it once per `ask`, before that resolves. */
  firstContent(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#hear = resolve;
      this.#socket.once('close', () => reject(new Error(`no word came: ${this.#text()}`)));
    });
  }

  async close(): Promise<void> {
    if (this.#socket.destroyed) return;
    const closed = once(this.#socket, 'close');
    this.#socket.end();
    await closed;
  }

  /** Closes at once. A pending `ask` rejects. */
  destroy(): void {
    this.#socket.destroy();
  }

  #take(piece: Buffer): void {
    this.#pieces.push(piece);
    this.#length += piece.length;
    if (this.#firstContentAt === 0 && piece.includes(FIRST_WORD)) {
      this.#firstContentAt = performance.now();
      this.#hear?.();
      this.#hear = null;
    }
    if (this.#wanted === null) this.#wanted = wantedLength(this.#text());
    if (this.#wanted === null || this.#length < this.#wanted) {
      if (this.#wanted !== Number.POSITIVE_INFINITY || !this.#endsInLastChunk()) return;
    }
    const answer = readAnswer(this.#text(), this.#firstContentAt);
    if (answer === null) return;
    const waiting = this.#waiting;
    this.#clear();
    waiting?.resolve(answer);
  }

  #endsInLastChunk(): boolean {
    const last = this.#pieces.at(-1)!;
    if (last.length >= LAST_CHUNK.length) return last.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK);
    return this.#text().endsWith('0\r\n\r\n');
  }

  #text(): string {
    if (this.#pieces.length > 1) this.#pieces = [Buffer.concat(this.#pieces, this.#length)];
    return this.#pieces[0]?.toString('latin1') ?? '';
  }

  #fail(error: Error): void {
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.reject(error);
  }

  #clear(): void {
    this.#waiting = null;
    this.#pieces = [];
    this.#length = 0;
    this.#wanted = null;
    this.#firstContentAt = 0;
  }
}

function wantedLength(text: string): number | null {
  const end = text.indexOf(HEAD_END);
  if (end === -1) return null;
  const head = text.slice(0, end);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  return length === undefined ? Number.POSITIVE_INFINITY : end + HEAD_END.length + Number(length);
}

/** `null` if the answer has only apparently ended. */
function readAnswer(text: string, firstContentAt: number): Answer | null {
  const end = text.indexOf(HEAD_END);
  const status = Number(text.slice(9, 12));
  const rest = text.slice(end + HEAD_END.length);
  if (!/\r\ntransfer-encoding: *chunked/i.test(text.slice(0, end))) return { status, body: rest, firstContentAt };
  const body = withoutChunks(rest);
  return body === null ? null : { status, body, firstContentAt };
}

function withoutChunks(text: string): string | null {
  const parts: string[] = [];
  for (let at = 0; at < text.length; ) {
    const lineEnd = text.indexOf('\r\n', at);
    const size = Number.parseInt(text.slice(at, lineEnd), 16);
    if (size === 0) return parts.join('');
    if (lineEnd === -1 || Number.isNaN(size)) return null;
    parts.push(text.slice(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 4 + size;
  }
  return null;
}
