import { SOURCES, type Source } from '../../core/records.ts';
import { UsageError } from '../failure.ts';
import { momentOf } from '../when.ts';

/** The value of `--source`. Throws a `UsageError` if it is invalid. */
export function sourceOf(text: string | undefined): Source | undefined {
  const source = SOURCES.find((each) => each === text);
  if (source === undefined && text !== undefined) {
    throw new UsageError(`--source must be one of ${SOURCES.join(', ')}.`);
  }
  return source;
}

/** A past moment (Unix ms). Throws a `UsageError` if it is invalid. */
export function timeOf(option: string, text: string, now: number): number {
  const moment = momentOf(text, now, 'ago');
  if (moment !== null) return moment;
  throw new UsageError(`${option} must be a duration such as 7d or 12h, or a date such as 2026-11-01 (UTC).`);
}

/** The value of `--limit`. Throws a `UsageError` if it is out of bounds. */
export function limitOf(text: string | undefined, bounds: Bounds & { default: number }): number {
  return text === undefined ? bounds.default : numberOf('--limit', text, bounds);
}

type Bounds = { min: number; max: number };

/** A whole number of an option. Throws a `UsageError`. */
export function numberOf(option: string, text: string, bounds: Bounds): number {
  const limit = /^\d+$/.test(text) ? Number(text) : 0;
  if (limit >= bounds.min && limit <= bounds.max) return limit;
  throw new UsageError(`${option} must be a whole number from ${bounds.min} to ${bounds.max}.`);
}

/** The beginning of a period in the API (Unix seconds), from a moment in ms: no earlier call is left out. */
export function startOf(moment: number): number {
  return Math.max(0, Math.floor(moment / 1000));
}

/** The end of a period in the API, exclusive. */
export function endOf(moment: number): number {
  return Math.max(0, Math.ceil(moment / 1000));
}
