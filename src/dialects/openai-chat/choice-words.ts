import { listOf, objectOf, textOf } from '../unchecked-json.ts';
import type { WireChoice, WireWords } from './wire.ts';

/**
 * The words of a choice: its delta, its message, or its messages, of which Mistral tells several where it ran tools itself:
 * https://github.com/mistralai/cookbook/blob/main/mistral/connectors/05-connectors-in-completions.md (read on 2026-11-27).
 */
export function wordsOf({ delta, message, messages }: WireChoice): WireWords {
  const told = delta ?? message ?? undefined;
  return told === undefined && Array.isArray(messages) ? joined(messages.map(objectOf)) : (objectOf(told) as WireWords);
}

/** Whether a choice has its words whole. */
export function isWhole({ delta, message, messages }: WireChoice): boolean {
  return (delta ?? undefined) === undefined && (message !== undefined || messages !== undefined);
}

/** Several messages as one. Calls of tools that have a result among them were run by the vendor. */
function joined(messages: readonly Record<string, unknown>[]): WireWords {
  const results = new Map(
    messages.flatMap(({ role, tool_call_id: id, content }) =>
      // Two missing ids are not the same.
      role === 'tool' && typeof id === 'string' ? [[id as unknown, wordsIn(content)] as const] : [],
    ),
  );
  const turns = messages.filter(({ role }) => role !== 'tool' && role !== 'user' && role !== 'system');
  const calls = turns.flatMap(({ tool_calls: made }) => listOf(made)).map(objectOf);
  return {
    content: turns.flatMap(({ content }) => [...partsOf(content)]),
    tool_calls: calls.filter(({ id }) => !results.has(id)),
    executed_tools: calls
      .filter(({ id }) => results.has(id))
      .map(({ id, function: called }, index) => {
        const { name, arguments: given } = objectOf(called);
        return { index, type: name, arguments: given, output: results.get(id) };
      }),
  };
}

function partsOf(content: unknown): readonly unknown[] {
  if (Array.isArray(content)) return content;
  return textOf(content) === '' ? [] : [{ type: 'text', text: content }];
}

function wordsIn(content: unknown): string {
  return partsOf(content)
    .map((part) => textOf(objectOf(part).text))
    .join('');
}
