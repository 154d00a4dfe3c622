import type { FastifyInstance } from 'fastify';
import { isAllowed } from '../core/access.ts';
import { GatewayError } from '../core/errors.ts';
import type { Caller } from '../core/ports.ts';
import type { CatalogEntry, Directory } from '../core/provider.ts';
import type { Front } from '../http/exchange.ts';
import { sendJson } from '../http/server.ts';

/** `GET /v1/models` and `GET /v1/models/{id}`: what the caller's key may use, under every name that stands for it alone. */
export function serveModels(app: FastifyInstance, front: Front, directory: () => Directory): void {
  app.get('/v1/models', (request, reply) => {
    const caller = request.exchange.caller!;
    const data = directory().entries.flatMap((entry) => namesFor(caller, entry).map((name) => modelJson(name, entry)));
    sendJson(front, request, reply, 200, { object: 'list', data });
  });

  app.get('/v1/models/*', (request, reply) => {
    const name = (request.params as { '*': string })['*'];
    const entry = directory().find(name);
    if (entry === undefined || !isAllowed(entry, name, request.exchange.caller!.key.allowedModels)) {
      throw new GatewayError('model_not_found', `The model \`${name.slice(0, 200)}\` does not exist here.`, {
        param: 'model',
      });
    }
    sendJson(front, request, reply, 200, modelJson(name, entry));
  });
}

/** The names of an entry that a key may send, its id first. */
export function namesFor(caller: Caller, entry: CatalogEntry): string[] {
  return [entry.id, ...entry.aliases].filter((name) => isAllowed(entry, name, caller.key.allowedModels));
}

function modelJson(name: string, entry: CatalogEntry): Record<string, unknown> {
  const released = entry.model.releasedAt === null ? 0 : Date.parse(entry.model.releasedAt) / 1000;
  return {
    id: name,
    object: 'model',
    created: Number.isFinite(released) ? Math.floor(released) : 0,
    owned_by: entry.provider.id,
  };
}
