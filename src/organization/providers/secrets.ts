import { sortingPart } from '../../core/record-id.ts';
import type { Secret } from '../../core/secret.ts';
import type { Setting, StoredCredential } from '../../core/settings.ts';
import { type Binding, unseal } from '../../keys/sealed-secret.ts';
import type { WrappingKeys } from '../../keys/wrapping-keys.ts';
import { type Administration, invalid } from '../administration.ts';

/** The last characters of a shorter key would reveal too much. */
const MIN_HINTED = 12;
const HINT_LENGTH = 4;

/** A key as it was entered. */
export type GivenVendorKey = { name: string; weight: number; key: Secret };

/** A decrypted key. Throws an `Error` if it cannot be read. */
export function openCredential(
  wrapping: WrappingKeys,
  organizationId: string,
  provider: Setting<'provider'>,
  credential: StoredCredential,
): Secret {
  const { sealed } = credential;
  const key = wrapping.of(sealed.wrappedBy);
  if (key === null) throw new Error('the wrapping key of its encryption is not available');
  try {
    return unseal(key, sealed, bindingOf(organizationId, provider, credential));
  } catch (cause) {
    throw new Error('it was encrypted for another provider or address, or is damaged', { cause });
  }
}

/** The address of a provider, to which its keys are bound. */
export function addressOf(id: string, { base_url: address, preset }: Readonly<Record<string, unknown>>): string {
  return typeof address === 'string' ? address : `preset ${preset ?? id}`;
}

export function bindingOf(
  organizationId: string,
  { id, value }: Pick<Setting<'provider'>, 'id' | 'value'>,
  credential: Pick<StoredCredential, 'id' | 'number'>,
): Binding {
  const address = addressOf(id, value.definition);
  return { organizationId, providerId: id, address, credentialId: credential.id, number: credential.number };
}

/** A stored credential without its key. */
export function madeCredential(
  { clock, ids }: Pick<Administration, 'clock' | 'ids'>,
  { name, weight, key }: GivenVendorKey,
): Omit<StoredCredential, 'sealed'> {
  const now = clock.now();
  const id = `cred_${sortingPart(ids.recordId(now))}`;
  return { id, name, weight, hint: lastCharactersOf(key), number: 1, createdAt: now, updatedAt: now };
}

/** The last characters of a key, to recognise it; empty for a short one. */
export function lastCharactersOf(key: Secret): string {
  const text = key.reveal();
  return text.length < MIN_HINTED ? '' : text.slice(-HINT_LENGTH);
}

/** The visible part of credentials. */
export function shownCredentials(credentials: readonly StoredCredential[]) {
  return credentials.map(shownCredential);
}

export function shownCredential({ id, name, weight, hint }: StoredCredential) {
  return { id, name, weight, hint };
}

/** Throws `invalid_request` if a provider has keys, but none would ever be used. */
export function demandSomeWeight(credentials: readonly { weight: number }[], param = 'credentials'): void {
  if (credentials.length > 0 && credentials.every(({ weight }) => weight === 0))
    throw invalid(param, 'would leave the provider without a credential with a weight above 0');
}
