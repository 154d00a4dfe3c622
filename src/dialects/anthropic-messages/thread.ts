import { GatewayError } from '../../core/errors.ts';
import { hasMember } from '../../json/tape.ts';
import type { Thread } from '../dialect.ts';
import { missing, type RequestBody, rootOf, wrongType } from '../request.ts';

const THREAD = 'thread';
const PREVIOUS = 'previous_message_id';

/**
 * The place of the id of the answer that a thread continues. The id is checked: it must be of an answer of the same
 * key.
 */
export const THREAD_ID = `${THREAD}.${PREVIOUS}`;

/**
 * Members that change the meaning of a call: a vendor that does not know them must not answer the call without them.
 */
const ESSENTIAL = ['safeguards'] as const;

/**
 * The thread that a call creates or continues; `null` if none. Throws `GatewayError` (400) that names the field.
 * https://platform.claude.com/docs/en/build-with-claude/message-threads
 */
export function readThread(request: RequestBody): Thread | null {
  if (!hasMember(request.body, request.index, THREAD)) return null;
  const thread = rootOf(request).get(THREAD);
  if (thread === null || thread.isNull) return null;
  if (!thread.isObject) throw wrongType(THREAD, 'an object');
  const type = thread.get('type')?.text;
  if (type === 'create') return { kind: 'create' };
  if (type !== 'continue') throw wrongType(`${THREAD}.type`, '`create` or `continue`');
  const after = thread.get(PREVIOUS);
  if (after === null)
    throw missing(THREAD_ID, `You must send \`${THREAD_ID}\`, the id of the answer to continue from.`);
  if (after.text === null) throw wrongType(THREAD_ID, 'a string');
  return { kind: 'continue', after: after.text, madeBy: null };
}

/** The member of a call that only a vendor may serve whose own format this is; `null` if there is none. */
export function essentialIn(request: RequestBody): string | null {
  for (const name of ESSENTIAL) {
    if (hasMember(request.body, request.index, name) && rootOf(request).get(name)?.isNull === false) return name;
  }
  return null;
}

/** The error for a call with such a member at another vendor. */
export function unknownHere(param: string): GatewayError {
  const message = `\`${param}\` is known only to Anthropic, and another provider serves this model. Leave it out.`;
  return new GatewayError('invalid_request', message, { param, code: 'unsupported_parameter' });
}
