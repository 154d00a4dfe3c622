import { chmodSync, existsSync, mkdtempSync, readdirSync, readlinkSync, rmdirSync, rmSync, symlinkSync } from 'node:fs';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { MAX_QUESTION_BYTES, type OperatorAnswer, type OperatorRequest } from '../core/operator.ts';
import { lookAt, SOCKET_NAME } from './operator-place.ts';
import { ORGANIZATION_HEADER } from './organization-header.ts';

// An import would read all exports of the module, and one of them loads Node's undici: up to 14 MB.
const { createServer } = process.getBuiltinModule('node:http');

/** The system's limit is 108 bytes on Linux and 104 on macOS, including a terminator. */
const LONGEST_PATH = 100;
/** Each command sends one request. */
const MAX_CONNECTIONS = 32;
const OWNER_ALONE = 0o177;

export type OperatorSocketParts = {
  /** The data folder. The process that opens the socket holds its lock. */
  folder: string;
  /** Answers as the HTTP API. */
  answer(asked: OperatorRequest): Promise<OperatorAnswer>;
  onFault(error: unknown): void;
};

export type OperatorSocket = { close(): Promise<void> };

/**
 * Opens the socket on which commands of the same user ask this gateway. Everything on it is answered: who may connect, the
 * system decides by the file's permissions. Rejects where the file system has no sockets.
 */
export async function openOperatorSocket(parts: OperatorSocketParts): Promise<OperatorSocket> {
  const place = join(parts.folder, SOCKET_NAME);
  // A leftover of a dead process: nobody else serves this data.
  removeSocket(place);
  const path = Buffer.byteLength(place) <= LONGEST_PATH ? place : shortPlace(place);
  const server = createServer(listener(parts));
  server.maxConnections = MAX_CONNECTIONS;
  // `listen` binds the socket synchronously, so that it never has other permissions.
  const before = process.umask(OWNER_ALONE);
  const listening = listen(server, path);
  process.umask(before);
  await listening;
  chmodSync(path, 0o600);
  return {
    async close() {
      removeSocket(place);
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** A short path in a folder that only this user can enter, with a link to it where the socket is looked for. */
function shortPlace(place: string): string {
  const path = join(mkdtempSync(join(tmpdir(), 'headgate-')), SOCKET_NAME);
  if (Buffer.byteLength(path) > LONGEST_PATH) throw new Error(`The path of the temporary folder is too long: ${path}`);
  symlinkSync(path, place);
  return path;
}

function removeSocket(place: string): void {
  if (lookAt(place)?.isSymbolicLink()) {
    const path = readlinkSync(place);
    const isOurs = basename(path) === SOCKET_NAME && dirname(dirname(path)) === tmpdir();
    if (isOurs) rmSync(path, { force: true });
    // A folder with other files is kept.
    if (isOurs && existsSync(dirname(path)) && readdirSync(dirname(path)).length === 0) rmdirSync(dirname(path));
  }
  rmSync(place, { force: true });
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.off('error', reject);
      // An error of one connection must not end the process.
      server.on('error', () => undefined);
      resolve();
    });
  });
}

function listener(parts: OperatorSocketParts): RequestListener {
  return (request, response) => {
    const asked = apiRequest(request);
    if (asked !== null) return answerApi(parts, asked, request, response);
    send(response, 404, errorBody(`There is no ${request.method} ${request.url} here.`));
  };
}

function send(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(body);
}

function errorBody(message: string): string {
  return JSON.stringify({ error: { message } });
}

const METHODS = ['GET', 'POST', 'DELETE'] as const;

/** The request to the HTTP API without its body; `null` for another. */
function apiRequest({ method, headers, url = '' }: IncomingMessage): OperatorRequest | null {
  const known = METHODS.find((each) => each === method);
  if (known === undefined || !url.startsWith('/v1/')) return null;
  const organization = headers[ORGANIZATION_HEADER];
  const organizationId = typeof organization === 'string' ? decoded(organization) : null;
  // As it was sent: `URL` would resolve `..`, and so ask for another path.
  return { method: known, path: url, body: '', organizationId };
}

/** An id from a header, where it is encoded as in a path. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function answerApi(
  { answer, onFault }: Pick<OperatorSocketParts, 'answer' | 'onFault'>,
  asked: OperatorRequest,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const answered = bodyOf(request).then((body) => (body === null ? null : answer({ ...asked, body })));
  answered.then(
    (told) => {
      if (told !== null) return send(response, told.status, told.body);
      response.setHeader('connection', 'close');
      send(response, 413, errorBody(TOO_LONG));
    },
    (error: unknown) => {
      onFault(error);
      send(response, 500, errorBody(FAILED));
    },
  );
}

const FAILED = 'The gateway failed to answer; its log says more.';
const TOO_LONG = `A question to a running gateway may have at most ${MAX_QUESTION_BYTES / 1024 / 1024} MB.`;

/** The body of a request; `null` if it is too long. */
async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // The answer needs the connection, even if the rest is not read.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    bytes += (chunk as Buffer).length;
    if (bytes > MAX_QUESTION_BYTES) return null;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString();
}
