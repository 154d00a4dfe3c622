import { z } from 'zod';
import { created, ifVersion, inSeconds, nameText, setInPlace, version } from '../../api/fields.ts';
import { operation } from '../../api/operation.ts';
import { count, listOf, named, text } from '../../api/schema.ts';
import type { Administrator } from '../../core/administrator.ts';
import type { ConfigSetting } from '../../core/config-setting.ts';
import type { OrganizationStore } from '../../core/ports.ts';
import type { SetIn } from '../beside-file.ts';
import { demandFirstOrganization } from '../organizations.ts';
import { atWork, type SettingsParts } from '../parts.ts';
import { resource } from '../resource.ts';
import {
  findOwnOrganization,
  type OrganizationAdministration,
  type OwnOrganization,
  renameOrganization,
} from './service.ts';

/** What operations on an organization itself need. */
export type GatewayServing = {
  organizations: Pick<OrganizationStore, 'list'>;
  /** The name of the configuration file; `null` if there is none. */
  file(): string | null;
  nameSetIn(organizationId: string): SetIn | null;
  configuration(): readonly ConfigSetting[];
  about(): { version: string; node: string; storage: { kind: string; bytes: number; schemaVersion: number } };
};

const READ = { permission: 'api.settings.read' } as const;
const tag = 'Organization';

const organization = named(
  'Organization',
  z.object({
    id: text,
    object: z.literal('organization'),
    name: text,
    name_set_in: setInPlace,
    created_at: created,
    version,
  }),
);

export const RETRIEVE_ORGANIZATION = operation('retrieveOrganization', 'GET /v1/organization', {
  client: 'settings.retrieve',
  tag,
  summary: 'Get the organization.',
  access: READ,
  answer: { description: 'The organization.', schema: organization },
});

export const UPDATE_ORGANIZATION = operation('updateOrganization', 'POST /v1/organization', {
  client: 'settings.update',
  tag,
  summary: 'Rename the organization.',
  access: { permission: 'api.settings.write' },
  body: { schema: named('OrganizationUpdate', z.strictObject({ name: nameText, if_version: ifVersion })) },
  answer: { description: 'The organization.', schema: organization },
});

const configurationSetting = named(
  'ConfigurationSetting',
  z.object({
    object: z.literal('organization.configuration_setting'),
    name: text.describe('Its name in the file: `limits.max_body`.'),
    value: z.unknown().describe('As in the file; variables are shown by name.'),
    from: z.enum(['file', 'environment', 'default']),
    set_in: setInPlace,
    description: text,
  }),
);

export const LIST_CONFIGURATION = operation('listConfiguration', 'GET /v1/organization/configuration', {
  client: 'settings.configuration',
  tag,
  summary: 'List the gateway’s settings and where each is set.',
  description: 'For the gateway’s first organization. They are changed in the file. Possible secrets are left out.',
  access: READ,
  answer: {
    description: 'The settings in force.',
    schema: named('ConfigurationList', listOf(configurationSetting)),
  },
});

export const RETRIEVE_ABOUT = operation('retrieveAbout', 'GET /v1/organization/about', {
  client: 'settings.about',
  tag,
  summary: 'Get versions and facts of the running gateway.',
  access: READ,
  answer: {
    description: 'The gateway.',
    schema: named(
      'About',
      z.object({
        object: z.literal('organization.about'),
        version: text.describe('Of Headgate.'),
        node: text.describe('Of Node.js.'),
        uptime_seconds: count,
        workers: count.describe('Number of serving processes.'),
        storage: z.object({
          kind: text,
          bytes: count.describe('On disk.'),
          schema_version: count,
        }),
      }),
    ),
  },
});

export const OWN_ORGANIZATION_OPERATIONS = resource([
  RETRIEVE_ORGANIZATION.handledBy(async ({ administrator }, parts) =>
    organizationJson(await findOwnOrganization(organizationAtWork(parts, administrator))),
  ),
  UPDATE_ORGANIZATION.handledBy(async ({ administrator, body: { name, if_version } }, parts) =>
    organizationJson(await renameOrganization(organizationAtWork(parts, administrator), name, if_version)),
  ),
  LIST_CONFIGURATION.handledBy(async ({ administrator }, parts) => {
    const { gateway } = parts;
    await demandFirstOrganization(organizationAtWork(parts, administrator));
    const file = gateway.file();
    const data = gateway.configuration().map(({ line, ...setting }) => ({
      object: 'organization.configuration_setting' as const,
      ...setting,
      set_in: file === null || line === null ? null : { file, line },
    }));
    return { object: 'list', data };
  }),
  RETRIEVE_ABOUT.handledBy(async (_, parts) => {
    const { version: ofHeadgate, node, storage } = parts.gateway.about();
    const { uptimeMs, workers } = await parts.providers.status();
    return {
      object: 'organization.about',
      version: ofHeadgate,
      node,
      uptime_seconds: Math.floor(uptimeMs / 1000),
      workers,
      storage: { kind: storage.kind, bytes: storage.bytes, schema_version: storage.schemaVersion },
    };
  }),
]);

function organizationAtWork(parts: SettingsParts, by: Administrator): OrganizationAdministration {
  const { organizations, nameSetIn } = parts.gateway;
  return { ...atWork(parts, by), organizations, nameSetIn };
}

function organizationJson({ organization: { id, name, createdAt }, version: current, setIn: place }: OwnOrganization) {
  return {
    id,
    object: 'organization' as const,
    name,
    name_set_in: place,
    created_at: inSeconds(createdAt),
    version: current,
  };
}
