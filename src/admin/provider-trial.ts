import { GatewayError } from '../core/errors.ts';
import { Secret } from '../core/secret.ts';
import { withKeptShown } from '../core/shown-text.ts';
import { type Administration, invalid, noSuch } from './administration.ts';
import { demandFirstOrganization } from './organizations.ts';
import { addressOf, openCredential } from './provider-secrets.ts';
import { demandGood, findProvider, type ProviderDefinition, type ProviderRules, withEdit } from './providers.ts';

/** What a test asks of a vendor: as it is kept, or as somebody is about to have it kept. */
export type WantedTest = {
  /** Of one that there is; what `definition` says takes the place of what is kept. */
  providerId?: string | undefined;
  /** Whose key is sent; left out, the first. */
  credentialId?: string | undefined;
  definition: ProviderDefinition;
  key?: string | undefined;
};

/** A provider with the key that is to be sent, `null` for none; or one of the file, which has its own. */
export type TriedProvider =
  | { id: string; definition: ProviderDefinition; key: Secret | null }
  | { id: string; ofFile: true };

/** What a vendor said of its key, and how many models it lists, or what went wrong (`fault`). `models` is `null` where its list is of something else, too. */
export type TestOutcome = { tookMs: number; key: KeyWord; models: number | null; fault: string | null };
/** `unknown`: it shows its list to everybody, or did not answer. `none`: no key was sent. */
export const KEY_WORDS = ['accepted', 'refused', 'unknown', 'none'] as const;
export type KeyWord = (typeof KEY_WORDS)[number];

export type TryProvider = (tried: TriedProvider) => Promise<TestOutcome>;

/** The id of a provider that has none yet. */
const DRAFT = 'draft';

/** Asks a vendor for its list of models. Throws `invalid_request` at the member that is at fault. */
export async function testProvider(
  admin: Administration,
  { rules, tryOut }: { rules: ProviderRules; tryOut: TryProvider },
  wanted: WantedTest,
): Promise<TestOutcome> {
  await demandFirstOrganization({ ...rules, ...admin });
  const { providerId, credentialId, definition, key } = wanted;
  if (providerId === undefined) {
    if (credentialId !== undefined) throw invalid('credential_id', 'is of a provider, which must be named too');
    const read = demandGood(rules, DRAFT, definition, key === undefined ? [] : [{ name: 'default', weight: 1 }]);
    if (read.off !== null) throw invalid('key', 'must be given');
    return tryOut({ id: DRAFT, definition, key: key === undefined ? null : new Secret(key) });
  }
  const found = await findProvider(admin, rules, providerId);
  const isChanged = Object.keys(definition).length > 0 || key !== undefined;
  if (found.setting === null) {
    if (isChanged) throw invalid('provider_id', 'is of a provider of the file, which is tested as it is');
    return tryOut({ id: providerId, ofFile: true });
  }
  const { setting } = found;
  const { value } = setting;
  const next = withKeptShown(withEdit(value.definition, definition), value.definition);
  demandGood(rules, providerId, next, value.credentials);
  if (key !== undefined) return tryOut({ id: providerId, definition: next, key: new Secret(key) });
  const chosen = value.credentials.find(({ id }) => credentialId === undefined || id === credentialId);
  if (chosen === undefined && credentialId !== undefined) noSuch('credential of this provider');
  if (chosen === undefined) return tryOut({ id: providerId, definition: next, key: null });
  if (addressOf(providerId, next) !== addressOf(providerId, value.definition))
    throw invalid('key', 'must be given: a key is for the address that it was given for');
  return tryOut({ id: providerId, definition: next, key: opened(admin, rules, setting, chosen) });
}

function opened(admin: Administration, { wrapping }: ProviderRules, ...of: Opened): Secret {
  try {
    return openCredential(wrapping, admin.by.organizationId, ...of);
  } catch (error) {
    throw new GatewayError('conflict', `The key cannot be read: ${(error as Error).message}.`);
  }
}

type Opened = [Parameters<typeof openCredential>[2], Parameters<typeof openCredential>[3]];
