import type { GatewayError } from '../../core/errors.ts';
import { NO_LOSSES } from '../../core/losses.ts';
import { type Usage, usageOf } from '../../core/usage.ts';
import { parseJson } from '../../json/parse.ts';
import type { StreamEvent } from '../dialect.ts';
import { isSet, reportedMembers } from '../members.ts';
import { laterUsage, readUsage } from '../openai-usage.ts';
import { reportedCostOf } from '../reported-cost.ts';
import { isObject } from '../unchecked-json.ts';
import { badPiece, readInnerError, readUnnamedError } from '../vendor-errors.ts';
import { RESPONSE } from './members.ts';
import type { WireChunk } from './wire.ts';

/** Reads a chunk of a stream. Returns the error if the chunk is one or cannot be read. */
export function readChunk({ event, data }: StreamEvent): WireChunk | GatewayError {
  let chunk: WireChunk;
  try {
    chunk = parseJson(data) as WireChunk;
  } catch (cause) {
    if (event === 'error' && data.trim() !== '') return readInnerError(data);
    return badPiece('is not JSON', cause);
  }
  if (typeof chunk !== 'object' || chunk === null) return badPiece('is not a chunk');
  // Google's errors are lists of one.
  if (chunk.error || event === 'error' || Array.isArray(chunk)) return readInnerError(chunk);
  return errorOfChoices(chunk) ?? chunk;
}

/**
 * The error in an answer or chunk without an `error` member: in a choice, as OpenRouter reports errors during
 * generation (https://openrouter.ai/docs/api-reference/errors), or another form of error in place of choices.
 */
export function errorOfChoices(chunk: WireChunk): GatewayError | null {
  const { choices } = chunk;
  const error = Array.isArray(choices) ? choices.find((choice) => choice?.error)?.error : undefined;
  if (error !== undefined) return readInnerError({ error });
  return Array.isArray(choices) && choices.length > 0 ? null : readUnnamedError({ ...chunk });
}

/** The usage of a chunk or an answer, in any place where vendors put it. */
export function usageIn(chunk: WireChunk): Usage | null {
  return (
    readUsage(chunk.usage, chunk) ??
    readUsage(chunk.x_groq?.usage, chunk) ??
    // Moonshot puts it in the last choice.
    (Array.isArray(chunk.choices) ? readUsage(chunk.choices.at(-1)?.usage, chunk) : null)
  );
}

/**
 * The usage of a stream so far, with that of its next chunk, which may have the cost of the call alone.
 *
 * @param later the usage in the chunk
 */
export function usageWith(earlier: Usage | null, chunk: WireChunk, later: Usage | null): Usage | null {
  if (later !== null || earlier === null || !isObject(chunk.usage)) return laterUsage(earlier, later);
  const reportedCost = reportedCostOf(chunk.usage);
  // A zero alone takes nothing back.
  const isTold = reportedCost !== undefined && (Number(reportedCost) > 0 || earlier.reportedCost === undefined);
  return isTold ? usageOf({ ...earlier, reportedCost }) : earlier;
}

const TOLD = reportedMembers(RESPONSE);

/** The names of the outermost members that other formats do not have. */
export function omittedIn(chunk: WireChunk): readonly string[] {
  const members = chunk as Readonly<Record<string, unknown>>;
  return TOLD.some((name) => isSet(members[name])) ? TOLD.filter((name) => isSet(members[name])) : NO_LOSSES;
}
