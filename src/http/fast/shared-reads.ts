import { Socket } from 'node:net';

/** Bytes that one read can bring. */
const READ_SIZE = 64 * 1024;
/** All sockets read into it, one after the other. */
const SHARED = Buffer.allocUnsafeSlow(READ_SIZE);

/**
 * Called with the bytes of one read. The next read of any socket overwrites them.
 *
 * @returns false to stop reading
 */
export type OnRead = (bytes: Buffer) => boolean;

type UserBufferHandle = { useUserBuffer?(buffer: Uint8Array): void };
type ReadSymbols = { buffer: symbol; callback: symbol };

/**
 * Node.js offers `onread` for sockets that one opens, and not for those that a server accepts. These symbols are what the
 * constructor of `Socket` sets for it.
 */
const SYMBOLS = readSymbols();

/**
 * Lets an accepted socket read into the shared buffer. Afterwards it emits no `data`, except what is pushed into it.
 * `false`: this version of Node.js cannot, and the socket emits `data` as always.
 *
 * /!\ Hot path: a buffer for each read costs an allocation of 64 KB, its copy to the length of what was read, and their
 * collection.
 */
export function readIntoShared(socket: Socket, onRead: OnRead): boolean {
  const handle = (socket as { _handle?: UserBufferHandle | null })._handle;
  if (SYMBOLS === null || typeof handle?.useUserBuffer !== 'function') return false;
  const slots = socket as unknown as Record<symbol, unknown>;
  slots[SYMBOLS.buffer] = SHARED;
  slots[SYMBOLS.callback] = (length: number) => onRead(SHARED.subarray(0, length));
  handle.useUserBuffer(SHARED);
  return true;
}

function readSymbols(): ReadSymbols | null {
  const symbols = Object.getOwnPropertySymbols(new Socket());
  const named = (name: string) => symbols.find(({ description }) => description === name);
  const [buffer, callback] = [named('kBuffer'), named('kBufferCb')];
  return buffer === undefined || callback === undefined ? null : { buffer, callback };
}
