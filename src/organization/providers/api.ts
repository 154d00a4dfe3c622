import { deletedOf, pageJson, pageOf, pageQuery } from '../../api/fields.ts';
import { operation } from '../../api/operation.ts';
import { listOf, named } from '../../api/schema.ts';
import { Secret } from '../../core/secret.ts';
import { slicePage } from '../pages.ts';
import { atWork, type SettingsParts } from '../parts.ts';
import { resource } from '../resource.ts';
import { addCredential, deleteCredential, updateCredential } from './credentials.ts';
import { credentialJson, type ProviderState, providerJson } from './json.ts';
import {
  CREDENTIAL_REQUEST,
  CREDENTIAL_UPDATE,
  MEMBERS,
  PRESET,
  PROVIDER,
  PROVIDER_CREDENTIAL,
  PROVIDER_REQUEST,
  PROVIDER_TEST,
  PROVIDER_TEST_REQUEST,
  PROVIDER_UPDATE,
} from './schemas.ts';
import {
  createProvider,
  deleteProvider,
  findProvider,
  type KnownProvider,
  listProviders,
  updateProvider,
} from './service.ts';
import { testProvider } from './trial.ts';

const READ = { permission: 'api.providers.read' } as const;
/** Keys of vendors are worth money, so setting them needs a recent sign-in. */
const GRAVE = { permission: 'api.providers.write', grave: true } as const;
const tag = 'Organization';

export const LIST_PROVIDERS = operation('listProviders', 'GET /v1/organization/providers', {
  client: 'settings.providers.list',
  tag,
  summary: 'List the providers by id: those of the configuration file, where they are changed, and others.',
  access: READ,
  query: pageQuery(),
  answer: { description: 'A page of providers.', schema: pageOf('ProviderList', PROVIDER) },
});

export const LIST_PRESETS = operation('listProviderPresets', 'GET /v1/organization/provider_presets', {
  client: 'settings.providers.presets',
  tag,
  summary: 'List the known vendors. These need only a key.',
  access: READ,
  answer: { description: 'All presets.', schema: named('ProviderPresetList', listOf(PRESET)) },
});

export const CREATE_PROVIDER = operation('createProvider', 'POST /v1/organization/providers', {
  client: 'settings.providers.create',
  tag,
  summary: 'Add a provider. It can be called within a second.',
  access: GRAVE,
  body: { schema: PROVIDER_REQUEST },
  answer: { description: 'The provider.', schema: PROVIDER },
});

export const TEST_PROVIDER = operation('testProvider', 'POST /v1/organization/providers/test', {
  client: 'settings.providers.test',
  tag,
  summary: 'Test an existing, changed or new provider by asking for its models.',
  description: 'Nothing is stored, and vendors bill nothing.',
  access: GRAVE,
  body: { schema: PROVIDER_TEST_REQUEST },
  answer: { description: 'The answer.', schema: PROVIDER_TEST },
});

export const RETRIEVE_PROVIDER = operation('retrieveProvider', 'GET /v1/organization/providers/{provider_id}', {
  client: 'settings.providers.retrieve',
  tag,
  summary: 'Get a provider with its status.',
  access: READ,
  answer: { description: 'The provider.', schema: PROVIDER },
});

export const UPDATE_PROVIDER = operation('updateProvider', 'POST /v1/organization/providers/{provider_id}', {
  client: 'settings.providers.update',
  tag,
  summary: 'Change a provider.',
  access: GRAVE,
  body: { schema: PROVIDER_UPDATE },
  answer: { description: 'The provider.', schema: PROVIDER },
});

export const DELETE_PROVIDER = operation('deleteProvider', 'DELETE /v1/organization/providers/{provider_id}', {
  client: 'settings.providers.delete',
  tag,
  summary: 'Delete a provider with its keys: it cannot be called any more within a second.',
  access: GRAVE,
  answer: { description: 'It was deleted.', schema: deletedOf('ProviderDeleted', 'organization.provider.deleted') },
});

const OF_PROVIDER = '/v1/organization/providers/{provider_id}/credentials';

export const CREATE_CREDENTIAL = operation('createProviderCredential', `POST ${OF_PROVIDER}`, {
  client: 'settings.providers.credentials.create',
  tag,
  summary: 'Add a key to a provider.',
  access: GRAVE,
  body: { schema: CREDENTIAL_REQUEST },
  answer: { description: 'The credential.', schema: PROVIDER_CREDENTIAL },
});

export const UPDATE_CREDENTIAL = operation('updateProviderCredential', `POST ${OF_PROVIDER}/{credential_id}`, {
  client: 'settings.providers.credentials.update',
  tag,
  summary: 'Change a credential: its name, its share of the calls, or the key itself.',
  access: GRAVE,
  body: { schema: CREDENTIAL_UPDATE },
  answer: { description: 'The credential.', schema: PROVIDER_CREDENTIAL },
});

export const DELETE_CREDENTIAL = operation('deleteProviderCredential', `DELETE ${OF_PROVIDER}/{credential_id}`, {
  client: 'settings.providers.credentials.delete',
  tag,
  summary: 'Delete a key of a provider.',
  access: GRAVE,
  answer: {
    description: 'It was deleted.',
    schema: deletedOf('ProviderCredentialDeleted', 'organization.provider.credential.deleted'),
  },
});

export const PROVIDER_OPERATIONS = resource([
  LIST_PROVIDERS.handledBy(async ({ administrator, query }, parts) => {
    const page = slicePage(await listProviders(atWork(parts, administrator), parts.providers.rules), query);
    const state = await stateOf(parts);
    return pageJson(page, (each) => providerJson(each, state));
  }),
  LIST_PRESETS.handledBy((_, parts) => ({
    object: 'list' as const,
    data: parts.providers.presets.map((preset) => ({ ...preset, object: 'organization.provider_preset' as const })),
  })),
  CREATE_PROVIDER.handledBy(async ({ administrator, body }, parts) => {
    const { id, credentials = [], ...rest } = body;
    const wanted = { id, definition: definitionOf(rest), credentials: credentials.map(withSecret) };
    return shown(parts, await createProvider(atWork(parts, administrator), parts.providers.rules, wanted));
  }),
  TEST_PROVIDER.handledBy(async ({ administrator, body }, parts) => {
    const { provider_id: providerId, credential_id: credentialId, key, ...rest } = body;
    const wanted = { providerId, credentialId, key, definition: definitionOf(rest) };
    const outcome = await testProvider(atWork(parts, administrator), parts.providers, wanted);
    const { models, fault, tookMs } = outcome;
    return {
      object: 'organization.provider.test' as const,
      ok: fault === null,
      models,
      key: outcome.key,
      error: fault,
      took_ms: tookMs,
    };
  }),
  RETRIEVE_PROVIDER.handledBy(async ({ administrator, path }, parts) =>
    shown(parts, await findProvider(atWork(parts, administrator), parts.providers.rules, path.provider_id)),
  ),
  UPDATE_PROVIDER.handledBy(async ({ administrator, path, body }, parts) => {
    const { credentials, if_version: ifVersion, ...rest } = body;
    const given = credentials?.map(withSecret);
    const wanted = { id: path.provider_id, edit: definitionOf(rest), given, ifVersion };
    return shown(parts, await updateProvider(atWork(parts, administrator), parts.providers.rules, wanted));
  }),
  DELETE_PROVIDER.handledBy(async ({ administrator, path }, parts) => {
    await deleteProvider(atWork(parts, administrator), parts.providers.rules, path.provider_id);
    return { id: path.provider_id, object: 'organization.provider.deleted' as const, deleted: true as const };
  }),
  CREATE_CREDENTIAL.handledBy(async ({ administrator, path, body }, parts) => {
    const admin = atWork(parts, administrator);
    const { if_version: ifVersion, ...rest } = body;
    const providerId = path.provider_id;
    const { id } = await addCredential(admin, parts.providers.rules, {
      providerId,
      given: withSecret(rest),
      ifVersion,
    });
    return credentialJson(await findProvider(admin, parts.providers.rules, providerId), id, await stateOf(parts));
  }),
  UPDATE_CREDENTIAL.handledBy(async ({ administrator, path, body }, parts) => {
    const admin = atWork(parts, administrator);
    const { if_version: ifVersion, key, ...same } = body;
    const [providerId, id] = [path.provider_id, path.credential_id];
    const edit = { ...same, ...(key !== undefined && { key: new Secret(key) }) };
    await updateCredential(admin, parts.providers.rules, { providerId, id, edit, ifVersion });
    return credentialJson(await findProvider(admin, parts.providers.rules, providerId), id, await stateOf(parts));
  }),
  DELETE_CREDENTIAL.handledBy(async ({ administrator, path }, parts) => {
    const [providerId, id] = [path.provider_id, path.credential_id];
    await deleteCredential(atWork(parts, administrator), parts.providers.rules, { providerId, id });
    return { id, object: 'organization.provider.credential.deleted' as const, deleted: true as const };
  }),
]);

async function shown(parts: SettingsParts, provider: KnownProvider) {
  return providerJson(provider, await stateOf(parts));
}

async function stateOf({ providers, admin }: SettingsParts): Promise<ProviderState> {
  return { status: await providers.status(), models: providers.models(), now: admin.clock.now() };
}

/** Members of a body that define a provider. */
function definitionOf(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const given = MEMBERS.filter((name) => body[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, body[name]]));
}

function withSecret({ name, weight, key }: { name: string; weight: number; key: string }) {
  return { name, weight, key: new Secret(key) };
}
