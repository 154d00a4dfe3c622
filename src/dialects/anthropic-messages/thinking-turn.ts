import { isList, type Loose, loose } from './wire.ts';

/**
 * Whether the current turn (tools were called, and their results are being sent) begins without thinking. With a
 * thinking budget, Anthropic refuses such a conversation.
 * https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking#preserving-thinking-blocks
 */
export function lacksThinking(messages: readonly unknown[]): boolean {
  let first: Loose | null = null;
  for (const message of messages.toReversed().map(loose)) {
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

function blocksOf({ content }: Loose): readonly Loose[] {
  return isList(content) ? content.map(loose) : [];
}
