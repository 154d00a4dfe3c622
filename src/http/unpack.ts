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

/** The most encodings that a body may be in, one within the other. */
const MAX_ENCODINGS = 3;

/** How a body is unpacked: the encoding that was applied last is the first. */
export type Unpackers = readonly Unpacker[];

/**
 * The unpackers of a `content-encoding`, which names encodings in the order in which they were applied; `null` if the body is not
 * encoded, `undefined` if an encoding is unsupported or there are too many.
 */
export function unpackersOf(encoding: string | undefined): Unpackers | null | undefined {
  if (encoding === undefined) return null;
  const names = encoding.split(',').map((name) => name.trim().toLowerCase());
  const unpackers = names.filter((name) => name !== '' && name !== 'identity').map((name) => UNPACKERS.get(name));
  if (unpackers.length === 0) return null;
  const isKnown = unpackers.length <= MAX_ENCODINGS && unpackers.every((unpacker) => unpacker !== undefined);
  return isKnown ? unpackers.toReversed() : undefined;
}

/**
 * Unpacks a body off the event loop. What comes out of each encoding may have as many bytes as a body that is not packed: it ends
 * there, however much more is in it. Bytes behind the end of what is packed are refused: who reads them as another request sees another body.
 */
export function unpack(
  body: Buffer,
  [unpacker, ...inner]: Unpackers,
  maxBytes: number,
  done: (error: GatewayError | null, whole?: Buffer) => void,
): void {
  if (unpacker === undefined) return done(null, body);
  unpacker(body, { maxOutputLength: maxBytes, info: true }, (error, unpacked) => {
    if (error !== null) return done(error.code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge(maxBytes) : notPacked(error));
    if (unpacked.engine.bytesWritten !== body.length) return done(notPacked());
    unpack(unpacked.buffer, inner, maxBytes, done);
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
