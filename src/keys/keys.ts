import { z } from 'zod';
import { GatewayError } from '../core/errors.ts';
import type { NanoDollars } from '../core/money.ts';
import type { Clock, Ids, KeyStore } from '../core/ports.ts';
import { type ApiKey, SOURCES, type Source, USAGE_SCOPES } from '../core/records.ts';
import type { Secret } from '../core/secret.ts';
import { periodAt } from '../core/spend-period.ts';
import { hashKey, hintOf, mintKey, type RandomBytes } from './format.ts';

export const MAX_NAME_LENGTH = 100;
export const MAX_ALLOWED_MODELS = 1_000;
export const MAX_MODEL_NAME_LENGTH = 256;
/** The largest limit of requests and of tokens. */
export const MAX_PER_MINUTE = 1_000_000_000;
/** The largest amount that 64 bits hold. */
export const MAX_SPEND_LIMIT = 2n ** 63n - 1n;
const DAY_MS = 86_400_000;
/** How long a secret may go on that was replaced. */
export const MAX_OVERLAP_MS = 90 * DAY_MS;
/** How many of a key may go on at once. */
export const MAX_EARLIER_SECRETS = 5;
/** The last time that a `Date` can hold. */
const MAX_TIME = 8.64e15;

const perMinute = z
  .int('must be a whole number')
  .positive('must be greater than 0')
  .max(MAX_PER_MINUTE, `must be at most ${MAX_PER_MINUTE}`)
  .nullable();

/** What a key is given when it is made, and can be given later. */
const CHANGEABLE = {
  name: z
    .string('must be text')
    .trim()
    .min(1, 'must not be empty')
    .max(MAX_NAME_LENGTH, `must have at most ${MAX_NAME_LENGTH} characters`)
    .regex(/^\P{Cc}*$/u, 'must not contain control characters'),
  /** Unix milliseconds. */
  expiresAt: z.int('must be a time').max(MAX_TIME, 'must be a time').nullable(),
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
    .nullable(),
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
    .nullable(),
};

const newKey = z.strictObject({
  organizationId: z.string('must be text').min(1, 'must not be empty'),
  name: CHANGEABLE.name,
  /** If left out, the source is `product` for a product's key, else `api_key`. */
  source: z.enum(SOURCES, `must be one of ${SOURCES.join(', ')}`).optional(),
  product: z.string('must be text').min(1, 'must not be empty').nullable().default(null),
  admin: z.boolean('must be true or false').default(false),
  usage: z.enum(USAGE_SCOPES, `must be one of ${USAGE_SCOPES.join(', ')}`).default('organization'),
  expiresAt: CHANGEABLE.expiresAt.default(null),
  allowedModels: CHANGEABLE.allowedModels.default(null),
  requestsPerMinute: CHANGEABLE.requestsPerMinute.default(null),
  tokensPerMinute: CHANGEABLE.tokensPerMinute.default(null),
  spendLimit: CHANGEABLE.spendLimit.default(null),
});

const keyEdit = z.strictObject({ ...CHANGEABLE, enabled: z.boolean('must be true or false') }).partial();

/** The fields of a new key. All but the organization and the name are optional. */
export type NewKey = z.input<typeof newKey>;

/** What of a key is to be another; the rest stays. `null` takes a limit, an expiry or the list of models away. */
export type KeyEdit = z.input<typeof keyEdit>;

export type KeyParts = { store: KeyStore; pepper: Secret; clock: Clock; ids: Ids; random: RandomBytes };

/**
 * Creates a key, and returns its secret, which cannot be read again later. Throws a `GatewayError` of kind
 * `invalid_request`, whose `param` is the invalid field of `input`.
 */
export async function createKey(parts: KeyParts, input: NewKey): Promise<{ key: ApiKey; secret: string }> {
  const now = parts.clock.now();
  const wanted = checkNewKey(input, now);
  const secret = mintKey(parts.random);
  const key: ApiKey = {
    id: parts.ids.keyId(),
    ...wanted,
    hint: hintOf(secret),
    createdAt: now,
    revokedAt: null,
    disabledAt: null,
  };
  await parts.store.create(key, hashKey(secret, parts.pepper));
  return { key, secret };
}

/**
 * Changes a key; a gateway that runs on the same store goes by it within a second. Throws `not_found`, or `invalid_request`
 * whose `param` is the field at fault. A key that was revoked stays as it is.
 */
export async function editKey(parts: Pick<KeyParts, 'store' | 'clock'>, id: string, edit: KeyEdit): Promise<ApiKey> {
  const now = parts.clock.now();
  const { enabled, ...rest } = checked(keyEdit, edit);
  if (rest.expiresAt != null) refusePast(rest.expiresAt, now);
  const key = await heldKey(parts.store, id);
  const disabledAt = enabled === undefined ? key.disabledAt : enabled ? null : (key.disabledAt ?? now);
  const changes = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  return (await parts.store.change(id, { ...changes, disabledAt })) ?? noSuchKey();
}

/**
 * Gives a key another secret, which is told this once. The one that it has goes on for `overlapMs`, and those before it no
 * longer than that; 0 ends them all at once. Throws `not_found`, or `invalid_request`.
 */
export async function rotateKey(
  parts: KeyParts,
  id: string,
  overlapMs: number,
): Promise<{ key: ApiKey; secret: string; earlierUntil: number }> {
  if (!(overlapMs >= 0 && overlapMs <= MAX_OVERLAP_MS)) {
    throw invalid('overlap', `must be from 0 to ${MAX_OVERLAP_MS / DAY_MS} days`);
  }
  const now = parts.clock.now();
  await heldKey(parts.store, id);
  if (overlapMs > 0 && (await parts.store.earlierSecrets(id, now)) >= MAX_EARLIER_SECRETS) {
    throw invalid('overlap', `must be 0: ${MAX_EARLIER_SECRETS} earlier secrets of this key are accepted still`);
  }
  const secret = mintKey(parts.random);
  const earlierUntil = now + overlapMs;
  const next = { hash: hashKey(secret, parts.pepper), hint: hintOf(secret) };
  const key = (await parts.store.rotate(id, next, earlierUntil)) ?? noSuchKey();
  return { key, secret, earlierUntil };
}

/** Revokes a key permanently. Throws `not_found` without repeating the id, which may be a secret pasted by mistake. */
export async function revokeKey(parts: Pick<KeyParts, 'store' | 'clock'>, id: string): Promise<ApiKey> {
  return (await parts.store.revoke(id, parts.clock.now())) ?? noSuchKey();
}

/** The keys of one organization, or of all (`null`), oldest first, including revoked ones. */
export async function listKeys(parts: Pick<KeyParts, 'store'>, organizationId: string | null): Promise<ApiKey[]> {
  return parts.store.list(organizationId);
}

/** A key with what it has used. */
export type UsedKey = {
  key: ApiKey;
  /** What counts against its spend limit in the period of now; in its life where it has no limit. */
  spent: NanoDollars;
  /** When that begins anew (Unix ms); `null` where it does not. */
  spentUntil: number | null;
  /** When its last call began, of those that are over; `null` where there was none. */
  lastUsedAt: number | null;
};

/** The keys of one organization, or of all (`null`), oldest first, with what each has used. */
export async function listUsedKeys(
  { store, clock }: Pick<KeyParts, 'store' | 'clock'>,
  organizationId: string | null,
): Promise<UsedKey[]> {
  const now = clock.now();
  const use = new Map((await store.use(new Date(now).toISOString().slice(0, 10))).map((each) => [each.keyId, each]));
  return (await store.list(organizationId)).map((key) => {
    const used = use.get(key.id);
    const per = key.spendLimit?.per ?? 'life';
    const { endsAt } = periodAt(per, now);
    return {
      key,
      spent: (used === undefined ? undefined : { life: used.inAll, day: used.inDay, month: used.inMonth }[per]) ?? 0n,
      spentUntil: Number.isFinite(endsAt) ? endsAt : null,
      lastUsedAt: used?.lastUsedAt ?? null,
    };
  });
}

async function heldKey(store: KeyStore, id: string): Promise<ApiKey> {
  const key = (await store.list(null)).find((each) => each.id === id) ?? noSuchKey();
  if (key.revokedAt !== null) throw invalid('id', 'is of a key that was revoked, which is for good');
  return key;
}

function noSuchKey(): never {
  throw new GatewayError('not_found', 'There is no API key with this id.');
}

function checkNewKey(input: NewKey, now: number): z.output<typeof newKey> & { source: Source } {
  const wanted = checked(newKey, input);
  if (wanted.expiresAt !== null) refusePast(wanted.expiresAt, now);
  return { ...wanted, source: sourceOf(wanted) };
}

function checked<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const read = schema.safeParse(input);
  if (read.success) return read.data;
  const issue = read.error.issues[0]!;
  const path = issue.code === 'unrecognized_keys' ? [...issue.path, ...issue.keys] : issue.path;
  throw invalid(path.join('.'), issue.message);
}

function refusePast(expiresAt: number, now: number): void {
  if (expiresAt <= now) throw invalid('expiresAt', 'must be in the future');
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
