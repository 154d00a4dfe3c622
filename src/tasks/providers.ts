import { Secret } from '../core/secret.ts';
import type { Administration } from '../organization/administration.ts';
import {
  addCredential,
  deleteCredential,
  rewrapCredentials,
  updateCredential,
} from '../organization/providers/credentials.ts';
import {
  createProvider,
  deleteProvider,
  type KnownProvider,
  listProviders,
  type ProviderDefinition,
  type ProviderRules,
} from '../organization/providers/service.ts';
import { type TestOutcome, testProvider, type WantedTest } from '../organization/providers/trial.ts';
import { operatorAtWork } from './administration.ts';
import type { Task, TaskServices } from './task.ts';

/** A key that was passed to a command; the answer has only its last characters. */
export type TypedKey = { name: string; weight: number; key: string };

/** The visible part of a provider. `setIn`: where it is changed; `null` for here. */
export type ListedProvider = {
  id: string;
  label: string;
  address: string;
  off: string | null;
  setIn: string | null;
  credentials: readonly { id: string | null; name: string; weight: number; hint: string }[];
};

export const listProvidersTask: Task<Record<never, never>, ListedProvider[]> = {
  name: 'providers.list',
  ofNothing: ({ providers }) =>
    providers
      .rules({ organizations: { list: async () => [], create: async () => undefined } })
      .ofFile()
      .map((each) => shown({ ...each, setting: null })),
  async run(services) {
    const { admin, rules } = await atWork(services);
    return (await listProviders(admin, rules)).map(shown);
  },
};

export const addProviderTask: Task<
  { id: string; definition: ProviderDefinition; keys: readonly TypedKey[] },
  ListedProvider
> = {
  name: 'providers.add',
  async run(services, { id, definition, keys }) {
    const { admin, rules } = await atWork(services);
    return shown(await createProvider(admin, rules, { id, definition, credentials: keys.map(secretOf) }));
  },
};

export const removeProviderTask: Task<{ id: string }, null> = {
  name: 'providers.remove',
  async run(services, { id }) {
    const { admin, rules } = await atWork(services);
    await deleteProvider(admin, rules, id);
    return null;
  },
};

export const testProviderTask: Task<WantedTest, TestOutcome> = {
  name: 'providers.test',
  async run(services, wanted) {
    const { admin, rules } = await atWork(services);
    return testProvider(admin, { rules, tryOut: services.providers.tryOut }, wanted);
  },
};

export const addProviderKeyTask: Task<{ providerId: string; given: TypedKey }, { id: string; hint: string }> = {
  name: 'provider-keys.add',
  async run(services, { providerId, given }) {
    const { admin, rules } = await atWork(services);
    const { id, hint } = await addCredential(admin, rules, { providerId, given: secretOf(given) });
    return { id, hint };
  },
};

/** `named`: the credential's name, which is unique in its provider, or its id. */
type NamedKey = { providerId: string; named: string };

export const removeProviderKeyTask: Task<NamedKey, null> = {
  name: 'provider-keys.remove',
  async run(services, { providerId, named }) {
    const { admin, rules } = await atWork(services);
    await deleteCredential(admin, rules, { providerId, id: await credentialId(admin, { providerId, named }) });
    return null;
  },
};

/** Members that are left out of an edit keep their value. */
export const editProviderKeyTask: Task<
  NamedKey & { edit: Partial<TypedKey> },
  { id: string; name: string; weight: number; hint: string }
> = {
  name: 'provider-keys.edit',
  async run(services, { providerId, named, edit: { key, ...same } }) {
    const { admin, rules } = await atWork(services);
    const id = await credentialId(admin, { providerId, named });
    const edit = { ...same, ...(key !== undefined && { key: new Secret(key) }) };
    const { name, weight, hint } = await updateCredential(admin, rules, { providerId, id, edit });
    return { id, name, weight, hint };
  },
};

async function credentialId(admin: Administration, { providerId, named }: NamedKey): Promise<string> {
  const kept = await admin.settings.find(admin.by.organizationId, 'provider', providerId);
  return kept?.value.credentials.find(({ name }) => name === named)?.id ?? named;
}

/** Encrypts all keys of providers under another wrapping key. The answer has their number. */
export const rewrapTask: Task<Record<never, never>, { count: number; isGiven: boolean }> = {
  name: 'providers.rewrap',
  async run(services) {
    const { admin, rules } = await atWork(services);
    return { count: await rewrapCredentials(admin, rules), isGiven: rules.wrapping.areFromEnvironment };
  },
};

async function atWork(services: TaskServices): Promise<{
  admin: Administration;
  rules: ProviderRules;
}> {
  return { admin: await operatorAtWork(services, null), rules: services.providers.rules(services.storage) };
}

function secretOf({ key, ...rest }: TypedKey) {
  return { ...rest, key: new Secret(key) };
}

function shown(provider: KnownProvider): ListedProvider {
  const { id, label, address, off, setting, place } = provider;
  const credentials =
    setting === null
      ? provider.credentials.map((each) => ({ ...each, id: null }))
      : setting.value.credentials.map(({ id: own, name, weight, hint }) => ({ id: own, name, weight, hint }));
  const line = place?.line == null ? '' : `, line ${place.line}`;
  const setIn = setting !== null ? null : place === null ? 'the environment' : `${place.file}${line}`;
  return { id, label, address, off, setIn, credentials };
}
