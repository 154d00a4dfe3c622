import { hasMember } from '../../json/tape.ts';
import type { Compared } from '../dialect.ts';
import { type RequestBody, rootOf } from '../request.ts';

export const DIAGNOSTICS = 'diagnostics';
const PREVIOUS = 'previous_message_id';

/** The id of the answer that a prompt is compared with. Whose answer that is, is looked up: it is no id that anybody may name. */
export const COMPARED_ID = `${DIAGNOSTICS}.${PREVIOUS}`;

/**
 * The earlier answer that the vendor is to compare the prompt with; `null` if the call asks for no diagnostics. The answer says no
 * more than where two prompts differ, so an id that may not be sent is left out: no call fails for it.
 * https://platform.claude.com/docs/en/build-with-claude/cache-diagnostics
 */
export function readCompared(request: RequestBody): Compared | null {
  if (!hasMember(request.body, request.index, DIAGNOSTICS)) return null;
  const diagnostics = rootOf(request).get(DIAGNOSTICS);
  if (diagnostics === null || !diagnostics.isObject) return null;
  const after = diagnostics.get(PREVIOUS);
  // Whatever is no string is nobody's id.
  return { after: after === null || after.isNull ? null : (after.text ?? ''), madeBy: null };
}

/** Where the id stands in the body of a call that has one. */
export function comparedIdIn(request: RequestBody): { start: number; end: number } | null {
  return rootOf(request).get(DIAGNOSTICS)?.get(PREVIOUS) ?? null;
}
