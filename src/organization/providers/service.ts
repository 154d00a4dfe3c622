import type { OrganizationStore } from '../../core/ports.ts';
import { withStoredTextPrintable } from '../../core/printable-text.ts';
import type { Setting, StoredProvider } from '../../core/settings.ts';
import { seal } from '../../keys/sealed-secret.ts';
import type { WrappingKeys } from '../../keys/wrapping-keys.ts';
import {
  type Administration,
  change,
  changed,
  demandVersion,
  found,
  invalid,
  made,
  put,
  removed,
} from '../administration.ts';
import { demandCapacity, type SetIn, setInText } from '../beside-file.ts';
import { demandFirstOrganization } from '../organizations.ts';
import { byId } from '../pages.ts';
import {
  addressOf,
  bindingOf,
  demandSomeWeight,
  type GivenVendorKey,
  madeCredential,
  shownCredentials,
} from './secrets.ts';

/** The most providers beside those of the file, because each is asked for its models. */
const MAX_PROVIDERS = 200;

/** A provider whose definition was read. `off`: why it cannot be called; `null` if it can. */
export type ReadProvider = { label: string; address: string; off: string | null };

/** A provider of the configuration file, with its definition and place. */
export type FileProvider = ReadProvider & {
  id: string;
  definition: Readonly<Record<string, unknown>>;
  credentials: readonly { name: string; weight: number; hint: string }[];
  /** `null`: it comes from the environment. */
  place: SetIn | null;
};

/** What managing providers needs. */
export type ProviderRules = {
  organizations: Pick<OrganizationStore, 'list'>;
  ofFile(): readonly FileProvider[];
  /** Reads a definition, or returns the faulty member and the fault. */
  read(
    id: string,
    definition: Readonly<Record<string, unknown>>,
    credentials: readonly string[],
  ): ReadProvider | { param: string; fault: string };
  wrapping: WrappingKeys;
};

/** A provider of the file or of the settings. */
export type KnownProvider =
  | (FileProvider & { setting: null })
  | (ReadProvider & { id: string; setting: Setting<'provider'>; place: null });

/** A definition in the terms of the file; in an edit, `null` removes a member. */
export type ProviderDefinition = Readonly<Record<string, unknown>>;
export type NewProvider = { id: string; definition: ProviderDefinition; credentials: readonly GivenVendorKey[] };

/** All providers by id. Those of the file hide others. */
export async function listProviders(admin: Administration, rules: ProviderRules): Promise<KnownProvider[]> {
  await demandFirstOrganization({ ...rules, ...admin });
  const ofFile = new Map(rules.ofFile().map((each) => [each.id, each]));
  const stored = await admin.settings.all(admin.by.organizationId, 'provider');
  const kept = stored.map((setting) => known(rules, setting, ofFile.get(setting.id)));
  return [...[...ofFile.values()].map((each) => ({ ...each, setting: null })), ...kept].sort(byId);
}

/** Throws `not_found`. */
export async function findProvider(admin: Administration, rules: ProviderRules, id: string): Promise<KnownProvider> {
  await demandFirstOrganization({ ...rules, ...admin });
  const inFile = providerOfFile(rules, id);
  return inFile === undefined ? known(rules, await found(admin, 'provider', id)) : { ...inFile, setting: null };
}

export async function createProvider(
  admin: Administration,
  rules: ProviderRules,
  { id, definition, credentials: given }: NewProvider,
): Promise<KnownProvider> {
  await demandFirstOrganization({ ...rules, ...admin });
  const fault = `exceeds the limit of ${MAX_PROVIDERS} providers`;
  await demandCapacity(admin, 'provider', { most: MAX_PROVIDERS, param: 'id', fault });
  // The path for tests has this name.
  if (id === 'test') throw invalid('id', 'is reserved');
  const inFile = providerOfFile(rules, id);
  if (inFile !== undefined) throw invalid('id', `is taken: ${setIn(inFile)}`);
  const taken = await admin.settings.find(admin.by.organizationId, 'provider', id);
  if (taken !== null) throw invalid('id', 'is the id of another provider');
  demandGood(rules, id, definition, given);
  const bare = { definition, credentials: [], updatedAt: admin.clock.now() };
  const provider = made(admin, 'provider', { id, value: bare });
  const credentials = sealed(admin, rules, provider, given);
  await change(admin, [put({ ...provider, value: { ...bare, credentials } }, MAX_PROVIDERS)], {
    type: 'provider.created',
    resourceId: id,
    details: { data: { id, ...definition, credentials: shownCredentials(credentials) } },
  });
  return known(rules, { ...provider, value: { ...bare, credentials } });
}

/**
 * @param edit the changed members; `null` removes one
 * @param given replaces all its keys; required if the address changes
 */
export async function updateProvider(
  admin: Administration,
  rules: ProviderRules,
  {
    id,
    edit,
    given,
    ifVersion,
  }: {
    id: string;
    edit: ProviderDefinition;
    given?: readonly GivenVendorKey[] | undefined;
    ifVersion?: number | undefined;
  },
): Promise<KnownProvider> {
  const setting = await storedProvider(admin, rules, id);
  demandVersion(setting, ifVersion);
  const before = setting.value;
  const definition = withEdit(before.definition, edit);
  const isElsewhere = addressOf(id, definition) !== addressOf(id, before.definition);
  if (isElsewhere && given === undefined && before.credentials.length > 0) {
    throw invalid('credentials', 'must be entered again, because a key is bound to its address');
  }
  demandGood(rules, id, withStoredTextPrintable(definition, before.definition), given ?? before.credentials);
  const moved = { ...setting, value: { ...before, definition } };
  const credentials = given === undefined ? before.credentials : sealed(admin, rules, moved, given);
  const next = changed(setting, { definition, credentials, updatedAt: admin.clock.now() });
  await change(admin, [put(next)], {
    type: 'provider.updated',
    resourceId: id,
    details: {
      changes_requested: { ...edit, ...(given !== undefined && { credentials: shownCredentials(credentials) }) },
      before: { ...before.definition, credentials: shownCredentials(before.credentials) },
    },
  });
  return known(rules, next);
}

export async function deleteProvider(admin: Administration, rules: ProviderRules, id: string): Promise<void> {
  const setting = await storedProvider(admin, rules, id);
  const { definition, credentials } = setting.value;
  await change(admin, [removed(setting)], {
    type: 'provider.deleted',
    resourceId: id,
    details: { before: { ...definition, credentials: shownCredentials(credentials) } },
  });
}

/** The setting of a provider. Throws `not_found`, or `invalid_request` for one of the file. */
export async function storedProvider(
  admin: Administration,
  rules: ProviderRules,
  id: string,
): Promise<Setting<'provider'>> {
  await demandFirstOrganization({ ...rules, ...admin });
  const inFile = providerOfFile(rules, id);
  if (inFile !== undefined) throw invalid('provider_id', `cannot be changed here, because ${setIn(inFile)}`);
  return found(admin, 'provider', id);
}

function providerOfFile(rules: ProviderRules, id: string): FileProvider | undefined {
  return rules.ofFile().find((each) => each.id === id);
}

/** The resulting provider with its read definition. Throws `invalid_request` at the faulty member. */
export function demandGood(
  rules: ProviderRules,
  id: string,
  definition: ProviderDefinition,
  credentials: readonly { name: string; weight: number }[],
): ReadProvider {
  const read = rules.read(
    id,
    definition,
    credentials.map(({ name }) => name),
  );
  if ('fault' in read) throw invalid(read.param, read.fault);
  demandSomeWeight(credentials);
  return read;
}

function sealed(
  admin: Administration,
  rules: ProviderRules,
  provider: Setting<'provider'>,
  given: readonly GivenVendorKey[],
): StoredProvider['credentials'] {
  const wrapping = rules.wrapping.current();
  const { organizationId } = admin.by;
  return given.map((each) => {
    const credential = madeCredential(admin, each);
    const binding = bindingOf(organizationId, provider, credential);
    return { ...credential, sealed: seal(wrapping, each.key, binding, admin.random) };
  });
}

/** `inFile`: the file's provider that hides it. */
function known(rules: ProviderRules, setting: Setting<'provider'>, inFile?: FileProvider): KnownProvider {
  const { id, value } = setting;
  const names = value.credentials.map(({ name }) => name);
  const read = rules.read(id, withStoredTextPrintable(value.definition), names);
  const shown = 'fault' in read ? { label: id, address: '', off: `\`${read.param}\` ${read.fault}` } : read;
  return { ...shown, id, setting, place: null, ...(inFile !== undefined && { off: setIn(inFile) }) };
}

function setIn({ place }: FileProvider): string {
  if (place === null) return 'the environment has a provider of this id';
  return setInText('a provider of this id', place);
}

/** A definition with changes; `null` removes a member. */
export function withEdit(definition: ProviderDefinition, edit: ProviderDefinition): ProviderDefinition {
  return Object.fromEntries(Object.entries({ ...definition, ...edit }).filter(([, value]) => value !== null));
}
