import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { GatewayError } from '../core/errors.ts';
import { type Receipt, tooManyBodies } from './receiving.ts';

/**
 * Receives a request's body. One that is too large is refused at once, and its rest is read and thrown away, so that
 * the caller gets to see the answer instead of a broken connection. `letSend` is called once nothing in the head is against it.
 */
export function receiveBody(
  headers: IncomingHttpHeaders,
  body: IncomingMessage,
  { maxBytes, receipt }: { maxBytes: number; receipt: Receipt },
  letSend: (body: IncomingMessage) => void,
  done: (error: Error | null, body?: Buffer) => void,
): void {
  const refusal = refuseHead(headers, maxBytes);
  if (refusal !== null) {
    body.resume();
    return done(refusal);
  }
  if (headers.expect !== undefined) letSend(body);
  const chunks: Buffer[] = [];
  let length = 0;
  let over = false;
  const finish = (error: Error | null, whole?: Buffer) => {
    if (over) return;
    over = true;
    receipt.end();
    if (error !== null) chunks.length = 0;
    done(error, whole);
  };
  body.on('data', (chunk: Buffer) => {
    if (over) return;
    length += chunk.length;
    if (length > maxBytes) return finish(tooLarge(maxBytes));
    if (!receipt.take(chunk.length)) return finish(tooManyBodies());
    chunks.push(chunk);
  });
  body.on('end', () => finish(null, chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
  const cut = (cause?: Error) => {
    // Every body closes; to make an error for those that came whole would cost each call its stack.
    if (!over) finish(new GatewayError('client_closed_request', 'The request’s body was cut.', { cause }));
  };
  body.on('error', cut);
  body.on('close', () => cut());
}

/**
 * Reads away a body that nobody will look at, and then tells so: an answer that closes the connection is lost where bytes
 * of the request come behind it. A caller who waits to be asked for its body sends none.
 */
export function discardBody(body: IncomingMessage, done: () => void): void {
  if (body.headers.expect !== undefined || body.complete) return done();
  body.once('close', done);
  body.resume();
}

function refuseHead(headers: IncomingHttpHeaders, maxBytes: number): GatewayError | null {
  if (Number(headers['content-length'] ?? 0) > maxBytes) return tooLarge(maxBytes);
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    return new GatewayError('unsupported_media_type', 'The body must be sent without `content-encoding`.');
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

function tooLarge(maxBytes: number): GatewayError {
  return new GatewayError('body_too_large', `The body is larger than ${maxBytes} bytes.`);
}
