import { GatewayError } from '../../core/errors.ts';
import type { Secret } from '../../core/secret.ts';
import type { Setting, StoredCredential } from '../../core/settings.ts';
import { rewrap, seal } from '../../keys/sealed-secret.ts';
import { type Administration, change, changed, demandVersion, invalid, noSuch, put } from '../administration.ts';
import {
  bindingOf,
  demandSomeWeight,
  type GivenVendorKey,
  lastCharactersOf,
  madeCredential,
  shownCredential,
} from './secrets.ts';
import { type ProviderRules, storedProvider } from './service.ts';

/** The most keys of a provider. */
export const MAX_CREDENTIALS = 50;
/** Attempts at a change while other changes interfere. */
const MAX_TRIES = MAX_CREDENTIALS;

export type NewCredential = { providerId: string; given: GivenVendorKey; ifVersion?: number | undefined };

/** Adds a key to a provider, also while others are added. */
export function addCredential(
  admin: Administration,
  rules: ProviderRules,
  wanted: NewCredential,
): Promise<StoredCredential> {
  return oftenEnough(wanted.ifVersion, () => addOnce(admin, rules, wanted));
}

async function addOnce(
  admin: Administration,
  rules: ProviderRules,
  { providerId, given, ifVersion }: NewCredential,
): Promise<StoredCredential> {
  const setting = await storedProvider(admin, rules, providerId);
  demandVersion(setting, ifVersion);
  const { credentials } = setting.value;
  if (credentials.length >= MAX_CREDENTIALS)
    throw invalid('name', `exceeds the limit of ${MAX_CREDENTIALS} credentials per provider`);
  demandOwnName(credentials, given.name);
  const bare = madeCredential(admin, given);
  const binding = bindingOf(admin.by.organizationId, setting, bare);
  const credential = { ...bare, sealed: seal(rules.wrapping.current(), given.key, binding, admin.random) };
  await keep(admin, setting, [...credentials, credential], {
    type: 'provider_credential.created',
    details: { data: shownCredential(credential) },
    credential,
  });
  return credential;
}

export type CredentialEdit = {
  providerId: string;
  id: string;
  edit: { name?: string; weight?: number; key?: Secret };
  ifVersion?: number | undefined;
};

/** A new key replaces the old one at once. */
export function updateCredential(
  admin: Administration,
  rules: ProviderRules,
  wanted: CredentialEdit,
): Promise<StoredCredential> {
  return oftenEnough(wanted.ifVersion, () => updateOnce(admin, rules, wanted));
}

async function updateOnce(
  admin: Administration,
  rules: ProviderRules,
  wanted: CredentialEdit,
): Promise<StoredCredential> {
  const { providerId, id, edit, ifVersion } = wanted;
  const setting = await storedProvider(admin, rules, providerId);
  demandVersion(setting, ifVersion);
  const { credentials } = setting.value;
  const before = credentials.find((each) => each.id === id) ?? noSuch('credential of this provider');
  const { key, ...same } = edit;
  const others = credentials.filter((each) => each !== before);
  if (same.name !== undefined) demandOwnName(others, same.name);
  const next: StoredCredential = { ...before, ...same, updatedAt: admin.clock.now() };
  if (key !== undefined) {
    next.number = before.number + 1;
    next.hint = lastCharactersOf(key);
    const binding = bindingOf(admin.by.organizationId, setting, next);
    next.sealed = seal(rules.wrapping.current(), key, binding, admin.random);
  }
  const all = credentials.map((each) => (each === before ? next : each));
  demandSomeWeight(all, 'weight');
  await keep(admin, setting, all, {
    type: 'provider_credential.updated',
    details: {
      changes_requested: { ...same, ...(key !== undefined && { hint: next.hint }) },
      before: shownCredential(before),
    },
    credential: before,
  });
  return next;
}

export type NamedCredential = { providerId: string; id: string };

export function deleteCredential(admin: Administration, rules: ProviderRules, named: NamedCredential): Promise<void> {
  return oftenEnough(undefined, () => deleteOnce(admin, rules, named));
}

async function deleteOnce(
  admin: Administration,
  rules: ProviderRules,
  { providerId, id }: NamedCredential,
): Promise<void> {
  const setting = await storedProvider(admin, rules, providerId);
  const { credentials } = setting.value;
  const credential = credentials.find((each) => each.id === id) ?? noSuch('credential of this provider');
  const rest = credentials.filter((each) => each !== credential);
  demandSomeWeight(rest, 'credential_id');
  await keep(admin, setting, rest, {
    type: 'provider_credential.deleted',
    details: { before: shownCredential(credential) },
    credential,
  });
}

/**
 * Encrypts all keys of providers under a new wrapping key, or under the one in the environment. The keys stay the same.
 * Returns their number.
 */
export async function rewrapCredentials(admin: Administration, { wrapping }: ProviderRules): Promise<number> {
  if (!wrapping.areFromEnvironment) wrapping.renew();
  const count = await rewrapAll(admin, wrapping);
  // Stored meanwhile by a process with the old wrapping key.
  await rewrapAll(admin, wrapping);
  if (!wrapping.areFromEnvironment) wrapping.forgetEarlier();
  return count;
}

async function rewrapAll(admin: Administration, wrapping: ProviderRules['wrapping']): Promise<number> {
  const { organizationId } = admin.by;
  const to = wrapping.current();
  const all = await admin.settings.all(organizationId, 'provider');
  const isOld = ({ sealed }: StoredCredential) => sealed.wrappedBy !== to.id;
  const next = all
    .filter(({ value }) => value.credentials.some(isOld))
    .map((setting) => {
      const credentials = setting.value.credentials.map((each) => {
        if (!isOld(each)) return each;
        const from = wrapping.of(each.sealed.wrappedBy) ?? lost(setting.id, each);
        const binding = bindingOf(organizationId, setting, each);
        return { ...each, sealed: rewrap({ from, to }, each.sealed, binding, admin.random) };
      });
      return changed(setting, { credentials });
    });
  if (next.length === 0) return 0;
  const count = next.reduce((sum, { value }) => sum + value.credentials.length, 0);
  await change(admin, next.map(put), {
    type: 'provider_credentials.rewrapped',
    resourceId: organizationId,
    details: { data: { wrapped_by: to.id, providers: next.map(({ id }) => id) } },
  });
  return count;
}

function lost(providerId: string, { name }: StoredCredential): never {
  throw invalid(
    'wrapping_key',
    `of credential ${name} of provider ${providerId} is not available: provide it, or enter the vendor’s key again`,
  );
}

function demandOwnName(credentials: readonly StoredCredential[], name: string): void {
  if (credentials.some((each) => each.name === name))
    throw invalid('name', 'is the name of another of its credentials');
}

/**
 * A provider's credentials are one setting with it. A concurrent change of another credential makes the change start
 * again; a caller that named a version gets the conflict instead.
 */
async function oftenEnough<Result>(ifVersion: number | undefined, attempt: () => Promise<Result>): Promise<Result> {
  for (let left = ifVersion === undefined ? MAX_TRIES : 1; ; left -= 1) {
    try {
      return await attempt();
    } catch (error) {
      const isConflict = error instanceof GatewayError && error.kind === 'conflict';
      if (!isConflict || left <= 1) throw error;
    }
  }
}

function keep(
  admin: Administration,
  setting: Setting<'provider'>,
  credentials: readonly StoredCredential[],
  told: { type: string; details: Readonly<Record<string, unknown>>; credential: StoredCredential },
): Promise<void> {
  const next = changed(setting, { credentials, updatedAt: admin.clock.now() });
  const details = { ...told.details, provider_id: setting.id };
  return change(admin, [put(next)], { type: told.type, resourceId: told.credential.id, details });
}
