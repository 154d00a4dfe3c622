import type { FastifyInstance } from 'fastify';
import { maySee } from '../core/access.ts';
import { GatewayError } from '../core/errors.ts';
import type { Caller } from '../core/ports.ts';
import type { CatalogEntry, Directory } from '../core/provider.ts';
import type { Front } from '../http/exchange.ts';
import { sendJson } from '../http/server.ts';

/**
 * `GET /v1/models` and `GET /v1/models/{id}`: what the caller's key may use, under every name that stands for it alone.
 * Three kinds of client ask: each model and the list have the members that OpenAI's and Anthropic's clients read, and
 * with `client_version` also Codex's.
 */
export function serveModels(app: FastifyInstance, front: Front, directory: () => Directory): void {
  app.get('/v1/models', (request, reply) => {
    const caller = request.exchange.caller!;
    const present = directory();
    const named = present.entries.flatMap((entry) => namesFor(caller, entry, present).map((name) => ({ name, entry })));
    const data = named.map(({ name, entry }) => modelJson(name, entry));
    const list = {
      object: 'list',
      data,
      has_more: false,
      first_id: data[0]?.id ?? null,
      last_id: data.at(-1)?.id ?? null,
    };
    const forCodex = 'client_version' in (request.query as object);
    const models = forCodex ? { models: named.map(({ name, entry }, index) => codexJson(name, entry, index)) } : {};
    sendJson(front, request, reply, 200, { ...list, ...models });
  });

  app.get('/v1/models/*', (request, reply) => {
    const name = (request.params as { '*': string })['*'];
    const { find, products } = directory();
    const entry = find(name);
    if (entry === undefined || !maySee(request.exchange.caller!.key, entry, name, products)) {
      throw new GatewayError('model_not_found', `The model \`${name.slice(0, 200)}\` does not exist here.`, {
        param: 'model',
      });
    }
    sendJson(front, request, reply, 200, modelJson(name, entry));
  });
}

/** The names of an entry that a key may know, its id first. */
export function namesFor({ key }: Caller, entry: CatalogEntry, { products }: Directory): string[] {
  return [entry.id, ...entry.aliases].filter((name) => maySee(key, entry, name, products));
}

type ModelJson = {
  id: string;
  object: 'model';
  created: number;
  owned_by: string;
  type: 'model';
  display_name: string;
  created_at: string;
};

function modelJson(name: string, { model, provider }: CatalogEntry): ModelJson {
  const released = model.releasedAt === null ? 0 : Date.parse(model.releasedAt) / 1000;
  const created = Number.isFinite(released) ? Math.floor(released) : 0;
  return {
    id: name,
    object: 'model',
    created,
    owned_by: provider.id,
    type: 'model',
    display_name: model.name,
    created_at: new Date(created * 1000).toISOString().replace('.000Z', 'Z'),
  };
}

/** A model as Codex lists it. What it says of prompts and tools of its own is left to it. */
function codexJson(slug: string, { model, provider }: CatalogEntry, index: number): Record<string, unknown> {
  const efforts = model.capabilities?.reasoning === false ? [] : ['low', 'medium', 'high'];
  return {
    slug,
    display_name: model.name,
    description: `${model.name} at ${provider.label}`,
    context_window: model.contextWindow,
    default_reasoning_level: efforts.length === 0 ? null : 'medium',
    supported_reasoning_levels: efforts.map((effort) => ({ effort, description: effort })),
    input_modalities: model.modalities?.input ?? ['text'],
    supports_parallel_tool_calls: model.capabilities?.tools ?? true,
    shell_type: 'shell_command',
    visibility: 'list',
    supported_in_api: true,
    priority: index,
  };
}
