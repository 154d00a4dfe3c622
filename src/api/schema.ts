import { z } from 'zod';

/**
 * The vocabulary of the HTTP API's schemas. One schema checks requests, types answers and describes both in
 * `/openapi.json`.
 */
export const text = z.string();
export const flag = z.boolean();
export const decimal = z.number();
/** A count of tokens, attempts or milliseconds. */
export const count = z.int().min(0);
export const seconds = z.int().describe('Unix time in seconds.');
export const CREDENTIAL = text
  .exactOptional()
  .describe('The provider’s credential, shown only to administrators’ keys.');

/** Names a schema, so that the document contains it once and refers to it. */
export function named<Schema extends z.ZodType>(id: string, schema: Schema): Schema {
  return schema.meta({ id });
}

/** OpenAI's wrapper of a list. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z.object({ object: z.literal('list'), data: z.array(item) });
}

/** One of some words, in a query. */
export function oneOf<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words, `must be one of ${words.join(', ')}`);
}

/** A whole number within bounds, in a query: only digits. */
export function wholeNumber(min: number, max: number) {
  const fault = `must be a whole number from ${min} to ${max}`;
  const digits = (value: unknown) => (typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value);
  const error = ({ input }: { input?: unknown }) => (input === undefined ? 'must be given' : fault);
  return z.preprocess(digits, z.int({ error }).min(min, fault).max(max, fault));
}

/** The last second of a `Date`. */
const MAX_SECONDS = 8.64e12;

/** A moment in a query, in Unix seconds. */
export function unixSeconds() {
  return wholeNumber(0, MAX_SECONDS);
}

/** The type of an answer according to its schema; it may be read-only. */
export type Written<Schema extends z.ZodType> = DeepReadonly<z.input<Schema>>;

type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: DeepReadonly<T[Name]> }
    : T;
