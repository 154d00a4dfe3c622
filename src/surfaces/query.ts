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
