import { z } from 'zod';
import { GatewayError } from '../core/errors.ts';
import { ipRangeFault } from '../core/ip-address.ts';
import { listedNameFault } from '../core/model-name.ts';
import type { NanoDollars } from '../core/money.ts';
import type { Clock, Ids, KeyPage, KeyStore } from '../core/ports.ts';
import { nameFault, printableText } from '../core/printable-text.ts';
import {
  type ApiKey,
  KEY_ACCESS,
  type KeyChanges,
  type KeyUse,
  SOURCES,
  type Source,
  SPEND_PERIODS,
  type SpendLimit,
  USAGE_SCOPES,
} from '../core/records.ts';
import { maskedSecret, type Secret } from '../core/secret.ts';
import { defaultProjectId, type KeyRotation } from '../core/settings.ts';
import { periodAt } from '../core/spend-period.ts';
import { DAY_MS, utcDay } from '../core/utc-day.ts';
import { hashKey, mintKey, type RandomBytes } from './format.ts';

export const MAX_NAME_LENGTH = 100;
export const MAX_ALLOWED_MODELS = 1_000;
export const MAX_MODEL_NAME_LENGTH = 256;
const MAX_SCOPES = 100;
export const MAX_IP_RANGES = 100;
/** The largest limit of requests or tokens per minute. */
export const MAX_PER_MINUTE = 1_000_000_000;
/** The largest signed 64-bit amount. */
export const MAX_SPEND_LIMIT = 2n ** 63n - 1n;
/** The longest time that a replaced secret may stay valid. */
export const MAX_OVERLAP_MS = 90 * DAY_MS;
/** The most replaced secrets of a key that may be valid at once. */
export const MAX_EARLIER_SECRETS = 5;
/** The last time that a `Date` can hold. */
const MAX_TIME = 8.64e15;

const perMinute = z
  .int('must be a whole number')
  .positive('must be greater than 0')
  .max(MAX_PER_MINUTE, `must be at most ${MAX_PER_MINUTE}`)
  .nullable();

/** Fields that can be set when a key is created and changed later. */
const CHANGEABLE = {
  name: z
    .string('must be text')
    .trim()
    .min(1, 'must not be empty')
    .max(MAX_NAME_LENGTH, `must have at most ${MAX_NAME_LENGTH} characters`)
    .refine((name) => nameFault(name) === null, { error: ({ input }) => nameFault(String(input)) ?? '' }),
  /** Unix milliseconds. */
  expiresAt: z.int('must be a time').max(MAX_TIME, 'must be a time').nullable(),
  allowedModels: z
    .array(
      z
        .string('must be text')
        .min(1, 'must not be empty')
        .max(MAX_MODEL_NAME_LENGTH, `must have at most ${MAX_MODEL_NAME_LENGTH} characters`)
        .refine((name) => listedNameFault(name) === null, {
          error: ({ input }) => listedNameFault(String(input)) ?? '',
        }),
      'must be a list',
    )
    .min(1, 'must name at least one model')
    .max(MAX_ALLOWED_MODELS, `must name at most ${MAX_ALLOWED_MODELS} models`)
    .nullable(),
  scopes: z
    .array(z.string('must be text').min(1, 'must not be empty').max(MAX_NAME_LENGTH), 'must be a list')
    .max(MAX_SCOPES, `must have at most ${MAX_SCOPES} scopes`),
  ipRanges: z
    .array(
      z.string('must be text').refine((value) => ipRangeFault(value) === null, {
        error: ({ input }) => ipRangeFault(String(input)) ?? '',
      }),
      'must be a list',
    )
    .min(1, 'must name at least one range')
    .max(MAX_IP_RANGES, `must name at most ${MAX_IP_RANGES} ranges`)
    .nullable(),
  requestsPerMinute: perMinute,
  tokensPerMinute: perMinute,
  spendLimit: z
    .strictObject({
      amount: z.bigint('must be an amount').positive('must be greater than 0').max(MAX_SPEND_LIMIT, 'is too large'),
      per: z.enum(SPEND_PERIODS, `must be one of ${SPEND_PERIODS.join(', ')}`),
    })
    .nullable(),
  usage: z.enum(USAGE_SCOPES, `must be one of ${USAGE_SCOPES.join(', ')}`),
};

const newKey = z.strictObject({
  organizationId: z.string('must be text').min(1, 'must not be empty'),
  name: CHANGEABLE.name,
  /** If left out, the source is `product` for a product's key, else `api_key`. */
  source: z.enum(SOURCES, `must be one of ${SOURCES.join(', ')}`).optional(),
  product: z.string('must be text').min(1, 'must not be empty').nullable().default(null),
  admin: z.boolean('must be true or false').default(false),
  /** Default: the organization's default project. Admin keys have no project. */
  projectId: z.string('must be text').min(1, 'must not be empty').optional(),
  owner: z
    .strictObject({ type: z.enum(['user', 'service_account']), id: z.string() })
    .nullable()
    .default(null),
  createdBy: z
    .union([
      z.strictObject({ type: z.enum(['user', 'api_key']), id: z.string() }),
      z.strictObject({ type: z.literal('operator') }),
    ])
    .nullable()
    .default(null),
  access: z.enum(KEY_ACCESS, `must be one of ${KEY_ACCESS.join(', ')}`).default('models'),
  usage: CHANGEABLE.usage.default('organization'),
  scopes: CHANGEABLE.scopes.default([]),
  ipRanges: CHANGEABLE.ipRanges.default(null),
  expiresAt: CHANGEABLE.expiresAt.default(null),
  allowedModels: CHANGEABLE.allowedModels.default(null),
  requestsPerMinute: CHANGEABLE.requestsPerMinute.default(null),
  tokensPerMinute: CHANGEABLE.tokensPerMinute.default(null),
  spendLimit: CHANGEABLE.spendLimit.default(null),
});

const keyEdit = z.strictObject({ ...CHANGEABLE, enabled: z.boolean('must be true or false') }).partial();

/** The fields of a new key. All but the organization and the name are optional. */
export type NewKey = z.input<typeof newKey>;

/** The fields of a key to change. `null` removes a limit, an expiry or the list of models. */
export type KeyEdit = z.input<typeof keyEdit>;

export type KeyParts = {
  store: KeyStore;
  pepper: Secret;
  clock: Clock;
  ids: Ids;
  random: RandomBytes;
};

/**
 * Creates a key, and returns its secret, which cannot be read again later. Throws a `GatewayError` of kind
 * `invalid_request`, whose `param` is the invalid field of `input`.
 */
export async function createKey(parts: KeyParts, input: NewKey): Promise<{ key: ApiKey; secret: string }> {
  const made = newKeyOf(parts, input);
  await parts.store.create(made.key, hashKey(made.secret, parts.pepper));
  return made;
}

/** Makes a key and its secret without storing them. Throws as `createKey` does. */
export function newKeyOf(
  parts: Pick<KeyParts, 'clock' | 'ids' | 'random'>,
  input: NewKey,
): { key: ApiKey; secret: string } {
  const now = parts.clock.now();
  const { projectId, ...wanted } = checkNewKey(input, now);
  const secret = mintKey(parts.random);
  const inProject = projectId ?? defaultProjectId(wanted.organizationId);
  const key: ApiKey = {
    id: parts.ids.keyId(),
    ...wanted,
    projectId: wanted.access === 'administration' ? null : inProject,
    hint: maskedSecret(secret),
    createdAt: now,
    revokedAt: null,
    disabledAt: null,
    version: 1,
  };
  return { key, secret };
}

/** A key's name derived from its owner's name, which may be longer, or older than the rule for names. */
export function keyNameAfter(owner: string): string {
  return printableText(owner.slice(0, MAX_NAME_LENGTH));
}

/** The changes that an edit makes. Throws `invalid_request` whose `param` is the invalid field. */
export function checkedEdit(key: ApiKey, edit: KeyEdit, now: number): KeyChanges {
  const { enabled, ...rest } = checked(keyEdit, edit);
  if (rest.expiresAt != null) refusePast(rest.expiresAt, now);
  const changes = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  // Without `enabled` the state stays as it is: somebody else may be changing it now.
  if (enabled === undefined) return changes;
  return { ...changes, disabledAt: enabled ? null : (key.disabledAt ?? now) };
}

/** The previous values of the edited fields, for the audit log. */
export function namedBefore(key: ApiKey, edit: KeyEdit): Readonly<Record<string, unknown>> {
  const before: Readonly<Record<string, unknown>> = { ...key, enabled: key.disabledAt === null };
  return Object.fromEntries(Object.keys(edit).map((name) => [name, before[name]]));
}

/** The rotation to this secret; earlier secrets stay valid for `overlapMs` after `now` (Unix ms). */
export function rotationTo(
  secret: string,
  { pepper, now, overlapMs }: { pepper: Secret; now: number; overlapMs: number },
): KeyRotation {
  const hash = hashKey(secret, pepper);
  return { hash, hint: maskedSecret(secret), at: now, earlierUntil: now + overlapMs, most: MAX_EARLIER_SECRETS };
}

/**
 * Refuses an overlap (ms) that is too long, or an overlap while too many earlier secrets are still valid.
 *
 * @param earlier - the number of replaced secrets that are still valid
 */
export function checkOverlap(overlapMs: number, earlier: number): void {
  if (!(overlapMs >= 0 && overlapMs <= MAX_OVERLAP_MS)) {
    throw invalid('overlap', `must be from 0 to ${MAX_OVERLAP_MS / DAY_MS} days`);
  }
  if (earlier >= MAX_EARLIER_SECRETS) {
    throw invalid('overlap', `must be 0: ${MAX_EARLIER_SECRETS} earlier secrets of this key are still valid`);
  }
}

/** A key and its use. */
export type UsedKey = {
  key: ApiKey;
  /** Spending in the current period of its spend limit; without a limit, in its whole life. */
  spent: NanoDollars;
  /** The end of the period (Unix ms); `null` if it has none. */
  spentUntil: number | null;
  /** The start of its last finished call; `null` if there was none. */
  lastUsedAt: number | null;
};

/** Keys of one organization, or of all (`null`), with their use. Oldest first; includes revoked keys. */
export async function listUsedKeys(
  { store, clock }: Pick<KeyParts, 'store' | 'clock'>,
  organizationId: string | null,
  page: KeyPage,
): Promise<UsedKey[]> {
  const now = clock.now();
  const keys = await store.list(organizationId, page);
  const ids = keys.map(({ id }) => id);
  return withUse(keys, await store.use(utcDay(now), ids), now);
}

/** Joins keys with their use in the current period. */
export function withUse(keys: readonly ApiKey[], uses: readonly KeyUse[], now: number): UsedKey[] {
  const use = new Map(uses.map((each) => [each.keyId, each]));
  return keys.map((key) => {
    const used = use.get(key.id);
    const per = key.spendLimit?.per ?? 'life';
    const { endsAt } = periodAt(per, now);
    return {
      key,
      spent: (used === undefined ? undefined : usedIn(used)[per]) ?? 0n,
      spentUntil: Number.isFinite(endsAt) ? endsAt : null,
      lastUsedAt: used?.lastUsedAt ?? null,
    };
  });
}

function usedIn({ inAll, inDay, inWeek, inMonth }: KeyUse): Record<SpendLimit['per'], NanoDollars> {
  return { life: inAll, day: inDay, week: inWeek, month: inMonth };
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

/** The source of a new key. Throws if `source` and `product` disagree. */
function sourceOf({ source, product }: z.output<typeof newKey>): Source {
  if (product === null) {
    if (source === 'product') throw invalid('product', 'must name the product, since the source is product');
    return source ?? 'api_key';
  }
  if (source === undefined || source === 'product') return 'product';
  throw invalid('source', `must be product for a product’s key, not ${source}`);
}

function invalid(param: string, fault: string): GatewayError {
  return new GatewayError('invalid_request', `${param}: ${fault}.`, { param });
}
