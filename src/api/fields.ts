import { z } from 'zod';
import { GatewayError } from '../core/errors.ts';
import { listedNameFault } from '../core/model-name.ts';
import { type NanoDollars, nanoDollarsOf } from '../core/money.ts';
import { nameFault } from '../core/printable-text.ts';
import type { Page } from '../core/settings.ts';
import { count, flag, named, seconds, text, wholeNumber } from './schema.ts';

/** The longest name of objects in the settings. */
export const MAX_NAME = 200;
/** The longest lifetime of a key, in seconds: a hundred years. */
const MAX_EXPIRY_SECONDS = 100 * 365 * 86_400;

/** Checks a name in a body. `faultOf`: another rule, for texts with several lines. */
export function readable(schema: z.ZodString, faultOf = nameFault): z.ZodString {
  return schema.refine((text) => faultOf(text) === null, { error: ({ input }) => faultOf(String(input)) ?? '' });
}

/** A name chosen by an administrator. */
export const nameText = readable(
  z.string('must be text').trim().min(1, 'must not be empty').max(MAX_NAME, `must have at most ${MAX_NAME} characters`),
);

/** A text that is stored and returned. */
export const keptText = readable(z.string('must be text').max(MAX_NAME, `must have at most ${MAX_NAME} characters`))
  .nullish()
  .describe('Stored and returned, without effect.');

/** An id in a body. */
export const idText = z.string('must be text').min(1, 'must not be empty').max(MAX_NAME, 'is not a valid id');
/** A name in a list of models. */
export const modelText = idText.refine((name) => listedNameFault(name) === null, {
  error: ({ input }) => listedNameFault(String(input)) ?? '',
});

/** An email address. */
export const emailText = z
  .string('must be an email address')
  .max(320, 'is too long for an address')
  .regex(/^[^\s@<>",;]+@[^\s@<>",;]+$/u, 'must be an email address');

/** A person's email address, in lower case. */
export const personEmail = emailText.toLowerCase().regex(/^\P{C}*$/u, 'must not contain characters that are not shown');

/** The version that the caller has read. The update is refused if another is in force. An extension of OpenAI's API. */
export const ifVersion = z
  .int('must be a whole number')
  .min(1, 'must be a whole number from 1')
  .exactOptional()
  .describe('The `version` that was read. If another is in force, nothing changes, and the answer is a 409.');

/** The same for objects that exist only once they are set. */
export const ifVersionOrNone = z
  .int('must be a whole number')
  .min(0, 'must be a whole number from 0')
  .exactOptional()
  .describe(
    'The `version` that was read, 0 if nothing was set. If another is in force, nothing changes, and the answer is a 409.',
  );

/** A member of a body that changes an object: without what stands for it if it is left out at the creation. */
type Changed<Member extends z.ZodType> =
  Member extends z.ZodDefault<infer Inner> ? Inner : Member extends z.ZodExactOptional<infer Inner> ? Inner : Member;

type ChangedMembers<Shape extends Readonly<Record<string, z.ZodType>>> = {
  -readonly [Name in keyof Shape]: z.ZodExactOptional<Changed<Shape[Name]>>;
};

/**
 * The bodies that create and change an object, from one shape. At the creation, members with a default and those that are
 * `exactOptional` may be left out; in a change all members may, and stay.
 *
 * @param name the schemas are `<name>Request` and `<name>Update`
 * @param only members of one of the two bodies
 */
export function writable<
  Shape extends Readonly<Record<string, z.ZodType>>,
  Create extends Readonly<Record<string, z.ZodType>> = Record<never, never>,
  Update extends Readonly<Record<string, z.ZodType>> = Record<never, never>,
>(name: string, shape: Shape, only: { create?: Create; update?: Update } = {}) {
  const isOptional = (member: z.ZodType) => member instanceof z.ZodDefault || member instanceof z.ZodExactOptional;
  const changed = Object.fromEntries(
    Object.entries(shape).map(([member, schema]) => [
      member,
      z.exactOptional(isOptional(schema) ? ((schema as z.ZodDefault).unwrap() as z.ZodType) : schema),
    ]),
  ) as ChangedMembers<Shape>;
  const { create = {} as Create, update = {} as Update } = only;
  return {
    create: named(`${name}Request`, z.strictObject({ ...create, ...shape })),
    update: named(`${name}Update`, z.strictObject({ ...changed, ...update, if_version: ifVersion })),
  };
}

/** The lifetime of a key from the request. */
export const expiresInSeconds = z
  .int('must be a whole number')
  .min(1, 'must be at least 1')
  .max(MAX_EXPIRY_SECONDS, `must be at most ${MAX_EXPIRY_SECONDS}`)
  .nullish();

/** The last second that a key may expire at, of the year 9999. */
const MAX_EXPIRY = 253_402_300_799;

/** The expiry of a key as a time. */
export const expiresAtTime = z
  .int('must be Unix seconds')
  .min(1, 'must be Unix seconds')
  .max(MAX_EXPIRY, `must be at most ${MAX_EXPIRY}`)
  .exactOptional()
  .describe('The expiry as a time, in Unix seconds, instead of `expires_in_seconds`.');

/** The expiry that a body names (Unix ms); `null` for never. Throws `invalid_request` for two, and for a past time. */
export function expiryIn(
  {
    expires_in_seconds: expiresIn,
    expires_at: end,
  }: { expires_in_seconds?: number | null | undefined; expires_at?: number },
  now: number,
): number | null {
  if (end === undefined) return endsAt(now, expiresIn);
  const refuse = (fault: string) =>
    new GatewayError('invalid_request', `\`expires_at\` ${fault}.`, { param: 'expires_at' });
  if (expiresIn != null) throw refuse('cannot be combined with `expires_in_seconds`');
  if (end * 1000 <= now) throw refuse('must be in the future');
  return end * 1000;
}

/** The end after this many seconds; `null` for never. */
export function endsAt(now: number, expiresIn: number | null | undefined): number | null {
  return expiresIn == null ? null : now + expiresIn * 1000;
}

export const version = z.int().min(1).describe('Grows with each change; see `if_version`.');
export const versionOrNone = z.int().min(0).describe('Grows with each change, 0 if nothing was set; see `if_version`.');

/** An amount in a body. */
export const amountOfDollars = z
  .union([z.number(), z.string()], 'must be an amount of dollars')
  .describe('A number, or a text for exact values: `"12.345678901"`.');

/** Throws `invalid_request` if this member of a body is not an amount. */
export function amountIn(written: number | string, param: string): NanoDollars {
  // Small numbers must not be written with an exponent.
  const isTiny = typeof written === 'number' && Math.abs(written) < 1e-6;
  const amount = nanoDollarsOf(isTiny ? written.toFixed(9) : String(written));
  if (amount !== null) return amount;
  throw new GatewayError('invalid_request', `\`${param}\` must be dollars with at most nine decimals.`, { param });
}

const MAX_SEARCH = 200;

/** A search text in a query. */
export const searchText = z
  .string('must be given')
  .trim()
  .min(1, 'must not be empty')
  .max(MAX_SEARCH, `must have at most ${MAX_SEARCH} characters`);

/** Several values in a query: `name[]=a&name[]=b`, or `name=a`. */
export function manyOf<Item extends z.ZodType>(item: Item) {
  return z.preprocess(
    (value) => (typeof value === 'string' ? [value] : value),
    z.array(item).max(100, 'may have at most 100 values'),
  );
}

/** `true` or `false` in a query. */
export const yesOrNo = z.preprocess(
  (value) => (value === 'true' ? true : value === 'false' ? false : value),
  z.boolean('must be true or false'),
);

/** The query of a list. All three of OpenAI's cursors are ids of items. */
export function pageQuery({ limit = 20, max = 100 }: { limit?: number; max?: number } = {}) {
  return z.object({
    limit: wholeNumber(1, max).default(limit).describe('Number of items.'),
    after: text.exactOptional().describe('Id of the last item of the previous page.'),
    before: text.exactOptional().describe('Id of the first item of the next page.'),
    order: z.enum(['asc', 'desc'], 'must be asc or desc').exactOptional().describe('By creation time.'),
  });
}

/** The query of a list with one direction. */
export function cursorQuery(bounds: { limit: number; max: number }) {
  return pageQuery(bounds).omit({ before: true });
}

/** A page that works with each of OpenAI's cursors. */
export function pageOf<Item extends z.ZodType>(id: string, item: Item) {
  return named(
    id,
    z.object({
      object: z.literal('list'),
      data: z.array(item),
      first_id: text.nullable(),
      last_id: text.nullable(),
      has_more: flag,
      next: text.nullable().describe('The `after` of the next page; `null` if there is none.'),
    }),
  );
}

/** @param idOf - the cursor of an item */
export function pageJson<Item extends { id: string }, Json>(
  { items, hasMore }: Page<Item>,
  json: (item: Item) => Json,
) {
  const first = items[0]?.id ?? null;
  const last = items.at(-1)?.id ?? null;
  return {
    object: 'list' as const,
    data: items.map(json),
    first_id: first,
    last_id: last,
    has_more: hasMore,
    next: hasMore ? last : null,
  };
}

export function deletedOf<const Name extends string>(id: string, object: Name) {
  return named(id, z.object({ id: text, object: z.literal(object), deleted: z.literal(true) }));
}

/** Unix seconds from Unix ms. */
export const inSeconds = (ms: number): number => Math.floor(ms / 1000);
export const inSecondsOrNull = (ms: number | null): number | null => (ms === null ? null : inSeconds(ms));

export const created = seconds.describe('Creation time in Unix seconds.');

/** Where a setting that the file may have is changed. */
export const origin = z.enum(['file', 'settings']).describe('`file`: it can be changed only in the configuration.');
export const setInPlace = z
  .object({ file: text, line: count.nullable() })
  .nullable()
  .describe('Where the configuration file says it, so that it is changed there alone.');
