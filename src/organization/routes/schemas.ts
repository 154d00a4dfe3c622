import { z } from 'zod';
import { created, idText, inSeconds, inSecondsOrNull, nameText, setInPlace, version } from '../../api/fields.ts';
import { count, decimal, flag, named, seconds, text, type Written } from '../../api/schema.ts';
import type { Actor } from '../../core/audit.ts';
import type { DraftProblem, RouteBook, RouteDraft } from '../../core/known-route.ts';
import { MODEL_NAME } from '../../core/model-name.ts';
import { ORIGINS } from '../../core/provider.ts';
import type { Setting } from '../../core/settings.ts';
import { parseJson } from '../../json/parse.ts';
import { type AdministeredRoute, MAX_DEFINITION } from './service.ts';

export const VERSION_ID = idText.describe('The id of a version of this route.');
const DEFINITION_VERSION = text.describe('A hash of the definition; usage records have it as `route_version`.');

const canary = z.object({
  version_id: text,
  share: decimal.describe('The share of the conversations (0 to 1) that use this version.'),
});

const summary = {
  id: text.describe('The model name that callers send.'),
  object: z.literal('organization.route'),
  from: z.enum(['file', 'store']).describe('`file`: it can be changed only in the configuration.'),
  set_in: setInPlace,
  hides_stored: flag.describe('A stored route is not used while the file has one with the same id.'),
  name: text.nullable(),
  origin: z.enum(ORIGINS).nullable(),
  strategy: z.array(text),
  targets: z.array(text),
  fallbacks: z.array(text),
  problem: text.nullable().describe('Why it is not used; `null` if it is.'),
  definition_version: DEFINITION_VERSION.nullable(),
  version_in_force: text.nullable().describe('The id of the version; `null` for routes of the file.'),
  version_before: text.nullable().describe('The version that a rollback restores.'),
  canary: canary.nullable(),
  created_at: created.nullable(),
  updated_at: seconds.nullable(),
  version: version.nullable(),
};

export const organizationRoute = named('OrganizationRoute', z.object(summary));
export const wholeRoute = named(
  'OrganizationRouteWhole',
  z.object({
    ...summary,
    definition: z.looseObject({}).nullable().describe('The definition as in a file; `null` if it cannot be read.'),
    yaml: text.nullable().describe('The same as YAML, as it was typed if known.'),
  }),
);

/** The actor; `null` if unknown. */
export const madeBy = z
  .object({ type: z.enum(['session', 'api_key', 'operator']), id: text.nullable(), email: text.nullable() })
  .nullable();

const versionMembers = {
  id: text,
  object: z.literal('organization.route.version'),
  route_id: text,
  number: count.describe('Counts from 1.'),
  created_at: created,
  created_by: madeBy,
  note: text.nullable(),
  definition_version: DEFINITION_VERSION,
};
export const routeVersion = named('OrganizationRouteVersion', z.object(versionMembers));
export const wholeVersion = named(
  'OrganizationRouteVersionWhole',
  z.object({ ...versionMembers, definition: z.looseObject({}), yaml: text }),
);

/** A draft in a body: one of the two. */
export const draftMembers = {
  definition: z
    .looseObject({}, 'must be an object')
    .exactOptional()
    .describe('The definition of the route as in a file, in JSON; alternative to `yaml`.'),
  yaml: z
    .string('must be text')
    .max(MAX_DEFINITION, `must have at most ${MAX_DEFINITION} characters`)
    .exactOptional()
    .describe('The same as YAML: only the definition, or a complete configuration with it. Variables are not allowed.'),
};
export const routeIdText = z
  .string('must be text')
  .regex(MODEL_NAME, 'must be a name of 1 to 256 characters of ASCII, without spaces and *')
  .describe('The model name that callers send, such as `acme/fast`.');
export const noteText = nameText.nullish().describe('Reason, for people.');

type DraftBody = { definition?: Record<string, unknown>; yaml?: string };

/** Whether a body has one draft; `isNeeded`: none is not enough. */
export function hasOneDraft({ definition, yaml }: DraftBody, isNeeded: boolean): boolean {
  const given = Number(definition !== undefined) + Number(yaml !== undefined);
  return given === 1 || (given === 0 && !isNeeded);
}

/** The fault of a body with no draft or two, at one of its members. */
export const oneDraft = (error = 'or `yaml` must be given, but not both') => ({ error, path: ['definition'] });

export function draftOf(id: string, { definition, yaml }: DraftBody): RouteDraft {
  return { id, text: yaml ?? JSON.stringify(definition), file: null, isTyped: yaml !== undefined };
}

export const routeCheck = named(
  'OrganizationRouteCheck',
  z.object({
    object: z.literal('organization.route.check'),
    valid: flag,
    problems: z.array(
      z.object({
        path: text.describe('The member of the definition; empty for the whole.'),
        message: text,
        line: count.nullable().describe('In `yaml`, from 1.'),
        column: count.nullable(),
      }),
    ),
    definition_version: DEFINITION_VERSION.nullable(),
    definition: z.looseObject({}).nullable().describe('The draft as JSON; `null` if it has a problem.'),
    unserved: z.array(z.object({ model: text, detail: text })).describe('Targets that no provider serves.'),
    unasked: z.array(text).describe('Providers that did not list their models.'),
  }),
);

/** Lines have no meaning if no text was typed. */
export function problemJson({ path, message, line, column }: DraftProblem, isTyped: boolean) {
  return { path, message, line: isTyped ? line : null, column: isTyped ? column : null };
}

export function routeJson({ known, setting, hidesStored }: AdministeredRoute, file: string | null) {
  const { id, from, line, route, problem } = known;
  return {
    id,
    object: 'organization.route' as const,
    from,
    set_in: from === 'file' && file !== null ? { file, line } : null,
    hides_stored: hidesStored,
    name: route?.name ?? null,
    origin: route?.origin ?? null,
    strategy: route?.strategy.map(({ kind }) => kind) ?? [],
    targets: route?.targets.map(({ model }) => model) ?? [],
    fallbacks: route?.fallbacks.map(({ model }) => model) ?? [],
    problem,
    definition_version: route?.version ?? null,
    ...stateJson(setting),
  };
}

function stateJson(setting: Setting<'route'> | null) {
  const state = setting?.value ?? null;
  return {
    version_in_force: state?.inForce ?? null,
    version_before: state?.before ?? null,
    canary: state?.canary == null ? null : { version_id: state.canary.versionId, share: state.canary.share },
    created_at: inSecondsOrNull(setting?.createdAt ?? null),
    updated_at: inSecondsOrNull(state?.updatedAt ?? null),
    version: setting?.version ?? null,
  };
}

/** @param typed - the definition in force as it was typed, if known */
export function wholeRouteJson(
  route: AdministeredRoute,
  book: RouteBook,
  typed: string | null,
): Written<typeof wholeRoute> {
  const { definition } = route.known;
  const isReadable = isJson(definition);
  return {
    ...routeJson(route, book.file),
    definition: isReadable ? (parseJson(definition) as Record<string, unknown>) : null,
    yaml: isReadable ? (typed ?? book.yamlOf(definition)) : null,
  };
}

/** Earlier versions, or manual changes, may have stored anything. */
function isJson(text: string): boolean {
  try {
    parseJson(text);
    return true;
  } catch {
    return false;
  }
}

export function versionJson({ id, parentId, createdAt, value }: Setting<'route_version'>) {
  return {
    id,
    object: 'organization.route.version' as const,
    route_id: parentId!,
    number: value.number,
    created_at: inSeconds(createdAt),
    created_by: value.by === null ? null : actorJson(value.by),
    note: value.note,
    definition_version: value.version,
  };
}

export function wholeVersionJson(kept: Setting<'route_version'>, book: RouteBook): Written<typeof wholeVersion> {
  const { definition, yaml } = kept.value;
  return {
    ...versionJson(kept),
    definition: parseJson(definition) as Record<string, unknown>,
    yaml: yaml ?? book.yamlOf(definition),
  };
}

export function actorJson(actor: Actor) {
  if (actor.type === 'session') return { type: actor.type, id: actor.userId, email: actor.email };
  return { type: actor.type, id: actor.type === 'api_key' ? actor.keyId : null, email: null };
}
