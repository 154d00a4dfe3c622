import type { Losses } from '../../core/losses.ts';
import { opens, unpackSeal } from '../../core/seal.ts';
import { fieldsWithout } from '../request.ts';
import { listOf, objectOf } from '../unchecked-json.ts';
import { opaqueIn, readDetails, VENDOR_DATA_MEMBERS, withoutMarks, writeDetails } from './details.ts';

/**
 * Restores the seals that the gateway packed into the messages of a passing call for the provider that made them, and
 * removes those of others. Returns `null` if nothing changes: the seal mark may also occur in ordinary text.
 */
export function restoreSeals(messages: unknown, provider: string, losses: Losses): readonly unknown[] | null {
  let changed = false;
  const extraOf = (members: Record<string, unknown>): Record<string, unknown> => {
    let kept = members;
    for (const name of VENDOR_DATA_MEMBERS) {
      if (kept[name] === undefined) continue;
      const { value, makers } = withoutMarks(kept[name]);
      if (makers.length === 0) continue;
      changed = true;
      const isOwn = makers.every((maker) => maker === provider);
      if (!isOwn) losses.add('seal');
      kept = isOwn ? { ...kept, [name]: value } : fieldsWithout(kept, [name]);
    }
    return kept;
  };
  const restored = listOf(messages).map((message) => {
    if (objectOf(message).role !== 'assistant') return message;
    const { tool_calls: calls } = objectOf(message);
    const plain = extraOf(objectOf(message));
    const called = Array.isArray(calls)
      ? { ...plain, tool_calls: calls.map((call) => ofCall(objectOf(call), extraOf)) }
      : plain;
    if (!listOf(called.reasoning_details).some(isPacked)) return called;
    changed = true;
    return restoreMessage(called, provider, losses);
  });
  return changed ? restored : null;
}

/** Members of a message that hold reasoning: vendors that did not make it may refuse them. */
const REASONING_MEMBERS = ['reasoning_content', 'reasoning', 'reasoning_details'];
/** A tool call with `change` applied to it and to its function. */
function ofCall(
  call: Record<string, unknown>,
  change: (members: Record<string, unknown>) => Record<string, unknown>,
): Record<string, unknown> {
  const { function: inner } = call;
  const changed = change(call);
  return typeof inner === 'object' && inner !== null ? { ...changed, function: change(objectOf(inner)) } : changed;
}

/**
 * The messages of an untranslated call without any reasoning and without vendors' own data. Returns `null` if there is
 * none.
 */
export function removeSeals(messages: unknown, losses: Losses): readonly unknown[] | null {
  let changed = false;
  const without = (members: Record<string, unknown>, names: readonly string[]): Record<string, unknown> => {
    const found = names.filter((name) => Object.hasOwn(members, name));
    if (found.length === 0) return members;
    changed = true;
    for (const name of found)
      losses.add(VENDOR_DATA_MEMBERS.includes(name) || name === 'reasoning_details' ? 'seal' : 'reasoning');
    return fieldsWithout(members, found);
  };
  const left = listOf(messages).map((message) => {
    if (objectOf(message).role !== 'assistant') return message;
    const { tool_calls: calls, ...rest } = without(objectOf(message), [...REASONING_MEMBERS, ...VENDOR_DATA_MEMBERS]);
    if (!Array.isArray(calls)) return calls === undefined ? rest : { ...rest, tool_calls: calls };
    return {
      ...rest,
      tool_calls: calls.map((call) => ofCall(objectOf(call), (members) => without(members, VENDOR_DATA_MEMBERS))),
    };
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
  const opaque = opaqueIn(objectOf(entry));
  return opaque !== null && unpackSeal(opaque.value) !== null;
}
