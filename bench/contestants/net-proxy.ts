import { connect, createServer, type Socket } from 'node:net';
import { listen } from '../../src/testing/listen.ts';

/**
 * The minimal proxy in Node: it passes bytes from socket to socket, with one kept upstream socket per call. It only
 * detects where answers end, trusts both sides, and handles no errors. `node net-proxy.ts ORIGIN`; it sends its port to
 * its parent.
 */
const HEAD_END = '\r\n\r\n';
const LAST_CHUNK = Buffer.from('0\r\n\r\n');

const vendor = new URL(process.argv[2]!);
const idle: Link[] = [];

/** A socket to the upstream, and the caller whose call it carries. */
class Link {
  readonly #upstream: Socket;
  #caller: Socket | null = null;
  #released: () => void = () => {};
  /** The missing bytes of the answer: `null` before its head, infinite for chunks. */
  #owed: number | null = null;

  constructor() {
    this.#upstream = connect({ port: Number(vendor.port), host: vendor.hostname, noDelay: true });
    this.#upstream.on('data', (piece: Buffer) => this.#pass(piece));
    this.#upstream.on('drain', () => this.#caller?.resume());
    this.#upstream.on('error', () => this.#upstream.destroy());
    this.#upstream.on('close', () => {
      if (idle.includes(this)) idle.splice(idle.indexOf(this), 1);
      this.#caller?.destroy();
    });
  }

  /** Carries one call. `released` is called after the answer. */
  carry(caller: Socket, released: () => void): void {
    this.#caller = caller;
    this.#released = released;
    this.#owed = null;
  }

  send(piece: Buffer): void {
    if (!this.#upstream.write(piece)) this.#caller?.pause();
  }

  resume(): void {
    this.#upstream.resume();
  }

  destroy(): void {
    this.#upstream.destroy();
  }

  #pass(piece: Buffer): void {
    if (this.#caller?.write(piece) === false) this.#upstream.pause();
    this.#owed = this.#owed === null ? owedAfterHead(piece) : this.#owed - piece.length;
    const over = this.#owed <= 0 || (this.#owed === Number.POSITIVE_INFINITY && endsInLastChunk(piece));
    if (!over) return;
    this.#caller = null;
    idle.push(this);
    this.#released();
  }
}

const server = createServer({ noDelay: true }, serve);
const port = await listen(server, 0);
process.send?.({ port });
// The parent may be killed without ending this process.
process.once('disconnect', () => process.exit());

function serve(caller: Socket): void {
  let link: Link | null = null;
  const release = () => {
    link = null;
  };
  caller.on('data', (piece: Buffer) => {
    if (link === null) {
      link = idle.pop() ?? new Link();
      link.carry(caller, release);
    }
    link.send(piece);
  });
  caller.on('drain', () => link?.resume());
  caller.on('error', () => caller.destroy());
  caller.on('close', () => link?.destroy());
}

/** The upstream writes a head in one piece. */
function owedAfterHead(piece: Buffer): number {
  const bodyAt = piece.indexOf(HEAD_END) + HEAD_END.length;
  const length = /\r\ncontent-length: *(\d+)/i.exec(piece.toString('latin1', 0, bodyAt))?.[1];
  return length === undefined ? Number.POSITIVE_INFINITY : bodyAt + Number(length) - piece.length;
}

/** The upstream writes the last chunk in one piece with the one before. */
function endsInLastChunk(piece: Buffer): boolean {
  return piece.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK);
}
