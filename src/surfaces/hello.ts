import type { FastifyInstance } from 'fastify';
import type { Front } from '../http/exchange.ts';
import { sendJson } from '../http/server.ts';

/**
 * `GET` and `HEAD` of `/` and `/api/hello`: who is here. Developer tools ask one of them, without a key, to see whether
 * the address they were given answers at all.
 */
export function serveHello(app: FastifyInstance, front: Front, version: string): void {
  const hello = { object: 'gateway', name: 'Headgate', version, openapi: '/openapi.json' };
  for (const url of ['/', '/api/hello']) {
    app.get(url, (request, reply) => sendJson(front, request, reply, 200, hello));
  }
}
