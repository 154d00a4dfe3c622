import type { CacheMark, UserPart } from '../core/call.ts';
import type { Losses } from '../core/losses.ts';

/** The most cache marks that one prompt may have. https://docs.anthropic.com/en/docs/build-with-claude/prompt-caching */
const MAX_CACHE_MARKS = 4;

/** Removes cache marks beyond the limit. Keeps the last ones, which cover the longest prefixes. */
export function keepCacheMarks(blocks: readonly object[], losses: Losses): void {
  const marked = blocks.filter((block): block is { cache_control?: unknown } => 'cache_control' in block);
  for (const block of marked.slice(0, -MAX_CACHE_MARKS)) {
    delete block.cache_control;
    losses.add('cache_control');
  }
}

/**
 * A block and the blocks inside it, such as those of a tool result. Inner blocks come first, because they end first.
 */
export function withInner(block: object): readonly object[] {
  const { content } = block as { content?: unknown };
  return Array.isArray(content) ? [...(content as object[]), block] : [block];
}

/**
 * The parts with one mark for all of them. It is on the last part, up to which a prompt is then cached, or reported if that
 * part bears none.
 */
export function withMarkAtEnd(
  parts: readonly UserPart[],
  cache: CacheMark | undefined,
  losses?: Losses,
): readonly UserPart[] {
  if (cache === undefined) return parts;
  const last = parts.at(-1);
  if (last === undefined || last.kind === 'native' || last.kind === 'audio') {
    losses?.add('cache_control');
    return parts;
  }
  return [...parts.slice(0, -1), { ...last, cache }];
}
