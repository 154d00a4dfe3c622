import type { GatewayError } from '../../core/errors.ts';
import { NO_LOSSES } from '../../core/losses.ts';
import type { Usage } from '../../core/usage.ts';
import { parseJson } from '../../json/parse.ts';
import type { StreamEvent } from '../dialect.ts';
import { ownTold, saysSomething } from '../members.ts';
import { readUsage } from '../openai-usage.ts';
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
 * The error in an answer or chunk that has none of its own: in a choice, as OpenRouter tells what goes wrong under way
 * (https://openrouter.ai/docs/api-reference/errors), or in other words in the place of any choice.
 */
export function errorOfChoices(chunk: WireChunk): GatewayError | null {
  const { choices } = chunk;
  const error = Array.isArray(choices) ? choices.find((choice) => choice?.error)?.error : undefined;
  if (error !== undefined) return readInnerError({ error });
  return Array.isArray(choices) && choices.length > 0 ? null : readUnnamedError({ ...chunk });
}

/** The usage of a chunk or an answer, wherever the vendor puts it. */
export function usageIn(chunk: WireChunk): Usage | null {
  return (
    readUsage(chunk.usage, chunk) ??
    readUsage(chunk.x_groq?.usage, chunk) ??
    // Moonshot puts it in the last choice.
    (Array.isArray(chunk.choices) ? readUsage(chunk.choices.at(-1)?.usage, chunk) : null)
  );
}

const TOLD = ownTold(RESPONSE);

/** The names of outermost members that no other dialect has a word for. */
export function unreadOf(chunk: WireChunk): readonly string[] {
  const members = chunk as Readonly<Record<string, unknown>>;
  return TOLD.some((name) => saysSomething(members[name]))
    ? TOLD.filter((name) => saysSomething(members[name]))
    : NO_LOSSES;
}
