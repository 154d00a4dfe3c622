import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';

/** What comes of compressed bytes. `onFull` asks to hold the input until `onDrain`. */
export type DecodeListener = {
  onData(chunk: Buffer): void;
  onEnd(): void;
  onFailure(cause: Error): void;
  onFull(): void;
  onDrain(): void;
};

const DECODERS = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
} as const;

/** A decoder for a `content-encoding`, though none was asked for; `null` where the body comes as it is. */
export function decoderFor(
  encoding: string | string[] | undefined,
  listener: DecodeListener,
): { write(chunk: Buffer): void; end(): void; destroy(): void } | null {
  const name = String(encoding ?? '')
    .trim()
    .toLowerCase();
  if (name === '' || name === 'identity') return null;
  const make = DECODERS[name as keyof typeof DECODERS];
  if (make === undefined) {
    const fail = () => listener.onFailure(new Error(`the content-encoding ${name} is not known`));
    return { write: fail, end: fail, destroy: () => undefined };
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
    end: () => stream.end(),
    destroy: () => stream.destroy(),
  };
}
