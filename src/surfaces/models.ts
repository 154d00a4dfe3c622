import { z } from 'zod';
import { checkedQuery, type HttpApi, operation } from '../api/operation.ts';
import { named, seconds, text, type Written } from '../api/schema.ts';
import { maySee, type Names } from '../core/access.ts';
import { GatewayError } from '../core/errors.ts';
import type { Caller } from '../core/ports.ts';
import type { CatalogEntry, Directory } from '../core/provider.ts';
import { utcDay } from '../core/utc-day.ts';
import {
  ANTHROPIC_FORM,
  ANTHROPIC_PAGE,
  anthropicModel,
  anthropicModelJson,
  anthropicModelList,
  anthropicPage,
  asksForAnthropicForm,
  lifecycleOf,
} from './anthropic-models.ts';
import { modelFacts, modelFactsJson } from './model-facts.ts';

const modelSchema = named(
  'Model',
  z
    .object({
      id: text,
      object: z.literal('model'),
      created: seconds,
      owned_by: text,
      type: z.literal('model'),
      display_name: text,
      created_at: text.describe('Release date in RFC 3339.'),
      ...modelFacts,
      listed_by: z
        .enum(['vendor'])
        .nullable()
        .describe('`vendor`: known only from its vendor’s list, not from the configuration or catalog.'),
    })
    .describe('A model in the format of OpenAI’s and Anthropic’s clients.'),
);

const modelList = named(
  'ModelList',
  z.object({
    object: z.literal('list'),
    data: z.array(modelSchema),
    has_more: z.literal(false),
    first_id: text.nullable(),
    last_id: text.nullable(),
    models: z
      .array(z.looseObject({}))
      .exactOptional()
      .describe('With `client_version` in the query: the list as Codex reads it.'),
  }),
);

export const LIST_MODELS = operation('listModels', 'GET /v1/models', {
  tag: 'Catalog',
  summary: 'List the models that the key may use.',
  access: 'key',
  query: z.object({ client_version: text.optional().describe('Adds the list in Codex’s format.') }),
  answer: { description: 'The models.', schema: z.union([modelList, anthropicModelList]) },
  otherForm: { ...ANTHROPIC_FORM, query: ANTHROPIC_PAGE },
});

export const RETRIEVE_MODEL = operation('retrieveModel', 'GET /v1/models/{id}', {
  tag: 'Catalog',
  summary: 'Get one model.',
  access: 'key',
  idDescription: 'Slashes may be encoded or not.',
  answer: { description: 'The model.', schema: z.union([modelSchema, anthropicModel]) },
  errors: ['model_not_found'],
  otherForm: ANTHROPIC_FORM,
});

/**
 * The models that the caller's key may use, under every unambiguous name. The list has the members that OpenAI's and
 * Anthropic's clients read, and with `client_version` also Codex's. Clients that identify as Anthropic's get only its
 * format, in pages.
 */
export function serveModels(served: HttpApi, directory: () => Directory): void {
  const day = () => utcDay(served.front.clock.now());

  LIST_MODELS.serve(served, ({ caller, request }) => {
    const present = directory();
    const today = day();
    // A name that is both an id and an alias is listed once, for what a call of it uses.
    const known = present.entries.flatMap((entry) =>
      namesFor(caller, entry, present).flatMap((name) => (present.find(name) === entry ? [{ name, entry }] : [])),
    );
    if (asksForAnthropicForm(request)) {
      const models = known.map(({ name, entry }) => anthropicModelJson(modelJson(name, entry), entry, today));
      return anthropicPage(models, checkedQuery(ANTHROPIC_PAGE, request));
    }
    const byName = known.filter(({ entry }) => lifecycleOf(entry.model, today) !== 'retired');
    const data = byName.map(({ name, entry }) => modelJson(name, entry));
    const forCodex = 'client_version' in (request.query as object);
    return {
      object: 'list',
      data,
      has_more: false,
      first_id: data[0]?.id ?? null,
      last_id: data.at(-1)?.id ?? null,
      ...(forCodex && { models: byName.map(({ name, entry }, index) => codexJson(name, entry, index)) }),
    };
  });

  RETRIEVE_MODEL.serve(served, ({ id: name, caller, request }) => {
    const entry = knownModel(caller, name, directory());
    const model = modelJson(name, entry);
    return asksForAnthropicForm(request) ? anthropicModelJson(model, entry, day()) : model;
  });
}

/**
 * The entry with this name. An unlisted name is an entry if a call of it would be sent to a provider. Throws if there
 * is none, or the caller may not know of it.
 */
export function knownModel({ key }: Caller, name: string, directory: Directory): CatalogEntry {
  const entry = directory.find(name);
  if (entry !== undefined && maySee(key, entry, name, directory)) return entry;
  throw new GatewayError('model_not_found', `The model \`${name.slice(0, 200)}\` does not exist here.`, {
    param: 'model',
    near: directory.nearest(name, (other, known) => maySee(key, other, known, directory)),
  });
}

/** The names of an entry that a key may know, its id first. */
export function namesFor({ key }: Caller, entry: CatalogEntry, names: Names): string[] {
  return [entry.id, ...entry.aliases].filter((name) => maySee(key, entry, name, names));
}

function modelJson(name: string, { model, provider }: CatalogEntry): Written<typeof modelSchema> {
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
    ...modelFactsJson(model),
    listed_by: model.known === 'listed' ? 'vendor' : null,
  };
}

/** A model in Codex's format, without prompts and tools. */
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
