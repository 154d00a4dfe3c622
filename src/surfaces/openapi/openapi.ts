import type { FastifyInstance } from 'fastify';
import type { Front } from '../../http/exchange.ts';
import { sendJson } from '../../http/server.ts';
import { openApiDocument } from './document.ts';

/** `GET /openapi.json`: everything that is served, in OpenAPI 3.1. */
export function serveOpenApi(app: FastifyInstance, front: Front, version: string): void {
  const document = openApiDocument({ headerPrefix: front.headerPrefix, version });
  app.get('/openapi.json', (request, reply) => sendJson(front, request, reply, 200, document));
}
