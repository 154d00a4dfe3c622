import type { NanoDollars } from '../../core/money.ts';
import { SOURCES, type Source, type SpendLimit } from '../../core/records.ts';
import type { NewKey } from '../../keys/keys.ts';
import type { Options } from '../command.ts';
import { UsageError } from '../failure.ts';
import { momentOf } from '../when.ts';

/** Of what a key may spend. */
const PERIODS = ['life', 'day', 'month'] as const satisfies readonly SpendLimit['per'][];

export const KEY_OPTIONS: Options = {
  name: { value: 'NAME', about: 'What it is for.', required: true },
  organization: { value: 'ID', about: 'Who owns it; left out, the first organization.' },
  source: { value: 'SOURCE', about: `What its usage counts as: ${SOURCES.join(', ')}; left out, the first of these.` },
  product: {
    value: 'PRODUCT',
    about: 'The product of the configuration that it belongs to; its source is then product.',
  },
  admin: {
    value: null,
    about: 'It may see what is for those who run the gateway: status, credentials, the system route.',
  },
  expires: { value: 'WHEN', about: 'After a while (90d, 12h) or at a date (2027-01-31, or 2027-01-31T09:00:00Z).' },
  models: { value: 'A,B', about: 'The only models it may use.' },
  'requests-per-minute': { value: 'N', about: 'Left out, limits.requests_per_minute of the configuration.' },
  'tokens-per-minute': { value: 'N', about: 'Left out, limits.tokens_per_minute of the configuration.' },
  'spend-limit': { value: 'USD', about: 'Dollars it may spend: 25 in its life, 25/day or 25/month (UTC).' },
  per: { value: 'PERIOD', about: `Another way to say what --spend-limit is for: ${PERIODS.join(', ')}.` },
};

/** Which option sets a field of a new key. */
const OPTION_OF: Readonly<Record<string, string>> = {
  name: '--name',
  source: '--source',
  product: '--product',
  expiresAt: '--expires',
  allowedModels: '--models',
  requestsPerMinute: '--requests-per-minute',
  tokensPerMinute: '--tokens-per-minute',
  spendLimit: '--spend-limit',
};

type Values = Readonly<Record<string, string | undefined>>;

/** A key to be made, but for who owns it. */
export type WantedKey = Omit<NewKey, 'organizationId'>;

/** The key that the options ask for. Throws a `UsageError` that names the option at fault. */
export function wantedKey(values: Values, now: number): WantedKey {
  return {
    name: values.name ?? '',
    ...(values.source === undefined ? {} : { source: sourceOf(values.source) }),
    product: values.product ?? null,
    expiresAt: values.expires === undefined ? null : expiryOf(values.expires, now),
    allowedModels: values.models === undefined ? null : values.models.split(',').map((model) => model.trim()),
    requestsPerMinute: wholeNumber(values, 'requests-per-minute'),
    tokensPerMinute: wholeNumber(values, 'tokens-per-minute'),
    spendLimit: spendLimitOf(values['spend-limit'], values.per),
  };
}

/** A refusal of a new key in the words of the command line. `message` begins with the path of the field at fault. */
export function refusedKey({ param, message }: { param: string | null; message: string }): UsageError {
  const field = param?.split('.')[0] ?? '';
  return new UsageError(message.replace(param ?? '', OPTION_OF[field] ?? field));
}

function sourceOf(text: string): Source {
  const source = SOURCES.find((each) => each === text);
  if (source === undefined) throw new UsageError(`--source must be one of ${SOURCES.join(', ')}.`);
  return source;
}

function expiryOf(text: string, now: number): number {
  const moment = momentOf(text, now, 'ahead');
  if (moment !== null) return moment;
  throw new UsageError(
    '--expires must be a while such as 90d or 12h, or a date such as 2027-01-31 (its first moment, UTC).',
  );
}

function wholeNumber(values: Values, option: string): number | null {
  const text = values[option];
  if (text === undefined) return null;
  if (/^\d+$/.test(text)) return Number(text);
  throw new UsageError(`--${option} must be a whole number.`);
}

function spendLimitOf(text: string | undefined, per: string | undefined): SpendLimit | null {
  if (text === undefined) {
    if (per === undefined) return null;
    throw new UsageError('--per says what a --spend-limit is for, and there is none.');
  }
  const [, dollars, period] = /^\$?([\d.]+)(?:\/(\w+))?$/.exec(text) ?? [];
  const amount = dollars === undefined ? null : amountOf(dollars);
  if (amount === null) throw new UsageError('--spend-limit must be dollars such as 25, 0.50, 25/day or 25/month.');
  if (period !== undefined && per !== undefined && period !== per) {
    throw new UsageError(`--spend-limit says per ${period}, and --per says ${per}.`);
  }
  const said = period ?? per ?? PERIODS[0];
  const known = PERIODS.find((each) => each === said);
  if (known === undefined) throw new UsageError(`A spend limit is for one of ${PERIODS.join(', ')}, not ${said}.`);
  return { amount, per: known };
}

/** Nano-dollars, read digit by digit: no amount is rounded. */
function amountOf(dollars: string): NanoDollars | null {
  const [, whole, fraction = ''] = /^(\d+)(?:\.(\d{1,9}))?$/.exec(dollars) ?? [];
  return whole === undefined ? null : BigInt(whole + fraction.padEnd(9, '0'));
}
