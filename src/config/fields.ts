import ipaddr from 'ipaddr.js';
import * as z from 'zod';
import { ipRangeFault } from '../core/ip-address.ts';
import { nanoDollars } from '../core/money.ts';
import { nameFault } from '../core/shown-text.ts';
import { COUNT, DURATION, SIZE, type Unit } from './units.ts';

/** A timer of Node's that is set to 2^31 ms or more fires at once. */
const MAX_TIMER = DURATION.parse('24d')!;
/** A string in V8 ends just short of 512 MB, and a body is made into one. */
const MAX_SIZE = SIZE.parse('500MB')!;
const MAX_COUNT = 1_000_000_000;
const MAX_DOLLARS = 1_000_000_000;
const DECIMAL = /^\d+(\.\d+)?$/;
const SIGNED = /^-?\d+(\.\d+)?$/;

/** How a variable of the environment is named, as a pattern. */
const REFERENCE = '\\$\\{';

/** A map with exactly these settings. Left out or left empty, it is as if it were `{}`. */
export function section<Shape extends z.ZodRawShape>(shape: Shape) {
  const object = z.strictObject(shape);
  return object.nullish().transform((value) => value ?? object.parse({}));
}

/** A map whose keys the operator chooses. Left out or left empty, it has none. */
export function mapOf<Key extends z.ZodString, Value extends z.ZodType>(key: Key, value: Value) {
  return z
    .record(key, value)
    .nullish()
    .transform((entries) => new Map(Object.entries(entries ?? {})) as Map<string, z.output<Value>>);
}

/** Text of a certain look; `sentence` says which. The JSON schema admits `${NAME}` too: see `orText`. */
export function text(look: RegExp, sentence: string) {
  return z
    .string()
    .regex(look, { error: sentence })
    .meta({ pattern: `${look.source}|${REFERENCE}` });
}

/** A name that people give, or another text that they read. */
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

/** Milliseconds that a timer will wait. */
export function wait(least: number) {
  return quantity(DURATION, least, MAX_TIMER);
}

/** Milliseconds that no timer waits. */
export function age(least: string, most: string) {
  return quantity(DURATION, DURATION.parse(least)!, DURATION.parse(most)!);
}

/** Bytes. */
export function size(least: number, most = MAX_SIZE) {
  return quantity(SIZE, least, most);
}

/** Dollars per million tokens. Prices are kept with six decimals. */
export function dollars() {
  const sentence = 'must be dollars per million tokens, from 0 to 1000000, with at most six decimals';
  return decimal({ least: 0, most: 1_000_000, decimals: 6, sentence });
}

/** Dollars for one call of a tool, as they stand. */
export function dollarsEach() {
  const sentence = 'must be dollars for one call, from 0 to 1000, with at most nine decimals';
  return decimal({ least: 0, most: 1000, decimals: 9, sentence });
}

/** By how much something is multiplied, as it stands. */
export function factor() {
  const sentence = 'must be a number from 0.01 to 100, with at most six decimals';
  return decimal({ least: 0.01, most: 100, decimals: 6, sentence });
}

/** Dollars above 0, given back in nano-dollars, which nine decimals are. */
export function amount() {
  const sentence = `must be dollars above 0, up to ${MAX_DOLLARS}, with at most nine decimals`;
  return decimal({ least: 1e-9, most: MAX_DOLLARS, decimals: 9, sentence }).transform(nanoDollars);
}

/** A number within bounds, as it stands. */
export function number(least: number, most: number) {
  const sentence = `must be a number from ${least} to ${most}`;
  return decimal({ least, most, look: SIGNED, sentence });
}

/** A part of the whole: at most 1. */
export function fraction(least = 0) {
  const sentence = `must be a number from ${least} to 1`;
  return decimal({ least, most: 1, sentence });
}

/** Yes or no. */
export function flag() {
  return orText({
    schema: z.boolean(),
    pattern: '^(true|false)$',
    read: (word) => (word === 'true' ? true : word === 'false' ? false : null),
    fits: () => true,
    sentence: 'must be true or false',
  });
}

/** One of these words. A value that is no text at all is of another kind, which a union must be able to tell. */
export function word<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z
    .string()
    .pipe(z.enum(words))
    .meta({ enum: [...words] });
}

/** One of something, or a list of them; given back as a list. */
export function oneOrMore<Item extends z.ZodType>(item: Item) {
  const list = z.array(item).min(1, { error: 'must name at least one' });
  return z
    .union([item, list], { error: 'must be text, or a list of texts' })
    .transform((value) => (Array.isArray(value) ? value : [value]) as z.output<Item>[]);
}

/** An http or https address, given back without a slash at its end. */
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

/** Where browsers find the gateway, given back as an origin. Passkeys and safe cookies need TLS, or this very machine. */
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

/** An address, or a range in CIDR. */
export function ipRange() {
  return z
    .string()
    .refine((value) => ipRangeFault(value) === null, { error: ({ input }) => ipRangeFault(String(input)) ?? '' });
}

/** Names of request headers and what they hold. Those that frame a message or carry a key are the gateway's own to write. */
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

/** `decimals`: so many at most, where a finer number would be rounded without notice. */
/** `look`: of the number as text, digits with a fraction where it is left out. */
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
  /** How it looks as text. */
  pattern: string;
  /** The value that a text stands for; `null`: none. */
  read(text: string): Value | null;
  fits(value: Value): boolean;
  sentence: string;
};

/**
 * A number, or yes or no; written as text it counts as well, because the environment has nothing but strings. The JSON schema
 * admits `${NAME}` too, since an editor sees the file before it is filled in.
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
    return 'must hold no user name or password; a key belongs in api_key';
  }
  if (url.search !== '' || url.hash !== '') return 'must end before any “?” or “#”';
  return null;
}
