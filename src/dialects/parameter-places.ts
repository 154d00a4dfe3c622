import type { ParameterName } from '../core/parameters.ts';
import type { Envelope } from './dialect.ts';
import { member } from './request.ts';

/**
 * Where a dialect's bodies have each parameter: outermost members, or their members as `outer.inner`. These are all
 * places where a caller may set it, including those that only some vendors read.
 */
export type ParameterPlaces = Readonly<{
  of: Readonly<Record<ParameterName, readonly string[]>>;
  /** Parameters whose value may have to change with the amount of thinking. */
  besideThinking: readonly ParameterName[];
}>;

/** The names of the output limit at any vendor. */
const OUTPUT_LIMIT_PLACES = [
  'max_tokens',
  'max_completion_tokens',
  'max_output_tokens',
  'max_new_tokens',
  'n_predict',
] as const;

/** The parameters that have the same name in every dialect. */
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

/** Whether the caller sets a parameter; `null` does not set it. */
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
