import type { Losses } from '../../core/losses.ts';
import { opens, SEAL_MARK, unpackSeal } from '../../core/seal.ts';
import { fieldsWithout } from '../request.ts';
import { readDetails, withoutMarks, writeDetails } from './details.ts';
import { list, record, text } from './json.ts';

/**
 * Restores the seals that the gateway packed into the messages of a passing call for the provider that made them, and
 * removes those of others. Returns `null` if nothing changes: the seal mark may also occur in ordinary text.
 */
export function restoreSeals(messages: unknown, provider: string, losses: Losses): readonly unknown[] | null {
  let changed = false;
  const extraOf = (members: Record<string, unknown>): Record<string, unknown> => {
    if (members[EXTRA] === undefined) return members;
    const { value, makers } = withoutMarks(members[EXTRA]);
    if (makers.length === 0) return members;
    changed = true;
    if (makers.every((maker) => maker === provider)) return { ...members, [EXTRA]: value };
    losses.add('seal');
    return fieldsWithout(members, [EXTRA]);
  };
  const restored = list(messages).map((message) => {
    if (record(message).role !== 'assistant') return message;
    const { tool_calls: calls } = record(message);
    const plain = extraOf(record(message));
    const called = Array.isArray(calls) ? { ...plain, tool_calls: calls.map((call) => extraOf(record(call))) } : plain;
    if (!list(called.reasoning_details).some(isPacked)) return called;
    changed = true;
    return restoreMessage(called, provider, losses);
  });
  return changed ? restored : null;
}

/** Members of a message that hold reasoning: vendors that did not make it may refuse them. */
const REASONING_MEMBERS = ['reasoning_content', 'reasoning', 'reasoning_details'];
/** The member of a message or a call of a tool that holds a vendor's own data. */
const EXTRA = 'extra_content';

/**
 * The messages of a passing call without the reasoning, and without the vendor's own data, of any provider. Returns `null` if
 * there is none.
 */
export function removeSeals(messages: unknown, losses: Losses): readonly unknown[] | null {
  let changed = false;
  const without = (members: Record<string, unknown>, names: readonly string[]): Record<string, unknown> => {
    const found = names.filter((name) => Object.hasOwn(members, name));
    if (found.length === 0) return members;
    changed = true;
    for (const name of found) losses.add(name === EXTRA || name === 'reasoning_details' ? 'seal' : 'reasoning');
    return fieldsWithout(members, found);
  };
  const left = list(messages).map((message) => {
    if (record(message).role !== 'assistant') return message;
    const { tool_calls: calls, ...rest } = without(record(message), [...REASONING_MEMBERS, EXTRA]);
    if (!Array.isArray(calls)) return calls === undefined ? rest : { ...rest, tool_calls: calls };
    return { ...rest, tool_calls: calls.map((call) => without(record(call), [EXTRA])) };
  });
  return changed ? left : null;
}

function restoreMessage(
  { reasoning_details: details, ...message }: Record<string, unknown>,
  provider: string,
  losses: Losses,
): Record<string, unknown> {
  const all = readDetails(details);
  const parts = all.filter(({ seal }) => seal === null || opens(seal, 'openai-chat', provider));
  if (parts.length < all.length) losses.add('seal');
  const sealed = parts.some(({ seal }) => seal !== null);
  // Without seals, the plain text beside the details says the same.
  if (!sealed) return message;
  return { ...message, reasoning_details: parts.flatMap((part, index) => writeDetails(part, index)) };
}

function isPacked(entry: unknown): boolean {
  const { signature, data } = record(entry);
  const opaque = text(signature) || text(data);
  return opaque.startsWith(SEAL_MARK) && unpackSeal(opaque) !== null;
}
