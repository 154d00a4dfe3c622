import { isList, objectOf, type Unchecked } from '../unchecked-json.ts';

/**
 * Whether the current turn (tools were called, and their results are being sent) begins without thinking. With a
 * thinking budget, Anthropic refuses such a conversation.
 * https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking#preserving-thinking-blocks
 */
export function lacksThinking(messages: readonly unknown[]): boolean {
  let first: Unchecked | null = null;
  for (const message of messages.toReversed().map(objectOf)) {
    if (message.role === 'user' && !blocksOf(message).some(({ type }) => type === 'tool_result')) break;
    if (message.role === 'assistant') first = message;
  }
  if (first === null || messages.length === 0) return false;
  const [head] = blocksOf(first);
  return (
    blocksOf(first).some(({ type }) => type === 'tool_use') &&
    head?.type !== 'thinking' &&
    head?.type !== 'redacted_thinking'
  );
}

/** The blocks without the thinking at their end. */
export function withoutTrailingThinking<Block extends { readonly type?: unknown }>(blocks: Block[]): Block[] {
  const last = blocks.findLastIndex(({ type }) => type !== 'thinking' && type !== 'redacted_thinking');
  return last + 1 === blocks.length ? blocks : blocks.slice(0, last + 1);
}

function blocksOf({ content }: Unchecked): readonly Unchecked[] {
  return isList(content) ? content.map(objectOf) : [];
}
