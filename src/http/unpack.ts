import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib';
import { GatewayError } from '../core/errors.ts';

/** `info` also returns the engine, whose `bytesWritten` is the number of consumed bytes. */
type UnpackOptions = { maxOutputLength: number; info: true };
type Unpacked = { buffer: Buffer; engine: { bytesWritten: number } };
type Unpacker = (
  body: Buffer,
  options: UnpackOptions,
  done: (error: NodeJS.ErrnoException | null, unpacked: Unpacked) => void,
) => void;

/** By `content-encoding`. */
const UNPACKERS: ReadonlyMap<string, Unpacker> = new Map([
  ['gzip', gunzip],
  ['x-gzip', gunzip],
  ['deflate', inflate],
  ['br', brotliDecompress],
  ['zstd', zstdDecompress],
] as unknown as [string, Unpacker][]);

/** The supported encodings, for messages. */
export const PACKINGS = 'gzip, deflate, br or zstd';

/** The unpacker of a `content-encoding`; `null` if the body is not encoded, `undefined` if the encoding is unsupported. */
export function unpackerOf(encoding: string | undefined): Unpacker | null | undefined {
  const name = (encoding ?? '').trim().toLowerCase();
  return name === '' || name === 'identity' ? null : UNPACKERS.get(name);
}

/**
 * Unpacks a body off the event loop. What comes out may have as many bytes as a body that is not packed: it ends there, however
 * much more is in it. Bytes behind the end of what is packed are refused: who reads them as another request sees another body.
 */
export function unpack(
  body: Buffer,
  unpacker: Unpacker,
  maxBytes: number,
  done: (error: GatewayError | null, whole?: Buffer) => void,
): void {
  unpacker(body, { maxOutputLength: maxBytes, info: true }, (error, unpacked) => {
    if (error === null) {
      return unpacked.engine.bytesWritten === body.length ? done(null, unpacked.buffer) : done(notPacked());
    }
    done(error.code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge(maxBytes) : notPacked(error));
  });
}

export function tooLarge(maxBytes: number): GatewayError {
  return new GatewayError('body_too_large', `The body is larger than ${maxBytes} bytes.`);
}

function notPacked(cause?: Error): GatewayError {
  return new GatewayError('invalid_request', 'The body is not packed as `content-encoding` says.', {
    param: 'content-encoding',
    ...(cause !== undefined && { cause }),
  });
}
