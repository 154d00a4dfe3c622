import { z } from 'zod';
import { GatewayError } from '../../core/errors.ts';
import { dollars, dollarsText, type NanoDollars } from '../../core/money.ts';
import { type ApiKey, SPEND_PERIODS, type SpendLimit, USAGE_SCOPES, type UsageScope } from '../../core/records.ts';
import { type KeyEdit, MAX_ALLOWED_MODELS, MAX_IP_RANGES, MAX_PER_MINUTE } from '../../keys/keys.ts';
import { decimal, seconds, text } from '../schema.ts';
import { amountIn, amountOfDollars, inSecondsOrNull, modelText } from './shared.ts';

/** What something may spend, as an answer shows it. */
export const SPEND_LIMIT = z
  .object({ amount_usd: decimal, amount_decimal: text, interval: z.enum(SPEND_PERIODS) })
  .nullable();

export function spendLimitJson(limit: SpendLimit | null) {
  if (limit === null) return null;
  const { amount, per } = limit;
  return { amount_usd: dollars(amount), amount_decimal: dollarsText(amount), interval: per };
}

/** Whose usage a key reads, as an answer shows it and in a body. */
export const KEY_USAGE = z
  .enum(USAGE_SCOPES, `must be one of ${USAGE_SCOPES.join(', ')}`)
  .describe(
    'Whose usage it reads: that of the organization, of its project, or its own alone. Nobody gives a key more than they may ' +
      'read themselves, and a person’s key never reads more than the person may.',
  );

/** How a key does. */
export const KEY_STATUS = z.enum(['active', 'disabled', 'expired']);

export function keyStatus(
  { expiresAt, disabledAt }: Pick<ApiKey, 'expiresAt' | 'disabledAt'>,
  now: number,
): z.output<typeof KEY_STATUS> {
  if (expiresAt !== null && expiresAt <= now) return 'expired';
  return disabledAt === null ? 'active' : 'disabled';
}

/** Who has made a key, as an answer shows it. */
export const CREATED_BY = z
  .object({ type: z.enum(['user', 'api_key', 'operator']), id: text.nullable(), name: text.nullable() })
  .nullable()
  .describe(
    'Who has made it: a person, the holder of a key that is nobody’s, or a command (`operator`). `null`: unknown, since it was made before this was kept.',
  );

/** How long the secret that a key has goes on beside another, in a body. */
export const overlapSeconds = z
  .int('must be a whole number')
  .min(0, 'must be at least 0')
  .default(0)
  .describe('How long the secret that it has goes on; at most 90 days.');

/** What a key may use, as an answer shows it. */
export const KEY_LIMITS = {
  allowed_models: z.array(text).nullable().describe('`null`: all that its project may.'),
  ip_ranges: z.array(text).nullable().describe('From where it may be used; `null`: from anywhere.'),
  max_requests_per_1_minute: z.int().nullable().describe('`null`: the default.'),
  max_tokens_per_1_minute: z.int().nullable().describe('`null`: the default.'),
  spend_limit: SPEND_LIMIT.describe('What it may spend; `amount_decimal` is exact.'),
  spent_usd: decimal.describe('What counts against its spend limit, in its period; in its life where it has none.'),
  spend_resets_at: seconds.nullable(),
};

const perMinute = z
  .int('must be a whole number')
  .min(1, 'must be greater than 0')
  .max(MAX_PER_MINUTE, `must be at most ${MAX_PER_MINUTE}`)
  .nullish();

/** What something may spend, in a body. */
export const spendLimitInBody = z.strictObject({
  amount_usd: amountOfDollars,
  interval: z.enum(SPEND_PERIODS, `must be one of ${SPEND_PERIODS.join(', ')}`).default('month'),
});

/** The same in a body: what is left out stays, `null` takes away. */
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

/** What a body changes of a key, in the words of its services. */
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

/** What services of keys call the members of a body. */
const MEMBERS: Readonly<Record<string, string>> = {
  expiresAt: 'expires_in_seconds',
  allowedModels: 'allowed_models',
  ipRanges: 'ip_ranges',
  requestsPerMinute: 'max_requests_per_1_minute',
  tokensPerMinute: 'max_tokens_per_1_minute',
  spendLimit: 'spend_limit',
  overlap: 'overlap_seconds',
};

/** Does what the rules of keys may refuse; the refusal names the member of the body. */
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

/** Throws `invalid_request` for what is no amount. */
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
