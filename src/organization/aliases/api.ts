import { z } from 'zod';
import {
  created,
  cursorQuery,
  deletedOf,
  ifVersion,
  inSecondsOrNull,
  origin,
  pageJson,
  pageOf,
  setInPlace,
  version,
} from '../../api/fields.ts';
import { operation } from '../../api/operation.ts';
import { named, seconds, text, type Written } from '../../api/schema.ts';
import { slicePage } from '../pages.ts';
import { atWork } from '../parts.ts';
import { resource } from '../resource.ts';
import { routeIdText } from '../routes/schemas.ts';
import { createAlias, deleteAlias, findAlias, type KnownAlias, listAliases, updateAlias } from './service.ts';

const OWN =
  'Aliases belong to the gateway: its first organization manages them, and all may call them. Slashes in an id are encoded as `%2F`.';
const tag = 'Organization';
const READ = { permission: 'api.aliases.read' } as const;
const WRITE = { permission: 'api.aliases.write' } as const;
const ONE = '/v1/organization/aliases/{alias_id}';
const DELETED = 'organization.alias.deleted';

const alias = named(
  'Alias',
  z.object({
    id: text.describe('The model name that callers send.'),
    object: z.literal('organization.alias'),
    target: text.describe('A model, a route, or another alias.'),
    leads_to: text.nullable().describe('The model or route that it leads to now; `null` if there is none.'),
    off: text.nullable().describe('Why it is not in force: the file has an alias or a route with its name.'),
    origin,
    set_in: setInPlace,
    created_at: created.nullable(),
    updated_at: seconds.nullable(),
    version: version.nullable(),
  }),
);

const target = routeIdText.describe('The name of a model, a route, or another alias.');

export const LIST_ALIASES = operation('listAliases', 'GET /v1/organization/aliases', {
  client: 'settings.aliases.list',
  tag,
  summary: 'List the aliases of the configuration file, where they are changed, and of the settings, by name.',
  description: OWN,
  access: READ,
  query: cursorQuery({ limit: 20, max: 100 }),
  answer: { description: 'A page of aliases.', schema: pageOf('AliasList', alias) },
});

export const CREATE_ALIAS = operation('createAlias', 'POST /v1/organization/aliases', {
  client: 'settings.aliases.create',
  tag,
  summary: 'Give a model or a route another name, which calls may use within a second.',
  description: OWN,
  access: WRITE,
  body: { schema: named('AliasRequest', z.strictObject({ id: routeIdText, target })) },
  answer: { description: 'The alias.', schema: alias },
  errors: ['conflict'],
});

export const RETRIEVE_ALIAS = operation('retrieveAlias', `GET ${ONE}`, {
  client: 'settings.aliases.retrieve',
  tag,
  summary: 'Get an alias with its target.',
  access: READ,
  answer: { description: 'The alias.', schema: alias },
});

export const UPDATE_ALIAS = operation('updateAlias', `POST ${ONE}`, {
  client: 'settings.aliases.update',
  tag,
  summary: 'Change the target of an alias.',
  access: WRITE,
  body: { schema: named('AliasUpdate', z.strictObject({ target, if_version: ifVersion })) },
  answer: { description: 'The alias.', schema: alias },
  errors: ['conflict'],
});

export const DELETE_ALIAS = operation('deleteAlias', `DELETE ${ONE}`, {
  client: 'settings.aliases.delete',
  tag,
  summary: 'Delete an alias: calls cannot name it any more within a second.',
  access: WRITE,
  answer: { description: 'It was deleted.', schema: deletedOf('AliasDeleted', DELETED) },
});

export const ALIAS_OPERATIONS = resource([
  LIST_ALIASES.handledBy(async ({ administrator, query }, parts) =>
    pageJson(slicePage(await listAliases(atWork(parts, administrator), parts.nameRules), query), aliasJson),
  ),
  CREATE_ALIAS.handledBy(async ({ administrator, body }, parts) => {
    const admin = atWork(parts, administrator);
    await createAlias(admin, parts.nameRules, body);
    return aliasJson(await findAlias(admin, parts.nameRules, body.id));
  }),
  RETRIEVE_ALIAS.handledBy(async ({ administrator, path }, parts) =>
    aliasJson(await findAlias(atWork(parts, administrator), parts.nameRules, path.alias_id)),
  ),
  UPDATE_ALIAS.handledBy(async ({ administrator, path, body }, parts) => {
    const admin = atWork(parts, administrator);
    const id = path.alias_id;
    await updateAlias(admin, parts.nameRules, { id, target: body.target, ifVersion: body.if_version });
    return aliasJson(await findAlias(admin, parts.nameRules, id));
  }),
  DELETE_ALIAS.handledBy(async ({ administrator, path }, parts) => {
    const id = path.alias_id;
    await deleteAlias(atWork(parts, administrator), parts.nameRules, id);
    return { id, object: DELETED, deleted: true };
  }),
]);

function aliasJson(known: KnownAlias): Written<typeof alias> {
  const { id, leadsTo, off, setting, place } = known;
  return {
    id,
    object: 'organization.alias',
    target: known.target,
    leads_to: leadsTo,
    off,
    origin: setting === null ? 'file' : 'settings',
    set_in: place,
    created_at: inSecondsOrNull(setting?.createdAt ?? null),
    updated_at: inSecondsOrNull(setting?.value.updatedAt ?? null),
    version: setting?.version ?? null,
  };
}
