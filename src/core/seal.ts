import { DEFAULT_CREDENTIAL, DIALECT_IDS, type DialectId, type Provider } from './provider.ts';

/**
 * A vendor's proof of its own reasoning: a signature, or the reasoning itself in a form that only the vendor reads. It
 * must return to that vendor byte for byte, and has no meaning for others.
 */
export type Seal = {
  dialect: DialectId;
  /** The provider that made it; `null` if the caller got it elsewhere, so that only its dialect is known. */
  provider: string | null;
  /** `signature`: of the text beside it. `redacted`, `encrypted`: it replaces the text. */
  form: 'signature' | 'redacted' | 'encrypted';
  /** The vendor's id of the item it belongs to. */
  id: string | null;
  value: string;
  /** True if it is marked in its vendor's own member, among other members of that vendor. */
  inPlace?: true;
};

/** The prefix of packed seals. */
export const SEAL_MARK = 'headgate-seal-1.';

/** Packs a seal for the opaque field of another dialect: the mark and base64url. */
export function packSeal(seal: Seal): string {
  const { dialect, provider, form, id, value } = seal;
  return SEAL_MARK + toBase64Url(JSON.stringify([dialect, provider, form, id, value]));
}

/** Marks a seal in its own member. The value itself stays unchanged. */
export function markSeal({
  dialect,
  provider,
  form,
  value,
}: Pick<Seal, 'dialect' | 'provider' | 'form' | 'value'>): string {
  return `${IN_PLACE}${toBase64Url(JSON.stringify([dialect, provider, form]))}.${value}`;
}

/** True if an opaque field holds a seal that the gateway packed or marked. No vendor may receive it. */
export function isMarked(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith(SEAL_MARK);
}

const IN_PLACE = `${SEAL_MARK}~`;

/** The seal in an opaque field; `null` if the gateway did not write it, or it was changed. */
export function unpackSeal(packed: string): Seal | null {
  if (!packed.startsWith(SEAL_MARK)) return null;
  if (packed.startsWith(IN_PLACE)) return unpackMark(packed);
  const fields = parse(fromBase64Url(packed.slice(SEAL_MARK.length)));
  if (!Array.isArray(fields)) return null;
  const [dialect, provider, form, id, value] = fields as unknown[];
  const known = DIALECT_IDS.find((each) => each === dialect);
  if (known === undefined || (form !== 'signature' && form !== 'redacted' && form !== 'encrypted')) return null;
  if (!isStringOrNull(provider) || !isStringOrNull(id) || typeof value !== 'string') return null;
  return { dialect: known, provider, form, id, value };
}

function unpackMark(marked: string): Seal | null {
  const end = marked.indexOf('.', IN_PLACE.length);
  const fields = end < 0 ? null : parse(fromBase64Url(marked.slice(IN_PLACE.length, end)));
  if (!Array.isArray(fields)) return null;
  const [dialect, provider, form] = fields as unknown[];
  const known = DIALECT_IDS.find((each) => each === dialect);
  if (known === undefined || (form !== 'signature' && form !== 'redacted' && form !== 'encrypted')) return null;
  if (!isStringOrNull(provider)) return null;
  return { dialect: known, provider, form, id: null, value: marked.slice(end + 1), inPlace: true };
}

/**
 * The name of a provider as maker of seals, for its mark. Encrypted reasoning is bound to the account of a credential.
 */
export function makerOf({ id, credentialName }: Provider, dialect: DialectId): string {
  const isBound = dialect === 'openai-responses' && credentialName !== DEFAULT_CREDENTIAL;
  return isBound ? `${id}/${credentialName}` : id;
}

/** True if this provider can have made the seal in this dialect. */
export function opens(seal: Seal, dialect: DialectId, provider: string): boolean {
  return seal.dialect === dialect && (seal.provider === null || seal.provider === provider);
}

function isStringOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}

function toBase64Url(text: string): string {
  return Buffer.from(text).toString('base64url');
}

function fromBase64Url(text: string): string {
  return Buffer.from(text, 'base64url').toString('utf8');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // Not one of ours after all.
  }
}
