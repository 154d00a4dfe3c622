import { z } from 'zod';
import { ifVersionOrNone, versionOrNone } from '../../api/fields.ts';
import { operation } from '../../api/operation.ts';
import { named } from '../../api/schema.ts';
import { atWork } from '../parts.ts';
import { resource } from '../resource.ts';
import { findRetention, setRetention } from './service.ts';

const TYPES = [
  'zero_data_retention',
  'modified_abuse_monitoring',
  'enhanced_zero_data_retention',
  'enhanced_modified_abuse_monitoring',
] as const;
const OF_PROJECTS = ['organization_default', 'none', ...TYPES] as const;

/** A gateway stores no content. */
const ABOUT =
  'Stored and returned. The gateway itself never stores the content of calls; retention at a vendor is agreed with that vendor.';

const ofOrganization = named(
  'OrganizationDataRetention',
  z.object({ object: z.literal('organization.data_retention'), type: z.enum(TYPES), version: versionOrNone }),
);
const ofProject = named(
  'ProjectDataRetention',
  z.object({ object: z.literal('project.data_retention'), type: z.enum(OF_PROJECTS), version: versionOrNone }),
);

const reading = { tag: 'Organization', description: ABOUT, access: { permission: 'api.settings.read' } } as const;
const writing = { tag: 'Organization', description: ABOUT, access: { permission: 'api.settings.write' } } as const;
const PROJECT = '/v1/organization/projects/{project_id}/data_retention';

export const GET_RETENTION = operation('retrieveDataRetention', 'GET /v1/organization/data_retention', {
  ...reading,
  summary: 'Get the data retention setting.',
  answer: { description: 'The setting.', schema: ofOrganization },
});

export const SET_RETENTION = operation('updateDataRetention', 'POST /v1/organization/data_retention', {
  ...writing,
  summary: 'Set the data retention.',
  body: {
    schema: named(
      'DataRetentionRequest',
      z.strictObject({
        retention_type: z.enum(TYPES, `must be one of ${TYPES.join(', ')}`),
        if_version: ifVersionOrNone,
      }),
    ),
  },
  answer: { description: 'The setting.', schema: ofOrganization },
  errors: ['conflict'],
});

export const GET_PROJECT_RETENTION = operation('retrieveProjectDataRetention', `GET ${PROJECT}`, {
  ...reading,
  summary: 'Get the data retention setting of a project.',
  answer: { description: 'The setting.', schema: ofProject },
});

export const SET_PROJECT_RETENTION = operation('updateProjectDataRetention', `POST ${PROJECT}`, {
  ...writing,
  summary: 'Set the data retention of a project.',
  body: {
    schema: named(
      'ProjectDataRetentionRequest',
      z.strictObject({
        retention_type: z.enum(OF_PROJECTS, `must be one of ${OF_PROJECTS.join(', ')}`),
        if_version: ifVersionOrNone,
      }),
    ),
  },
  answer: { description: 'The setting.', schema: ofProject },
  errors: ['conflict'],
});

const OBJECT = 'organization.data_retention';
const OBJECT_OF_PROJECT = 'project.data_retention';

export const RETENTION_OPERATIONS = resource([
  GET_RETENTION.handledBy(async ({ administrator }, parts) => {
    const { type, ...said } = await findRetention(atWork(parts, administrator), null);
    return { object: OBJECT, type: TYPES.find((each) => each === type) ?? TYPES[0], ...said };
  }),
  SET_RETENTION.handledBy(async ({ administrator, body: { retention_type: type, if_version: ifVersion } }, parts) => {
    const version = await setRetention(atWork(parts, administrator), null, { type, ifVersion });
    return { object: OBJECT, type, version };
  }),
  GET_PROJECT_RETENTION.handledBy(async ({ administrator, path }, parts) => {
    const { type, ...said } = await findRetention(atWork(parts, administrator), path.project_id);
    const known = OF_PROJECTS.find((each) => each === type) ?? 'organization_default';
    return { object: OBJECT_OF_PROJECT, type: known, ...said };
  }),
  SET_PROJECT_RETENTION.handledBy(async ({ administrator, path, body }, parts) => {
    const wanted = { type: body.retention_type, ifVersion: body.if_version };
    const version = await setRetention(atWork(parts, administrator), path.project_id, wanted);
    return { object: OBJECT_OF_PROJECT, type: body.retention_type, version };
  }),
]);
