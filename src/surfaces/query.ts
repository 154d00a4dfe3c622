import { GatewayError } from '../core/errors.ts';

/** A query as Fastify hands it over: a parameter that stands twice is a list. */
export type Query = Readonly<Record<string, string | string[] | undefined>>;

/** A parameter that may stand once; `undefined` where it does not stand, or is empty. */
export function textOf(query: Query, param: string): string | undefined {
  const value = query[param];
  if (Array.isArray(value)) throw new GatewayError('invalid_request', `\`${param}\` may be given once.`, { param });
  return value === '' ? undefined : value;
}

/** A whole number within bounds, or the default. */
export function numberOf(query: Query, param: string, bounds: { min: number; max: number; default: number }): number {
  const text = textOf(query, param);
  if (text === undefined) return bounds.default;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < bounds.min || value > bounds.max) {
    throw new GatewayError(
      'invalid_request',
      `\`${param}\` must be a whole number from ${bounds.min} to ${bounds.max}.`,
      { param },
    );
  }
  return value;
}

/** One of some words; `undefined` where it does not stand. */
export function oneOf<Word extends string>(query: Query, param: string, words: readonly Word[]): Word | undefined {
  const text = textOf(query, param);
  if (text === undefined) return undefined;
  const word = words.find((each) => each === text);
  if (word !== undefined) return word;
  throw new GatewayError('invalid_request', `\`${param}\` must be one of ${words.join(', ')}.`, { param });
}

/** The last second that a `Date` can hold. */
const MAX_SECONDS = 8.64e12;

/** Unix seconds, as Unix milliseconds; `undefined` where none are given. */
export function timeOf(query: Query, param: string): number | undefined {
  if (textOf(query, param) === undefined) return undefined;
  return numberOf(query, param, { min: 0, max: MAX_SECONDS, default: 0 }) * 1000;
}
