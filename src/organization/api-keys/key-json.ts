import { z } from 'zod';
import { amountIn, amountOfDollars, inSecondsOrNull, modelText } from '../../api/fields.ts';
import { decimal, seconds, text } from '../../api/schema.ts';
import { GatewayError } from '../../core/errors.ts';
import { dollars, dollarsText, type NanoDollars } from '../../core/money.ts';
import { type ApiKey, SPEND_PERIODS, type SpendLimit, USAGE_SCOPES, type UsageScope } from '../../core/records.ts';
import { type KeyEdit, MAX_ALLOWED_MODELS, MAX_IP_RANGES, MAX_PER_MINUTE } from '../../keys/keys.ts';

/** A spend limit in an answer. */
export const SPEND_LIMIT = z
  .object({ amount_usd: decimal, amount_decimal: text, interval: z.enum(SPEND_PERIODS) })
  .nullable();

export function spendLimitJson(limit: SpendLimit | null) {
  if (limit === null) return null;
  const { amount, per } = limit;
  return { amount_usd: dollars(amount), amount_decimal: dollarsText(amount), interval: per };
}

/** A key's usage scope, in answers and bodies. */
export const KEY_USAGE = z
  .enum(USAGE_SCOPES, `must be one of ${USAGE_SCOPES.join(', ')}`)
  .describe(
    'Usage it can read: its organization’s, its project’s, or only its own. Nobody can give a key a wider scope than their ' +
      'own, and a person’s key never reads more than the person may.',
  );

/** The status of a key. */
export const KEY_STATUS = z.enum(['active', 'disabled', 'expired']);

export function keyStatus(
  { expiresAt, disabledAt }: Pick<ApiKey, 'expiresAt' | 'disabledAt'>,
  now: number,
): z.output<typeof KEY_STATUS> {
  if (expiresAt !== null && expiresAt <= now) return 'expired';
  return disabledAt === null ? 'active' : 'disabled';
}

/** The creator of a key, in an answer. */
export const CREATED_BY = z
  .object({ type: z.enum(['user', 'api_key', 'operator']), id: text.nullable(), name: text.nullable() })
  .nullable()
  .describe(
    'The creator: a person, the holder of a key without owner, or a command (`operator`). `null` if unknown, for older keys.',
  );

/** How long the old secret stays valid, in a body. */
export const overlapSeconds = z
  .int('must be a whole number')
  .min(0, 'must be at least 0')
  .default(0)
  .describe('How long the old secret stays valid; at most 90 days.');

/** The limits of a key, in an answer. */
export const KEY_LIMITS = {
  allowed_models: z.array(text).nullable().describe('`null`: everything its project may use.'),
  ip_ranges: z.array(text).nullable().describe('From where it may be used; `null`: from anywhere.'),
  max_requests_per_1_minute: z.int().nullable().describe('`null`: the default.'),
  max_tokens_per_1_minute: z.int().nullable().describe('`null`: the default.'),
  spend_limit: SPEND_LIMIT.describe('The spend limit; `amount_decimal` is exact.'),
  spent_usd: decimal.describe('What counts against its spend limit in the period; without one, all its spending.'),
  spend_resets_at: seconds.nullable(),
};

const perMinute = z
  .int('must be a whole number')
  .min(1, 'must be greater than 0')
  .max(MAX_PER_MINUTE, `must be at most ${MAX_PER_MINUTE}`)
  .nullish();

/** A spend limit in a body. */
export const spendLimitInBody = z.strictObject({
  amount_usd: amountOfDollars,
  interval: z.enum(SPEND_PERIODS, `must be one of ${SPEND_PERIODS.join(', ')}`).default('month'),
});

/** The same in a body: members that are left out stay, `null` removes. */
export const keyLimits = {
  allowed_models: z
    .array(modelText, 'must be a list')
    .max(MAX_ALLOWED_MODELS, `must name at most ${MAX_ALLOWED_MODELS} models`)
    .nullish(),
  ip_ranges: z
    .array(z.string('must be text'), 'must be a list')
    .max(MAX_IP_RANGES, `must name at most ${MAX_IP_RANGES} ranges`)
    .nullish()
    .describe('Addresses and ranges such as `10.0.0.0/8`.'),
  max_requests_per_1_minute: perMinute,
  max_tokens_per_1_minute: perMinute,
  spend_limit: spendLimitInBody.nullish(),
};

type LimitsInBody = z.output<z.ZodObject<typeof keyLimits>> & {
  name?: string;
  enabled?: boolean;
  scopes?: string[];
  usage?: UsageScope;
};

/** The changes of a key in a body, in the terms of its services. */
export function editFromBody(body: LimitsInBody): KeyEdit {
  const { allowed_models, ip_ranges, max_requests_per_1_minute, max_tokens_per_1_minute, spend_limit, ...rest } = body;
  return {
    ...rest,
    ...(allowed_models !== undefined && { allowedModels: allowed_models }),
    ...(ip_ranges !== undefined && { ipRanges: ip_ranges }),
    ...(max_requests_per_1_minute !== undefined && { requestsPerMinute: max_requests_per_1_minute }),
    ...(max_tokens_per_1_minute !== undefined && { tokensPerMinute: max_tokens_per_1_minute }),
    ...(spend_limit !== undefined && { spendLimit: spend_limit === null ? null : spendLimitOf(spend_limit) }),
  };
}

/** The body's members by their names in services of keys. */
const MEMBERS: Readonly<Record<string, string>> = {
  expiresAt: 'expires_in_seconds',
  allowedModels: 'allowed_models',
  ipRanges: 'ip_ranges',
  requestsPerMinute: 'max_requests_per_1_minute',
  tokensPerMinute: 'max_tokens_per_1_minute',
  spendLimit: 'spend_limit',
  overlap: 'overlap_seconds',
};

/** Runs an operation of keys. A refusal names the member of the body. */
export async function inMembers<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof GatewayError) || error.param === null) throw error;
    const [field = '', ...rest] = error.param.split('.');
    const param = [MEMBERS[field] ?? field, ...rest].join('.');
    throw error.with({ message: error.message.replace(`${error.param}: `, `\`${param}\` `), param });
  }
}

/** Throws `invalid_request` if it is not an amount. */
export function spendLimitOf({ amount_usd: written, interval }: z.output<typeof spendLimitInBody>): SpendLimit {
  return { amount: amountIn(written, 'spend_limit.amount_usd'), per: interval };
}

export function limitsJson(key: ApiKey, { spent, spentUntil }: { spent: NanoDollars; spentUntil: number | null }) {
  return {
    allowed_models: key.allowedModels,
    ip_ranges: key.ipRanges,
    max_requests_per_1_minute: key.requestsPerMinute,
    max_tokens_per_1_minute: key.tokensPerMinute,
    spend_limit: spendLimitJson(key.spendLimit),
    spent_usd: dollars(spent),
    spend_resets_at: inSecondsOrNull(spentUntil),
  };
}
