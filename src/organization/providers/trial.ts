import { GatewayError } from '../../core/errors.ts';
import { withStoredTextPrintable } from '../../core/printable-text.ts';
import { Secret } from '../../core/secret.ts';
import { type Administration, invalid, noSuch } from '../administration.ts';
import { demandFirstOrganization } from '../organizations.ts';
import { addressOf, openCredential } from './secrets.ts';
import { demandGood, findProvider, type ProviderDefinition, type ProviderRules, withEdit } from './service.ts';

/** The provider to test: as stored, or as it would be stored. */
export type WantedTest = {
  /** An existing provider; `definition` overrides its members. */
  providerId?: string | undefined;
  /** The key to send (default: the first). */
  credentialId?: string | undefined;
  definition: ProviderDefinition;
  key?: string | undefined;
};

/** A provider and the key to send (`null` for none), or one of the file with its own key. */
export type TriedProvider =
  | { id: string; definition: ProviderDefinition; key: Secret | null }
  | { id: string; ofFile: true };

/**
 * The vendor's reaction to the key, and the number of models it lists, or what went wrong (`fault`). `models` is `null`
 * if it lists something else.
 */
export type TestOutcome = { tookMs: number; key: KeyWord; models: number | null; fault: string | null };
/** `unknown`: it lists models without a key, or did not answer. `none`: no key was sent. */
export const KEY_WORDS = ['accepted', 'refused', 'unknown', 'none'] as const;
export type KeyWord = (typeof KEY_WORDS)[number];

export type TryProvider = (tried: TriedProvider) => Promise<TestOutcome>;

/** The id of a provider without one. */
const DRAFT = 'draft';

/** Asks a vendor for its models. Throws `invalid_request` at the faulty member. */
export async function testProvider(
  admin: Administration,
  { rules, tryOut }: { rules: ProviderRules; tryOut: TryProvider },
  wanted: WantedTest,
): Promise<TestOutcome> {
  await demandFirstOrganization({ ...rules, ...admin });
  const { providerId, credentialId, definition, key } = wanted;
  if (providerId === undefined) {
    if (credentialId !== undefined) throw invalid('credential_id', 'belongs to a provider, which must be named too');
    const read = demandGood(rules, DRAFT, definition, key === undefined ? [] : [{ name: 'default', weight: 1 }]);
    if (read.off !== null) throw invalid('key', 'must be given');
    return tryOut({ id: DRAFT, definition, key: key === undefined ? null : new Secret(key) });
  }
  const found = await findProvider(admin, rules, providerId);
  const isChanged = Object.keys(definition).length > 0 || key !== undefined;
  if (found.setting === null) {
    if (isChanged)
      throw invalid('provider_id', 'belongs to a provider of the file, which can only be tested unchanged');
    return tryOut({ id: providerId, ofFile: true });
  }
  const { setting } = found;
  const { value } = setting;
  const next = withStoredTextPrintable(withEdit(value.definition, definition), value.definition);
  demandGood(rules, providerId, next, value.credentials);
  if (key !== undefined) return tryOut({ id: providerId, definition: next, key: new Secret(key) });
  const chosen = value.credentials.find(({ id }) => credentialId === undefined || id === credentialId);
  if (chosen === undefined && credentialId !== undefined) noSuch('credential of this provider');
  if (chosen === undefined) return tryOut({ id: providerId, definition: next, key: null });
  if (addressOf(providerId, next) !== addressOf(providerId, value.definition))
    throw invalid('key', 'must be given, because a stored key is sent only to its own address');
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
