import { lstatSync, readlinkSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';

/** In the data folder. Defined apart from the server, so that commands need not load it. */
export const SOCKET_NAME = 'operator.sock';

/**
 * Where the socket of a data folder is to be called, whether or not anybody answers there; `null` if there is none. One that
 * another user than the folder's has put there is none.
 */
export function findOperatorSocket(folder: string): string | null {
  const place = join(folder, SOCKET_NAME);
  const found = lookAt(place);
  if (found === null) return null;
  const path = found.isSymbolicLink() ? readlinkSync(place) : place;
  const socket = lookAt(path);
  const owner = statSync(folder).uid;
  return socket?.isSocket() && socket.uid === owner && found.uid === owner ? path : null;
}

/** The stats of a path without following links; `null` if it does not exist. */
export function lookAt(path: string): Stats | null {
  return lstatSync(path, { throwIfNoEntry: false }) ?? null;
}
