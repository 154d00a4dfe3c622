import { z } from 'zod';
import {
  ifVersion,
  ifVersionOrNone,
  modelText,
  pageJson,
  pageOf,
  pageQuery,
  version,
  versionOrNone,
} from '../../api/fields.ts';
import { operation } from '../../api/operation.ts';
import { named, text } from '../../api/schema.ts';
import { GatewayError } from '../../core/errors.ts';
import { listedNameFault } from '../../core/model-name.ts';
import type { Setting } from '../../core/settings.ts';
import { MAX_ALLOWED_MODELS, MAX_PER_MINUTE } from '../../keys/keys.ts';
import { invalid, UNSET } from '../administration.ts';
import { slicePage } from '../pages.ts';
import { atWork, type SettingsParts } from '../parts.ts';
import { resource } from '../resource.ts';
import { findModelPermissions, rateLimitId, setModelPermissions, setRateLimits, updateRateLimit } from './service.ts';

const MODES = ['allow_list', 'deny_list'] as const;
const BASE = '/v1/organization/projects/{project_id}';
const PERMISSIONS_DELETED = 'project.model_permissions.deleted';

const modelPermissions = named(
  'ModelPermissions',
  z.object({
    object: z.literal('project.model_permissions'),
    mode: z.enum(MODES),
    model_ids: z.array(text),
    version: version.describe('The version of the project, which also grows with its other changes; see `if_version`.'),
  }),
);

export const GET_MODEL_PERMISSIONS = operation('retrieveModelPermissions', `GET ${BASE}/model_permissions`, {
  tag: 'Organization',
  summary: 'Get the models that a project may use.',
  description: 'Where nothing was set, no model is denied.',
  access: { permission: 'api.limits.read' },
  answer: { description: 'The models.', schema: modelPermissions },
});

export const SET_MODEL_PERMISSIONS = operation('updateModelPermissions', `POST ${BASE}/model_permissions`, {
  tag: 'Organization',
  summary: 'Set the models that a project may or may not use.',
  access: { permission: 'api.limits.write' },
  body: {
    schema: named(
      'ModelPermissionsRequest',
      z.strictObject({
        mode: z.enum(MODES, `must be one of ${MODES.join(', ')}`),
        model_ids: z
          .array(modelText, 'must be a list')
          .max(MAX_ALLOWED_MODELS, `must name at most ${MAX_ALLOWED_MODELS} models`),
        if_version: ifVersion,
      }),
    ),
  },
  answer: { description: 'The models.', schema: modelPermissions },
  errors: ['conflict'],
});

export const DELETE_MODEL_PERMISSIONS = operation('deleteModelPermissions', `DELETE ${BASE}/model_permissions`, {
  tag: 'Organization',
  summary: 'Let a project use every model again.',
  access: { permission: 'api.limits.write' },
  answer: {
    description: 'The deleted object.',
    schema: named(
      'ModelPermissionsDeleted',
      z.object({ object: z.literal(PERMISSIONS_DELETED), deleted: z.literal(true) }),
    ),
  },
});

const perMinute = z
  .int('must be a whole number')
  .min(1, 'must be greater than 0')
  .max(MAX_PER_MINUTE, `must be at most ${MAX_PER_MINUTE}`);
/** OpenAI's limits that have no effect here. */
const KEPT = [
  'max_requests_per_1_day',
  'max_images_per_1_minute',
  'max_audio_megabytes_per_1_minute',
  'batch_1_day_max_input_tokens',
] as const;
const kept = z.int('must be a whole number').min(0, 'must be at least 0').exactOptional();

const rateLimit = named(
  'ProjectRateLimit',
  z
    .object({
      id: text,
      object: z.literal('project.rate_limit'),
      model: text,
      max_requests_per_1_minute: z.int(),
      max_tokens_per_1_minute: z.int(),
      version: versionOrNone,
    })
    .extend(Object.fromEntries(KEPT.map((name) => [name, kept])) as Record<(typeof KEPT)[number], typeof kept>),
);

export const LIST_RATE_LIMITS = operation('listProjectRateLimits', `GET ${BASE}/rate_limits`, {
  tag: 'Organization',
  summary: 'List the rate limits of each model in a project.',
  description: 'Where nothing was set for a model, the limits of the configuration are shown, which hold for each key.',
  access: { permission: 'api.limits.read' },
  query: pageQuery({ limit: 100, max: 100 }),
  answer: { description: 'A page of limits, by model.', schema: pageOf('ProjectRateLimitList', rateLimit) },
});

export const UPDATE_RATE_LIMIT = operation('updateProjectRateLimit', `POST ${BASE}/rate_limits/{rate_limit_id}`, {
  tag: 'Organization',
  summary: 'Set the rate limits of a model in a project, for all its keys together.',
  access: { permission: 'api.limits.write' },
  body: {
    schema: named(
      'ProjectRateLimitRequest',
      z
        .strictObject({
          max_requests_per_1_minute: perMinute.exactOptional(),
          max_tokens_per_1_minute: perMinute.exactOptional(),
          if_version: ifVersionOrNone,
        })
        .extend(Object.fromEntries(KEPT.map((name) => [name, kept])) as Record<(typeof KEPT)[number], typeof kept>),
    ),
  },
  answer: { description: 'The limits.', schema: rateLimit },
  errors: ['conflict'],
});

export const PROJECT_LIMIT_OPERATIONS = resource([
  GET_MODEL_PERMISSIONS.handledBy(async ({ administrator, path }, parts) =>
    modelsJson(await findModelPermissions(atWork(parts, administrator), path.project_id)),
  ),
  SET_MODEL_PERMISSIONS.handledBy(async ({ administrator, path, body }, parts) => {
    const models = { mode: body.mode, ids: body.model_ids };
    const admin = atWork(parts, administrator);
    return modelsJson(await setModelPermissions(admin, path.project_id, models, body.if_version));
  }),
  DELETE_MODEL_PERMISSIONS.handledBy(async ({ administrator, path }, parts) => {
    await setModelPermissions(atWork(parts, administrator), path.project_id, null);
    return { object: PERMISSIONS_DELETED, deleted: true };
  }),
  LIST_RATE_LIMITS.handledBy(async ({ administrator, path, query }, parts) => {
    const set = await setRateLimits(atWork(parts, administrator), path.project_id);
    const bySetting = new Map(set.map((each) => [each.value.model, each]));
    const names = [...new Set([...parts.modelNames(), ...bySetting.keys()])].sort();
    const page = slicePage(
      names.map((model) => ({ id: rateLimitId(model), model })),
      query,
    );
    return pageJson(page, ({ model }) => rateLimitJson(bySetting.get(model) ?? unset(model), parts));
  }),
  UPDATE_RATE_LIMIT.handledBy(async ({ administrator, path, body }, parts) => {
    const model = modelOf(path.rate_limit_id);
    const { max_requests_per_1_minute: requests, max_tokens_per_1_minute: tokens, ...rest } = body;
    const { if_version: wanted, ...others } = rest;
    const edit = {
      ...(requests !== undefined && { requestsPerMinute: requests }),
      ...(tokens !== undefined && { tokensPerMinute: tokens }),
      kept: others,
    };
    const which = { projectId: path.project_id, model, ifVersion: wanted };
    return rateLimitJson(await updateRateLimit(atWork(parts, administrator), which, edit), parts);
  }),
]);

function modelsJson({ value, version: number }: Setting<'project'>) {
  const { mode, ids } = value.models ?? { mode: 'deny_list' as const, ids: [] };
  return { object: 'project.model_permissions' as const, mode, model_ids: ids, version: number };
}

function unset(model: string): KeptRateLimit {
  return { ...UNSET, value: { model, requestsPerMinute: null, tokensPerMinute: null, kept: {} } };
}

function modelOf(id: string): string {
  const prefix = rateLimitId('');
  const model = id.startsWith(prefix) ? id.slice(prefix.length) : '';
  const fault = listedNameFault(model);
  if (fault !== null) throw invalid('rate_limit_id', fault);
  if (model !== '') return model;
  throw new GatewayError('not_found', `There is no rate limit with this id. Ids are \`${prefix}\` and a model’s name.`);
}

type KeptRateLimit = Pick<Setting<'rate_limit'>, 'value' | 'version'>;

function rateLimitJson({ value, version: number }: KeptRateLimit, parts: SettingsParts) {
  const { model, requestsPerMinute, tokensPerMinute, kept: others } = value;
  const defaults = parts.defaultLimits();
  return {
    id: rateLimitId(model),
    object: 'project.rate_limit' as const,
    model,
    max_requests_per_1_minute: requestsPerMinute ?? defaults.requestsPerMinute,
    max_tokens_per_1_minute: tokensPerMinute ?? defaults.tokensPerMinute,
    version: number,
    ...others,
  };
}
