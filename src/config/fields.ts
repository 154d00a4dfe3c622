import ipaddr from 'ipaddr.js';
import * as z from 'zod';
import { ipRangeFault } from '../core/ip-address.ts';
import { nanoDollars } from '../core/money.ts';
import { nameFault } from '../core/printable-text.ts';
import { COUNT, DURATION, SIZE, type Unit } from './units.ts';

/** Node.js fires timers of 2^31 ms or more at once. */
const MAX_TIMER = DURATION.parse('24d')!;
/** A body becomes a string, and V8 strings end just short of 512 MB. */
const MAX_SIZE = SIZE.parse('500MB')!;
const MAX_COUNT = 1_000_000_000;
const MAX_DOLLARS = 1_000_000_000;
const DECIMAL = /^\d+(\.\d+)?$/;
const SIGNED = /^-?\d+(\.\d+)?$/;

/**
 * The paths of calls, which documentation of vendors shows behind their address. Elsewhere than behind `/v1` the shorter ones
 * may be a proxy's own prefix.
 */
const CALL_PATH = /(?:\/chat\/completions|(?<=\/v1)\/(?:completions|responses|embeddings|messages))\/?$/;

/** The start of a variable reference, as a pattern. */
const REFERENCE = '\\$\\{';

/** A map with exactly these settings. A missing or empty map counts as `{}`. */
export function section<Shape extends z.ZodRawShape>(shape: Shape) {
  const object = z.strictObject(shape);
  return object.nullish().transform((value) => value ?? object.parse({}));
}

/** A map with keys of the operator's choice. A missing or empty map counts as `{}`. */
export function mapOf<Key extends z.ZodString, Value extends z.ZodType>(key: Key, value: Value) {
  return z
    .record(key, value)
    .nullish()
    .transform((entries) => new Map(Object.entries(entries ?? {})) as Map<string, z.output<Value>>);
}

/** Text that matches a pattern; `sentence` is the error. The JSON schema allows `${NAME}` too: see `orText`. */
export function text(look: RegExp, sentence: string) {
  return z
    .string()
    .regex(look, { error: sentence })
    .meta({ pattern: `${look.source}|${REFERENCE}` });
}

/** Text for people, such as a display name. */
export function name(look: RegExp, sentence: string) {
  return z
    .string()
    .refine((value) => nameFault(value) === null, { error: ({ input }) => nameFault(String(input)) ?? '' })
    .regex(look, { error: sentence })
    .meta({ pattern: `${look.source}|${REFERENCE}` });
}

/** A whole number. */
export function count(least: number, most = MAX_COUNT) {
  return quantity(COUNT, least, most);
}

/** A duration in milliseconds, within the limits of a timer. */
export function wait(least: number) {
  return quantity(DURATION, least, MAX_TIMER);
}

/** A duration in milliseconds that is not used for a timer. */
export function age(least: string, most: string) {
  return quantity(DURATION, DURATION.parse(least)!, DURATION.parse(most)!);
}

/** Bytes. */
export function size(least: number, most = MAX_SIZE) {
  return quantity(SIZE, least, most);
}

/** Dollars per million tokens, with at most six decimals. */
export function dollars() {
  const sentence = 'must be dollars per million tokens, from 0 to 1000000, with at most six decimals';
  return decimal({ least: 0, most: 1_000_000, decimals: 6, sentence });
}

/** Dollars per call of a tool. */
export function dollarsEach() {
  const sentence = 'must be dollars for one call, from 0 to 1000, with at most nine decimals';
  return decimal({ least: 0, most: 1000, decimals: 9, sentence });
}

/** A multiplier. */
export function factor() {
  const sentence = 'must be a number from 0.01 to 100, with at most six decimals';
  return decimal({ least: 0.01, most: 100, decimals: 6, sentence });
}

/** Dollars above 0, returned in nano-dollars. */
export function amount() {
  const sentence = `must be dollars above 0, up to ${MAX_DOLLARS}, with at most nine decimals`;
  return decimal({ least: 1e-9, most: MAX_DOLLARS, decimals: 9, sentence }).transform(nanoDollars);
}

/** A number within bounds. */
export function number(least: number, most: number) {
  const sentence = `must be a number from ${least} to ${most}`;
  return decimal({ least, most, look: SIGNED, sentence });
}

/** A fraction: at most 1. */
export function fraction(least = 0) {
  const sentence = `must be a number from ${least} to 1`;
  return decimal({ least, most: 1, sentence });
}

/** A boolean. */
export function flag() {
  return orText({
    schema: z.boolean(),
    pattern: '^(true|false)$',
    read: (word) => (word === 'true' ? true : word === 'false' ? false : null),
    fits: () => true,
    sentence: 'must be true or false',
  });
}

/** One of these words. A value that is not text is an error of type, which unions need to distinguish. */
export function word<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z
    .string()
    .pipe(z.enum(words))
    .meta({ enum: [...words] });
}

/** One item or a list of items, returned as a list. */
export function oneOrMore<Item extends z.ZodType>(item: Item) {
  const list = z.array(item).min(1, { error: 'must name at least one' });
  return z
    .union([item, list], { error: 'must be text, or a list of texts' })
    .transform((value) => (Array.isArray(value) ? value : [value]) as z.output<Item>[]);
}

/** An http or https address, returned without a trailing slash. */
export function address() {
  return z.string().transform((value, context) => {
    const fault = addressFault(value);
    if (fault === null) {
      const { origin, pathname } = new URL(value);
      return (origin + pathname).replace(/\/+$/, '');
    }
    context.addIssue({ code: 'custom', message: fault });
    return z.NEVER;
  });
}

/** The gateway's address for browsers, returned as an origin. Passkeys and secure cookies need TLS or localhost. */
export function publicUrl() {
  const sentence =
    'must be an https address without a path, such as https://gate.example.com, or http://localhost:8080';
  return z.string().transform((value, context) => {
    const url = URL.parse(value);
    const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && url.hostname === 'localhost');
    const isOrigin = url !== null && `${url.origin}/` === url.href;
    if (isSafe && isOrigin && !ipaddr.isValid(url.hostname.replace(/[[\]]/g, ''))) return url.origin;
    context.addIssue({ code: 'custom', message: sentence });
    return z.NEVER;
  });
}

/** The address of a mail server. */
export function smtpUrl() {
  const sentence = 'must be the address of a mail server, such as smtp://user:password@mail.example.com:587';
  return z
    .string()
    .refine(
      (value) => {
        const url = URL.parse(value);
        return url !== null && ['smtp:', 'smtps:'].includes(url.protocol) && url.hostname !== '';
      },
      { error: sentence },
    )
    .meta({ pattern: `^smtps?://|${REFERENCE}` });
}

/** An IP address or a CIDR range. */
export function ipRange() {
  return z
    .string()
    .refine((value) => ipRangeFault(value) === null, { error: ({ input }) => ipRangeFault(String(input)) ?? '' });
}

/** Request headers. Headers that frame a message or carry a key are refused: the gateway writes them. */
export function headers() {
  const name = text(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'is not a header name').refine(
    (value) => !OWN_HEADERS.has(value.toLowerCase()),
    { error: 'is a header that the gateway writes itself' },
  );
  return mapOf(name, text(/^[ -~]*$/, 'must be printable ASCII'));
}

const OWN_HEADERS: ReadonlySet<string> = new Set([
  'authorization',
  'connection',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** An amount with its unit, or a bare number. */
function quantity(unit: Unit, least: number, most: number) {
  const suffixes = unit.suffixes.length === 0 ? '' : `(${unit.suffixes.join('|')})?`;
  return orText({
    schema: z.number().meta({ type: 'integer', minimum: least, maximum: most }),
    pattern: `^\\d+${suffixes}$`,
    read: (amount) => unit.parse(amount),
    fits: (amount) => Number.isInteger(amount) && amount >= least && amount <= most,
    sentence: `must be ${unit.words}, from ${unit.format(least)} to ${unit.format(most)}`,
  });
}

/**
 * `decimals`: the largest number of decimals, if more would be rounded silently.
 * `look`: the pattern of the number as text (default: digits with an optional fraction).
 */
type Decimal = { least: number; most: number; decimals?: number; look?: RegExp; sentence: string };

function decimal({ least, most, decimals, look = DECIMAL, sentence }: Decimal) {
  return orText({
    schema: z.number().meta({ minimum: least, maximum: most }),
    pattern: look.source,
    read: (digits) => (look.test(digits) ? Number(digits) : null),
    fits: (value) =>
      value >= least && value <= most && (decimals === undefined || Number(value.toFixed(decimals)) === value),
    sentence,
  });
}

type OrText<Value> = {
  schema: z.ZodType<Value>;
  /** The pattern of the value as text. */
  pattern: string;
  /** Parses the text; `null` if it is invalid. */
  read(text: string): Value | null;
  fits(value: Value): boolean;
  sentence: string;
};

/**
 * A number or boolean, which may be written as text because environment variables are strings. The JSON schema allows
 * `${NAME}` too, since an editor sees the file before variables are filled in.
 */
function orText<Value extends number | boolean>({ schema, pattern, read, fits, sentence }: OrText<Value>) {
  const asText = z.string().meta({ pattern: `${pattern}|${REFERENCE}` });
  return z.union([schema, asText], { error: sentence }).transform((given, context): Value => {
    const value = typeof given === 'string' ? read(given) : given;
    if (value !== null && fits(value)) return value;
    context.addIssue({ code: 'custom', message: sentence });
    return z.NEVER;
  });
}

function addressFault(value: string): string | null {
  const url = URL.parse(value);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    return 'must be an http or https address, such as http://127.0.0.1:9000/v1';
  }
  if (url.username !== '' || url.password !== '') {
    return 'must not contain a user name or password; write the key in api_key';
  }
  if (url.search !== '' || url.hash !== '') return 'must end before any “?” or “#”';
  const path = CALL_PATH.exec(url.pathname)?.[0];
  if (path !== undefined) return `must end before “${path}”, which the gateway appends`;
  return null;
}
