import { z } from 'zod';
import { cursorQuery, pageJson, pageOf } from '../../api/fields.ts';
import { operation } from '../../api/operation.ts';
import { count, flag, named, text } from '../../api/schema.ts';
import { GatewayError } from '../../core/errors.ts';
import { atWork } from '../parts.ts';
import { resource } from '../resource.ts';
import { listModelAccess, MAX_REFUSED_KEYS, type ModelAccess } from './service.ts';

const modelAccess = named(
  'ModelAccess',
  z.object({
    id: text.describe('The project’s.'),
    object: z.literal('organization.model_access'),
    name: text,
    permitted: flag.describe('According to the project’s models; a key may be limited further.'),
    api_keys: z
      .object({
        total: count.describe('Its enabled keys.'),
        permitted: count.describe('Those of them that may use it.'),
        refused: z
          .array(z.object({ id: text, name: text }))
          .describe(`Those that may not, at most ${MAX_REFUSED_KEYS}. Empty if the project may not.`),
      })
      .nullable()
      .describe('`null` if the caller may not read keys.'),
  }),
);

export const LIST_MODEL_ACCESS = operation('listModelAccess', 'GET /v1/organization/models/{model_id}/access', {
  client: 'settings.models.access',
  tag: 'Organization',
  summary: 'List the projects with whether they, and how many of their keys, may use a model.',
  description: 'The model’s name in calls, or an alias; slashes are written `%2F`. Archived projects are left out.',
  access: { permission: 'api.limits.read' },
  query: cursorQuery({ limit: 20, max: 100 }),
  answer: { description: 'A page of projects.', schema: pageOf('ModelAccessList', modelAccess) },
});

export const MODEL_ACCESS_OPERATIONS = resource([
  LIST_MODEL_ACCESS.handledBy(async ({ administrator, path, query }, parts) => {
    const name = path.model_id;
    const names = parts.directory();
    const entry = names.find(name);
    if (entry === undefined)
      throw new GatewayError('not_found', `There is no model \`${name.slice(0, 200)}\`.`, { param: 'model_id' });
    const seesKeys = administrator.permissions.has('api.keys.read');
    const page = await listModelAccess(atWork(parts, administrator), { entry, name, names }, query);
    return pageJson(page, (access) => accessJson(access, seesKeys));
  }),
]);

function accessJson({ id, name, isPermitted, keys, permittedKeys, refusedKeys }: ModelAccess, seesKeys: boolean) {
  return {
    id,
    object: 'organization.model_access' as const,
    name,
    permitted: isPermitted,
    api_keys: seesKeys
      ? {
          total: keys,
          permitted: permittedKeys,
          refused: refusedKeys.map(({ id: keyId, name: keyName }) => ({ id: keyId, name: keyName })),
        }
      : null,
  };
}
