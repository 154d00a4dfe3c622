import { constants, fstatSync, openSync, type Stats, write, writeSync } from 'node:fs';

/** How long lines wait for others. */
const GATHER_MS = 50;
/** The most bytes of waiting lines. Further lines are dropped and counted. */
export const MAX_HELD_BYTES = 1024 * 1024;
/** The most bytes in one write if several processes write: POSIX keeps no more than this together. */
const SHARED_PIECE_BYTES = 4096;
const FILE_PIECE_BYTES = 64 * 1024;
/** Linux keeps 32 KB together in one write to a socket, such as the log of a service manager. */
const SOCKET_PIECE_BYTES = process.platform === 'linux' ? 16 * 1024 : SHARED_PIECE_BYTES;
/** A line that ends this close to the end of its piece may have been cut inside a character. */
const LONGEST_CHARACTER = 4;
/** The interval for retrying a full pipe, and the time for it at the end of the process. */
const FULL_MS = 20;
const LAST_MS = 2_000;

/** Where lines go, in order. A slow reader delays nobody; without a reader, lines are lost. */
export type LineOutput = {
  /** The most bytes of one `write`. */
  readonly pieceBytes: number;
  /** Not called again before `done`. */
  write(piece: Buffer, done: () => void): void;
  /** For the end of the process. A piece whose `write` is not done is written first. */
  writeNow(pieces: readonly Buffer[]): void;
};

/** The process's own stderr. */
export function stderrOutput(): LineOutput {
  const pipe = ownPipe();
  if (pipe !== null) return pipeOutput(pipe);
  return {
    pieceBytes: pieceBytesOf(fstatSync(2)),
    write: (piece, done) => write(2, piece, done),
    writeNow: (pieces) => pieces.every((piece) => written(2, piece) !== 'lost'),
  };
}

function pieceBytesOf(output: Stats): number {
  if (output.isFile()) return FILE_PIECE_BYTES;
  return output.isSocket() ? SOCKET_PIECE_BYTES : SHARED_PIECE_BYTES;
}

/**
 * Stderr opened again, if it is a pipe, so that writing to a full one fails instead of blocking. `null` if this is not
 * possible.
 */
function ownPipe(): number | null {
  try {
    if (!fstatSync(2).isFIFO()) return null;
    return openSync('/proc/self/fd/2', constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    return null;
  }
}

/** /!\ Hot path: a pipe accepts a piece at once or not at all, so no other thread is involved. */
function pipeOutput(pipe: number): LineOutput {
  /** The piece that a full pipe has not accepted yet. */
  let waiting: Buffer | null = null;
  return {
    pieceBytes: SHARED_PIECE_BYTES,
    write(piece, done) {
      waiting = piece;
      const tryOnce = () => {
        if (waiting !== null && written(pipe, waiting) === 'full') {
          setTimeout(tryOnce, FULL_MS).unref();
          return;
        }
        waiting = null;
        done();
      };
      tryOnce();
    },
    writeNow(pieces) {
      const wait = new Int32Array(new SharedArrayBuffer(4));
      const all = waiting === null ? pieces : [waiting, ...pieces];
      waiting = null;
      let waited = 0;
      for (const piece of all) {
        while (written(pipe, piece) === 'full') {
          if (waited >= LAST_MS) return;
          Atomics.wait(wait, 0, 0, FULL_MS);
          waited += FULL_MS;
        }
      }
    },
  };
}

function written(file: number, piece: Buffer): 'whole' | 'full' | 'lost' {
  try {
    writeSync(file, piece);
    return 'whole';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? 'full' : 'lost';
  }
}

/** Writes lines in batches and holds few. A slow reader is told how many were dropped. */
export class LineWriter {
  readonly #output: LineOutput;
  readonly #untoldLine: (count: number) => string;
  /** Complete pieces. If `#writing`, the first of them is being written. */
  readonly #pieces: Buffer[] = [];
  readonly #maxPieces: number;
  #writing = false;
  /** The piece that lines are added to. */
  #open: Buffer | null = null;
  #used = 0;
  #untold = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param untoldLine writes the line for a number of dropped lines */
  constructor(output: LineOutput, untoldLine: (count: number) => string) {
    this.#output = output;
    this.#untoldLine = untoldLine;
    this.#maxPieces = Math.floor(MAX_HELD_BYTES / output.pieceBytes);
  }

  /** /!\ Hot path: bytes are kept instead of texts, so that no line stays in memory. A line ends with its line feed. */
  add(line: string): void {
    if (this.#untold > 0 || !this.#put(line)) this.#untold += 1;
    else if (this.#timer === undefined && !this.#writing) this.#gather();
  }

  /** Starts to write what is held, without waiting. */
  flush(): void {
    if (this.#writing) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#closePiece();
    this.#writeNext();
  }

  /** Writes what is held, and waits for it. */
  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#closePiece();
    const rest = this.#pieces.splice(this.#writing ? 1 : 0);
    if (this.#untold > 0) rest.push(Buffer.from(this.#untoldLine(this.#untold)));
    this.#untold = 0;
    this.#output.writeNow(rest);
  }

  #gather(): void {
    this.#timer = setTimeout(() => this.flush(), GATHER_MS).unref();
  }

  #writeNext(): void {
    const [piece] = this.#pieces;
    this.#writing = piece !== undefined;
    if (piece === undefined) {
      if (this.#used > 0) this.#gather();
      return;
    }
    this.#output.write(piece, () => {
      this.#pieces.shift();
      this.#tellUntold();
      this.#writeNext();
    });
  }

  #tellUntold(): void {
    if (this.#untold > 0 && this.#put(this.#untoldLine(this.#untold))) this.#untold = 0;
  }

  #put(line: string): boolean {
    if (this.#fits(line)) return true;
    if (this.#pieces.length >= this.#maxPieces) return false;
    this.#closePiece();
    return this.#fits(line);
  }

  #fits(line: string): boolean {
    const size = this.#output.pieceBytes;
    this.#open ??= Buffer.allocUnsafe(size);
    const end = this.#used + this.#open.write(line, this.#used);
    if (end > size - LONGEST_CHARACTER) return false;
    this.#used = end;
    return true;
  }

  #closePiece(): void {
    if (this.#open === null || this.#used === 0) return;
    this.#pieces.push(this.#open.subarray(0, this.#used));
    this.#open = null;
    this.#used = 0;
  }
}
