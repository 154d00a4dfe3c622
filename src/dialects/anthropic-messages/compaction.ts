import type { AnswerPart, Message, NativePart, UserPart } from '../../core/call.ts';
import { isMarked, opens, unpackSeal } from '../../core/seal.ts';
import { asSummary } from '../compaction.ts';
import { isList, objectOf, textOf, type Unchecked } from '../unchecked-json.ts';
import { ID } from './wire.ts';

/**
 * Blocks that replace a compacted part of the conversation. The vendor ignores all messages before the last of them,
 * and a block without a summary, which is a failed compaction.
 * https://platform.claude.com/docs/en/build-with-claude/compaction
 */
const TYPE = 'compaction';

/** A compaction block for other formats, before `fromSummary`; `null` if it is empty. */
export function readCompaction(block: Unchecked): AnswerPart | null {
  if (textOf(block.content).trim() !== '') return { kind: 'native', dialect: ID, type: TYPE, value: block };
  const value = textOf(block.encrypted_content) || textOf(block.signature);
  if (value === '') return null;
  const seal = unpackSeal(value) ?? { dialect: ID, provider: null, form: 'encrypted' as const, id: null, value };
  return { kind: 'reasoning', text: '', form: 'summary', seal };
}

/** The conversation from the last summary on. The summary becomes user text after the system text before it. */
export function fromSummary(messages: readonly Message[]): Message[] {
  const at = messages.findLastIndex(({ parts }) => parts.some(isSummary));
  const turn = messages[at];
  if (turn === undefined || (turn.role !== 'assistant' && turn.role !== 'user')) return [...messages];
  const parts: readonly (AnswerPart | UserPart)[] = turn.parts;
  const within = parts.findLastIndex(isSummary);
  const summary = { kind: 'text', text: asSummary(wordsOf(parts[within] as NativePart)) } as const;
  const rest = parts.slice(within + 1);
  const systems = messages.slice(0, at).filter(({ role }) => role === 'system' || role === 'developer');
  const after = messages.slice(at + 1);
  if (turn.role === 'user') {
    return [...systems, { ...turn, parts: [summary, ...(rest as UserPart[])] }, ...after];
  }
  const said: Message[] = rest.length === 0 ? [] : [{ ...turn, parts: rest as AnswerPart[] }];
  return [...systems, { role: 'user', parts: [summary] }, ...said, ...after];
}

function isSummary(part: { kind: string }): boolean {
  if (part.kind !== 'native') return false;
  const native = part as NativePart;
  return native.dialect === ID && native.type === TYPE && wordsOf(native).trim() !== '';
}

function wordsOf({ value }: NativePart): string {
  return textOf(objectOf(value).content);
}

/**
 * The messages for a vendor that did not make the seal of their last summary, or of a later block: the conversation
 * continues from the summary as text. `null` if there is no such block.
 *
 * @param provider the provider that is called; `null` if the vendor has refused the block
 */
export function withoutForeignSummaries(messages: readonly unknown[], provider: string | null): unknown[] | null {
  const isForeign = (block: unknown) => isCompaction(block) && isSealedFor(objectOf(block), provider);
  const blocksOf = (message: unknown) => {
    const { content } = objectOf(message);
    return isList(content) ? content : [];
  };
  if (!messages.some((message) => blocksOf(message).some(isForeign))) return null;
  const says = (block: unknown) => isForeign(block) && textOf(objectOf(block).content).trim() !== '';
  const at = messages.findLastIndex((message) => blocksOf(message).some(says));
  const kept = (blocks: readonly unknown[]) => blocks.filter((block) => !isForeign(block));
  const cleaned = (message: unknown) => {
    const blocks = blocksOf(message);
    const clean = kept(blocks);
    if (clean.length === blocks.length) return [message];
    return clean.length === 0 ? [] : [{ ...objectOf(message), content: clean }];
  };
  if (at < 0) return messages.flatMap(cleaned);
  const blocks = blocksOf(messages[at]);
  const within = blocks.findLastIndex(says);
  const summary = { type: 'text', text: asSummary(textOf(objectOf(blocks[within]).content)) };
  const rest = kept(blocks.slice(within + 1));
  const turn = objectOf(messages[at]);
  const systems = messages.slice(0, at).filter((message) => objectOf(message).role === 'system');
  const from =
    turn.role === 'user'
      ? [{ ...turn, content: [summary, ...rest] }]
      : [{ role: 'user', content: [summary] }, ...(rest.length === 0 ? [] : [{ ...turn, content: rest }])];
  return [...systems, ...from, ...messages.slice(at + 1).flatMap(cleaned)];
}

export function isCompaction(block: unknown): boolean {
  return objectOf(block).type === TYPE;
}

/** Whether a block has a seal that this provider did not make. */
function isSealedFor({ encrypted_content: encrypted, signature }: Unchecked, provider: string | null): boolean {
  if (provider === null) return true;
  return [encrypted, signature].some((value) => {
    if (!isMarked(value)) return false;
    const seal = unpackSeal(value);
    return seal === null || !opens(seal, ID, provider);
  });
}

/** The block for its maker, without marks. */
export function unmarked(block: Unchecked): Unchecked {
  const own = (value: unknown) => (isMarked(value) ? (unpackSeal(value)?.value ?? value) : value);
  const { encrypted_content: encrypted, signature } = block;
  if (!isMarked(encrypted) && !isMarked(signature)) return block;
  return {
    ...block,
    ...(encrypted !== undefined && { encrypted_content: own(encrypted) }),
    ...(signature !== undefined && { signature: own(signature) }),
  };
}
