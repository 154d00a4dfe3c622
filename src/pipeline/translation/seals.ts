import type { AnswerPart, Call } from '../../core/call.ts';
import type { GatewayError } from '../../core/errors.ts';
import { NO_LOSSES } from '../../core/losses.ts';

/** What vendors call the proofs of earlier reasoning and the members that hold it. */
const NAMED =
  /encrypted[_ ]content|signature|redacted_thinking|thinking`? block|compaction|\breasoning(?:_content|_details|_text| item)?\b|extra_content|extra inputs are not permitted|extra_forbidden/i;
/** A vendor that misses its reasoning must get it, and nothing less. */
const MISSED = /missing|must (?:be (?:passed|provided|included|sent)|start with)|is required|expected `?thinking/i;

/**
 * Whether a vendor refuses a call for what another has left in its conversation: encrypted reasoning
 * (https://platform.openai.com/docs/guides/reasoning), signatures
 * (https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking), or a member that it does not know.
 */
export function refusesSeals({ kind, message, code, param }: GatewayError): boolean {
  if (kind !== 'upstream_rejected') return false;
  return (
    code === 'invalid_encrypted_content' || (NAMED.test([message, code, param].join(' ')) && !MISSED.test(message))
  );
}

/** The call without reasoning of earlier turns, and the names of what that leaves out. */
export function withoutSeals(call: Call): { call: Call; dropped: readonly string[] } {
  let dropped = NO_LOSSES;
  const messages = call.messages.map((message) => {
    if (message.role !== 'assistant' || !message.parts.some(isReasoning)) return message;
    dropped = ['seal', 'reasoning'];
    return { ...message, parts: message.parts.filter((part) => !isReasoning(part)) };
  });
  return { call: { ...call, messages }, dropped };
}

function isReasoning({ kind }: AnswerPart): boolean {
  return kind === 'reasoning';
}
