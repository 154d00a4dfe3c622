import { z } from 'zod';
import { GatewayError } from '../core/errors.ts';
import type { Clock, Ids, KeyStore } from '../core/ports.ts';
import { type ApiKey, SOURCES, type Source } from '../core/records.ts';
import type { Secret } from '../core/secret.ts';
import { hashKey, hintOf, mintKey, type RandomBytes } from './format.ts';

export const MAX_NAME_LENGTH = 100;
export const MAX_ALLOWED_MODELS = 1_000;
export const MAX_MODEL_NAME_LENGTH = 256;
/** The largest limit of requests and of tokens. */
export const MAX_PER_MINUTE = 1_000_000_000;
/** The largest amount that 64 bits hold. */
export const MAX_SPEND_LIMIT = 2n ** 63n - 1n;
/** The last time that a `Date` can hold. */
const MAX_TIME = 8.64e15;

const perMinute = z
  .int('must be a whole number')
  .positive('must be greater than 0')
  .max(MAX_PER_MINUTE, `must be at most ${MAX_PER_MINUTE}`)
  .nullable()
  .default(null);

const newKey = z.strictObject({
  organizationId: z.string('must be text').min(1, 'must not be empty'),
  name: z
    .string('must be text')
    .trim()
    .min(1, 'must not be empty')
    .max(MAX_NAME_LENGTH, `must have at most ${MAX_NAME_LENGTH} characters`)
    .regex(/^\P{Cc}*$/u, 'must not contain control characters'),
  /** If left out, the source is `product` for a product's key, else `api_key`. */
  source: z.enum(SOURCES, `must be one of ${SOURCES.join(', ')}`).optional(),
  product: z.string('must be text').min(1, 'must not be empty').nullable().default(null),
  admin: z.boolean('must be true or false').default(false),
  /** Unix milliseconds. */
  expiresAt: z.int('must be a time').max(MAX_TIME, 'must be a time').nullable().default(null),
  allowedModels: z
    .array(
      z
        .string('must be text')
        .min(1, 'must not be empty')
        .max(MAX_MODEL_NAME_LENGTH, `must have at most ${MAX_MODEL_NAME_LENGTH} characters`),
      'must be a list',
    )
    .min(1, 'must name at least one model')
    .max(MAX_ALLOWED_MODELS, `must name at most ${MAX_ALLOWED_MODELS} models`)
    .nullable()
    .default(null),
  requestsPerMinute: perMinute,
  tokensPerMinute: perMinute,
  spendLimit: z
    .strictObject({
      amount: z
        .bigint('must be an amount')
        .positive('must be greater than 0')
        .max(MAX_SPEND_LIMIT, 'is more than can be kept'),
      per: z.enum(['life', 'day', 'month'], 'must be one of life, day, month'),
    })
    .nullable()
    .default(null),
});

/** The fields of a new key. All but the organization and the name are optional. */
export type NewKey = z.input<typeof newKey>;

export type KeyParts = { store: KeyStore; pepper: Secret; clock: Clock; ids: Ids; random: RandomBytes };

/**
 * Creates a key, and returns its secret, which cannot be read again later. Throws a `GatewayError` of kind
 * `invalid_request`, whose `param` is the invalid field of `input`.
 */
export async function createKey(parts: KeyParts, input: NewKey): Promise<{ key: ApiKey; secret: string }> {
  const now = parts.clock.now();
  const wanted = checkNewKey(input, now);
  const secret = mintKey(parts.random);
  const key: ApiKey = { id: parts.ids.keyId(), ...wanted, hint: hintOf(secret), createdAt: now, revokedAt: null };
  await parts.store.create(key, hashKey(secret, parts.pepper));
  return { key, secret };
}

/** Revokes a key permanently. Throws `not_found` without repeating the id, which may be a secret pasted by mistake. */
export async function revokeKey(parts: Pick<KeyParts, 'store' | 'clock'>, id: string): Promise<ApiKey> {
  const key = await parts.store.revoke(id, parts.clock.now());
  if (key === null) throw new GatewayError('not_found', 'There is no API key with this id.');
  return key;
}

/** The keys of one organization, or of all (`null`), oldest first, including revoked ones. */
export async function listKeys(parts: Pick<KeyParts, 'store'>, organizationId: string | null): Promise<ApiKey[]> {
  return parts.store.list(organizationId);
}

function checkNewKey(input: NewKey, now: number): z.output<typeof newKey> & { source: Source } {
  const checked = newKey.safeParse(input);
  if (!checked.success) {
    const issue = checked.error.issues[0]!;
    const path = issue.code === 'unrecognized_keys' ? [...issue.path, ...issue.keys] : issue.path;
    throw invalid(path.join('.'), issue.message);
  }
  if (checked.data.expiresAt !== null && checked.data.expiresAt <= now) {
    throw invalid('expiresAt', 'must be in the future');
  }
  return { ...checked.data, source: sourceOf(checked.data) };
}

/** The source of a new key. Checks that `source` and `product` agree. */
function sourceOf({ source, product }: z.output<typeof newKey>): Source {
  if (product === null) {
    if (source === 'product') throw invalid('product', 'must say whose key it is, since its source is product');
    return source ?? 'api_key';
  }
  if (source === undefined || source === 'product') return 'product';
  throw invalid('source', `must be product for the key of a product, not ${source}`);
}

function invalid(param: string, fault: string): GatewayError {
  return new GatewayError('invalid_request', `${param}: ${fault}.`, { param });
}
