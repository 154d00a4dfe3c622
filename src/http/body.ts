import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { GatewayError } from '../core/errors.ts';
import { type ReceivedBody, tooManyBodies } from './received-bodies.ts';
import { PACKINGS, tooLarge, unpack, unpackersOf } from './unpack.ts';

/**
 * Receives a request's body, and unpacks one that is packed. One that is too large is refused at once, and its rest is read
 * and thrown away, so that the caller gets to see the answer instead of a broken connection. `letSend` is called once the
 * head has passed every check.
 */
export function receiveBody(
  body: IncomingMessage,
  { maxBytes, received }: { maxBytes: number; received: ReceivedBody },
  letSend: (body: IncomingMessage) => void,
  done: (error: Error | null, body?: Buffer) => void,
): void {
  const { headers } = body;
  const refusal = refuseHead(headers, maxBytes);
  if (refusal !== null) {
    body.resume();
    return done(refusal);
  }
  if (headers.expect !== undefined) letSend(body);
  const chunks: Buffer[] = [];
  let length = 0;
  let over = false;
  let unpacking = false;
  const finish = (error: Error | null, whole?: Buffer) => {
    if (over) return;
    over = true;
    received.end();
    if (error !== null) chunks.length = 0;
    done(error, whole);
  };
  body.on('data', (chunk: Buffer) => {
    if (over) return;
    length += chunk.length;
    if (length > maxBytes) return finish(tooLarge(maxBytes));
    if (!received.take(chunk.length)) return finish(tooManyBodies());
    chunks.push(chunk);
  });
  body.on('end', () => {
    if (over) return;
    const whole = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
    const unpackers = unpackersOf(headers['content-encoding']) ?? null;
    if (unpackers === null) return finish(null, whole);
    unpacking = true;
    unpack(whole, unpackers, maxBytes, (error, unpacked) => {
      // The request has ended, so nothing else notices a caller that disconnected meanwhile.
      if (body.socket.destroyed) return finish(new GatewayError('client_closed_request', 'The caller left.'));
      if (unpacked !== undefined && !received.take(unpacked.length)) return finish(tooManyBodies());
      finish(error, unpacked);
    });
  });
  const cut = (cause?: Error) => {
    // All bodies emit `close`. An error for complete ones would cost each call a stack trace.
    if (!over && !unpacking)
      finish(new GatewayError('client_closed_request', 'The request’s body was incomplete.', { cause }));
  };
  body.on('error', cut);
  body.on('close', () => cut());
}

/**
 * Reads and discards a body, then calls `done`. An answer that closes the connection would be lost if bytes of the request
 * arrived after it. A caller that waits for `100 Continue` sends no body.
 */
export function discardBody(body: IncomingMessage, done: () => void): void {
  if (body.headers.expect !== undefined || body.complete) return done();
  body.once('close', done);
  body.resume();
}

function refuseHead(headers: IncomingHttpHeaders, maxBytes: number): GatewayError | null {
  if (Number(headers['content-length'] ?? 0) > maxBytes) return tooLarge(maxBytes);
  if (unpackersOf(headers['content-encoding']) === undefined) {
    return new GatewayError(
      'unsupported_media_type',
      `The body must be sent with \`content-encoding\` ${PACKINGS}, or none.`,
    );
  }
  const type = headers['content-type'] ?? '';
  if (!/^application\/([\w.+-]+\+)?json\b/i.test(type)) {
    return new GatewayError(
      'unsupported_media_type',
      `The body must be sent with \`Content-Type: application/json\`${type === '' ? '' : `, not \`${type.slice(0, 100)}\``}.`,
    );
  }
  return null;
}
