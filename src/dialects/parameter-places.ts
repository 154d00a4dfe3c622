import type { ParameterName } from '../core/parameters.ts';
import type { Envelope } from './dialect.ts';
import { member } from './request.ts';

/**
 * Where a dialect's bodies say each parameter: outermost members, or members of these as `outer.inner`. All places where a caller
 * may say it, also those that only some vendors read.
 */
export type ParameterPlaces = Readonly<{
  of: Readonly<Record<ParameterName, readonly string[]>>;
  /** Parameters that may have to change with how much is thought. */
  besideThinking: readonly ParameterName[];
}>;

/** The names of the limit on output that one vendor or another reads. */
const OUTPUT_LIMIT_PLACES = [
  'max_tokens',
  'max_completion_tokens',
  'max_output_tokens',
  'max_new_tokens',
  'n_predict',
] as const;

/** What every dialect calls by the same name. */
export const SHARED_PLACES = {
  max_output_tokens: OUTPUT_LIMIT_PLACES,
  temperature: ['temperature'],
  top_p: ['top_p'],
  top_k: ['top_k'],
  frequency_penalty: ['frequency_penalty'],
  presence_penalty: ['presence_penalty'],
  seed: ['seed'],
  service_tier: ['service_tier'],
} as const satisfies Partial<ParameterPlaces['of']>;

/** Whether a caller says a parameter; `null` says nothing. */
export function isSaid({ of }: ParameterPlaces, envelope: Envelope, name: ParameterName): boolean {
  return of[name].some((place) => valueAt(place, (outer) => member(envelope, outer)) !== undefined);
}

/** The value at a place; `undefined` if there is none, or `null`. */
export function valueAt(place: string, outermost: (name: string) => unknown): unknown {
  const [outer = '', inner] = place.split('.');
  const value = outermost(outer) ?? undefined;
  if (inner === undefined || value === undefined) return value;
  return typeof value === 'object' ? ((value as Record<string, unknown>)[inner] ?? undefined) : undefined;
}
