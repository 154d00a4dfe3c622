import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib';
import { GatewayError } from '../core/errors.ts';

type Unpacker = (
  body: Buffer,
  options: { maxOutputLength: number },
  done: (error: NodeJS.ErrnoException | null, whole: Buffer) => void,
) => void;

/** By the names that `content-encoding` has for them. */
const UNPACKERS: ReadonlyMap<string, Unpacker> = new Map<string, Unpacker>([
  ['gzip', gunzip],
  ['x-gzip', gunzip],
  ['deflate', inflate],
  ['br', brotliDecompress],
  ['zstd', zstdDecompress],
]);

/** What a body may be packed with, for messages. */
export const PACKINGS = 'gzip, deflate, br or zstd';

/** How a body of this `content-encoding` is unpacked; `null`: it is not packed; `undefined`: nobody here can. */
export function unpackerOf(encoding: string | undefined): Unpacker | null | undefined {
  const name = (encoding ?? '').trim().toLowerCase();
  return name === '' || name === 'identity' ? null : UNPACKERS.get(name);
}

/**
 * Unpacks a body off the event loop. What comes out may have as many bytes as a body that is not packed: it ends there, however
 * much more is in it.
 */
export function unpack(
  body: Buffer,
  unpacker: Unpacker,
  maxBytes: number,
  done: (error: GatewayError | null, whole?: Buffer) => void,
): void {
  unpacker(body, { maxOutputLength: maxBytes }, (error, whole) => {
    if (error === null) return done(null, whole);
    done(error.code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge(maxBytes) : notPacked(error));
  });
}

export function tooLarge(maxBytes: number): GatewayError {
  return new GatewayError('body_too_large', `The body is larger than ${maxBytes} bytes.`);
}

function notPacked(cause: Error): GatewayError {
  return new GatewayError('invalid_request', 'The body is not packed as `content-encoding` says.', {
    param: 'content-encoding',
    cause,
  });
}
