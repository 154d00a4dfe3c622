import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Dispatcher, Pool } from 'undici';
import { listen } from '../../src/testing/listen.ts';

/**
 * The minimal proxy on `node:http` and undici: no keys, no ledger, no inspection. `node http-proxy.ts ORIGIN`; it sends
 * its port to its parent.
 */
const origin = process.argv[2]!;
const pool = new Pool(origin, { pipelining: 1, headersTimeout: 0, bodyTimeout: 0 });
const server = createServer({ noDelay: true }, relay);
const port = await listen(server, 0);
process.send?.({ port });
// The parent may be killed without ending this process.
process.once('disconnect', () => process.exit());

function relay(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const headers = ['content-type', 'application/json', 'authorization', request.headers.authorization ?? ''];
    const body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
    pool.dispatch({ origin, path: request.url ?? '/', method: 'POST', headers, body }, passTo(response));
  });
}

function passTo(response: ServerResponse): Dispatcher.DispatchHandler {
  return {
    onRequestStart(controller) {
      response.on('close', () => {
        if (!response.writableFinished) controller.abort(new Error('the caller left'));
      });
      response.on('drain', () => controller.resume());
    },
    onResponseStart(_controller, status, headers) {
      const type = { 'content-type': String(headers['content-type']) };
      const length = headers['content-length'];
      response.writeHead(status, length === undefined ? type : { ...type, 'content-length': String(length) });
    },
    onResponseData(controller, chunk) {
      if (!response.write(chunk)) controller.pause();
    },
    onResponseEnd() {
      response.end();
    },
    onResponseError() {
      response.destroy();
    },
  };
}
