import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';

/** Decompresses a body. While paused it gives out nothing, and soon calls `onFull`. */
export type Decoder = {
  write(chunk: Buffer): void;
  end(): void;
  pause(): void;
  resume(): void;
  destroy(): void;
};

/** Receives a decoder's output. `onFull` asks to stop the input until `onDrain`. */
export type DecodeListener = {
  onData(chunk: Buffer): void;
  onEnd(): void;
  onFailure(cause: Error): void;
  onFull(): void;
  onDrain(): void;
};

const DECODERS = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
  ['zstd', createZstdDecompress],
]);

/** A decoder for a `content-encoding`, although none was requested; `null` if the body is not encoded. */
export function decoderFor(encoding: string | string[] | undefined, listener: DecodeListener): Decoder | null {
  const name = String(encoding ?? '')
    .trim()
    .toLowerCase();
  if (name === '' || name === 'identity') return null;
  const make = DECODERS.get(name);
  if (make === undefined) {
    const fail = () => listener.onFailure(new Error(`the content-encoding ${name} is not known`));
    const idle = () => undefined;
    return { write: fail, end: fail, pause: idle, resume: idle, destroy: idle };
  }
  const stream = make();
  stream.on('data', listener.onData);
  stream.on('end', listener.onEnd);
  stream.on('error', listener.onFailure);
  stream.on('drain', listener.onDrain);
  return {
    write: (chunk) => {
      if (!stream.write(chunk)) listener.onFull();
    },
    end: () => void stream.end(),
    pause: () => void stream.pause(),
    resume: () => void stream.resume(),
    destroy: () => void stream.destroy(),
  };
}
