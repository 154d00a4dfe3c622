import { nanoDollarsOf } from '../../core/money.ts';
import {
  KEY_SOURCES,
  type Source,
  SPEND_PERIODS,
  type SpendLimit,
  USAGE_SCOPES,
  type UsageScope,
} from '../../core/records.ts';
import type { Options } from '../command.ts';
import { UsageError } from '../failure.ts';
import { amountBody } from '../spend-text.ts';
import { momentOf } from '../when.ts';

export const KEY_OPTIONS: Options = {
  name: { value: 'NAME', about: 'Name of the key.', required: true },
  organization: { value: 'ID', about: 'The organization (default: the first).' },
  project: { value: 'ID', about: 'The project (default: the default project).' },
  source: {
    value: 'SOURCE',
    about: `Source of its usage: ${KEY_SOURCES.join(', ')} (default: the first).`,
  },
  product: {
    value: 'PRODUCT',
    about: 'The product it belongs to; its source is then product.',
  },
  admin: {
    value: null,
    about: 'Show what is for operators: status, credentials, the system route.',
  },
  usage: {
    value: 'SCOPE',
    about: `Usage it can read: ${USAGE_SCOPES.join(', ')} (its own calls). Default: the first.`,
  },
  expires: { value: 'WHEN', about: 'After a duration (90d, 12h) or at a date (2027-01-31, or 2027-01-31T09:00:00Z).' },
  models: { value: 'A,B', about: 'The only models it may use (default: all).' },
  'requests-per-minute': { value: 'N', about: 'Default: limits.requests_per_minute of the configuration.' },
  'tokens-per-minute': { value: 'N', about: 'Default: limits.tokens_per_minute of the configuration.' },
  'spend-limit': { value: 'USD', about: 'Dollars it may spend: 25 in total, 25/day, 25/week or 25/month (UTC).' },
  per: { value: 'PERIOD', about: `Period of --spend-limit: ${SPEND_PERIODS.join(', ')}.` },
};

/** The option of each field of a key in the API. */
export const KEY_OPTION_OF: Readonly<Record<string, string>> = {
  name: '--name',
  project_id: '--project',
  source: '--source',
  usage: '--usage',
  product: '--product',
  expires_at: '--expires',
  expires_in_seconds: '--expires',
  allowed_models: '--models',
  max_requests_per_1_minute: '--requests-per-minute',
  max_tokens_per_1_minute: '--tokens-per-minute',
  spend_limit: '--spend-limit',
  overlap_seconds: '--overlap',
  id: 'ID',
};

type Values = Readonly<Record<string, string | undefined>>;

/** The limits of a key in a body. `expires_at` in Unix seconds; `null` for none. */
type WantedLimits = {
  usage?: UsageScope;
  expires_at?: number | null;
  allowed_models?: readonly string[] | null;
  max_requests_per_1_minute?: number | null;
  max_tokens_per_1_minute?: number | null;
  spend_limit?: ReturnType<typeof amountBody>;
};
/** A key to create. */
export type WantedKey = WantedLimits & { name: string; source?: Source; project_id?: string; product: string | null };
/** The changes of a key. */
export type WantedEdit = WantedLimits & { name?: string; enabled?: boolean };

/** The key that the options describe. Throws a `UsageError` that names the faulty option. */
export function wantedKey(values: Values, now: number): WantedKey {
  return {
    name: values.name ?? '',
    ...(values.source === undefined ? {} : { source: sourceOf(values.source) }),
    ...(values.usage === undefined ? {} : { usage: scopeOf(values.usage) }),
    ...(values.project === undefined ? {} : { project_id: values.project }),
    product: values.product ?? null,
    expires_at: values.expires === undefined ? null : endOf(values.expires, now),
    allowed_models: values.models === undefined ? null : modelsOf(values.models),
    max_requests_per_1_minute: wholeNumber(values, 'requests-per-minute'),
    max_tokens_per_1_minute: wholeNumber(values, 'tokens-per-minute'),
    spend_limit: amountBody(spendLimitOf(values['spend-limit'], values.per)),
  };
}

/** The value that removes a setting. */
export const NONE = 'none';

export const EDIT_OPTIONS: Options = {
  name: { value: 'NAME', about: 'Name of the key.' },
  on: { value: null, about: 'Turn it on again.' },
  off: { value: null, about: 'Turn it off: it is refused until it is on again.' },
  expires: { value: 'WHEN', about: `As for a new key, or ${NONE}.` },
  usage: { value: 'SCOPE', about: `Usage it can read: ${USAGE_SCOPES.join(', ')}.` },
  models: { value: 'A,B', about: `The only models it may use, or ${NONE} for all.` },
  'requests-per-minute': { value: 'N', about: `Or ${NONE}, for the configuration’s limit.` },
  'tokens-per-minute': { value: 'N', about: `Or ${NONE}, for the configuration’s limit.` },
  'spend-limit': { value: 'USD', about: `As for a new key, or ${NONE}.` },
  per: { value: 'PERIOD', about: `Period of --spend-limit: ${SPEND_PERIODS.join(', ')}.` },
};

/**
 * The changes that the options describe. Throws a `UsageError` that names the faulty option, or says that there is
 * none.
 */
export function wantedEdit(values: Values, flags: ReadonlySet<string>, now: number): WantedEdit {
  if (flags.has('on') && flags.has('off')) throw new UsageError('--on and --off cannot be used together.');
  const read = <Value>(option: string, readText: (text: string) => Value): Value | null | undefined => {
    const text = values[option];
    return text === undefined ? undefined : text === NONE ? null : readText(text);
  };
  const wanted = {
    name: values.name,
    enabled: flags.has('on') ? true : flags.has('off') ? false : undefined,
    usage: values.usage === undefined ? undefined : scopeOf(values.usage),
    expires_at: read('expires', (text) => endOf(text, now)),
    allowed_models: read('models', modelsOf),
    max_requests_per_1_minute: read('requests-per-minute', () => wholeNumber(values, 'requests-per-minute')),
    max_tokens_per_1_minute: read('tokens-per-minute', () => wholeNumber(values, 'tokens-per-minute')),
    spend_limit:
      values.per === undefined
        ? read('spend-limit', (text) => amountBody(spendLimitOf(text, undefined)))
        : amountBody(spendLimitOf(values['spend-limit'], values.per)),
  };
  const given = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
  if (Object.keys(given).length > 0) return given;
  throw new UsageError(
    `Nothing is to be changed: name one of ${Object.keys(EDIT_OPTIONS)
      .map((each) => `--${each}`)
      .join(', ')}.`,
  );
}

function modelsOf(text: string): string[] {
  return text.split(',').map((model) => model.trim());
}

function scopeOf(text: string): UsageScope {
  const scope = USAGE_SCOPES.find((each) => each === text);
  if (scope === undefined) throw new UsageError(`--usage must be one of ${USAGE_SCOPES.join(', ')}.`);
  return scope;
}

function sourceOf(text: string): Source {
  const source = KEY_SOURCES.find((each) => each === text);
  if (source === undefined) throw new UsageError(`--source must be one of ${KEY_SOURCES.join(', ')}.`);
  return source;
}

function expiryOf(text: string, now: number): number {
  const moment = momentOf(text, now, 'ahead');
  if (moment !== null) return moment;
  throw new UsageError(
    '--expires must be a duration such as 90d or 12h, or a date such as 2027-01-31 (its first moment, UTC).',
  );
}

/** The end in `--expires` (Unix seconds). Throws a `UsageError` if it is invalid or past. */
function endOf(text: string, now: number): number {
  const moment = expiryOf(text, now);
  if (moment <= now) throw new UsageError('--expires must be in the future.');
  return Math.ceil(moment / 1000);
}

/** The member of a body for `--expires`, if it is given. Throws as `endOf` does. */
export function expiryBody(text: string | undefined, now: number): { expires_at?: number } {
  return text === undefined ? {} : { expires_at: endOf(text, now) };
}

function wholeNumber(values: Values, option: string): number | null {
  const text = values[option];
  if (text === undefined) return null;
  if (/^\d+$/.test(text)) return Number(text);
  throw new UsageError(`--${option} must be a whole number.`);
}

/** The value of `--spend-limit` and `--per`. Throws a `UsageError` that names them. */
export function spendLimitOf(text: string | undefined, per: string | undefined): SpendLimit | null {
  if (text === undefined) {
    if (per === undefined) return null;
    throw new UsageError('--per needs a --spend-limit.');
  }
  const [, dollars, period] = /^\$?([\d.]+)(?:\/(\w+))?$/.exec(text) ?? [];
  const amount = dollars === undefined ? null : nanoDollarsOf(dollars);
  if (amount === null)
    throw new UsageError('--spend-limit must be dollars such as 25, 0.50, 25/day, 25/week or 25/month.');
  if (period !== undefined && per !== undefined && period !== per) {
    throw new UsageError(`--spend-limit has the period ${period}, but --per is ${per}.`);
  }
  const said = period ?? per ?? SPEND_PERIODS[0];
  const known = SPEND_PERIODS.find((each) => each === said);
  if (known === undefined)
    throw new UsageError(`The period of a spend limit must be one of ${SPEND_PERIODS.join(', ')}, not ${said}.`);
  return { amount, per: known };
}
