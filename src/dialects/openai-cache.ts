import type { CacheMark } from '../core/call.ts';
import type { Losses } from '../core/losses.ts';
import type { WriteOptions } from './dialect.ts';

/**
 * Cache breakpoints of OpenAI's newest models: marks on the caller's texts, images and files up to which a prompt may
 * be cached.
 */

/**
 * The most marks of a prompt. OpenAI writes four caches for a call, one of them at the newest message by itself.
 * https://docs.langchain4j.dev/apidocs/dev/langchain4j/model/openaiofficial/OpenAiOfficialPromptCacheBreakpoint.html
 */
const MAX_BREAKPOINTS = 3;

type MarkOptions = Pick<WriteOptions, 'quirks' | 'upstreamModel'>;
type Marked = { prompt_cache_breakpoint?: { mode: 'explicit' } };

/** Whether the vendor's model takes marks. */
export function takesBreakpoints({ quirks, upstreamModel }: MarkOptions): boolean {
  return quirks.cacheBreakpoints?.models.test(upstreamModel) === true;
}

/**
 * The breakpoint of a part. Empty, and reported, if the model takes none. A lifetime that it does not offer is reported
 * too.
 */
export function breakpointOf(cache: CacheMark | undefined, options: MarkOptions, losses: Losses): Marked {
  if (cache === undefined) return {};
  const takes = takesBreakpoints(options);
  if (!takes || cache.ttl === '1h') losses.add('cache_control');
  return takes ? { prompt_cache_breakpoint: { mode: 'explicit' } } : {};
}

/**
 * Removes marks beyond the limit from the written parts. Keeps the first ones, because the newest message is cached
 * without a mark.
 */
export function keepBreakpoints(parts: readonly unknown[], losses: Losses): void {
  const marked = parts.filter(
    (part): part is Marked => typeof part === 'object' && part !== null && 'prompt_cache_breakpoint' in part,
  );
  for (const part of marked.slice(MAX_BREAKPOINTS)) {
    delete part.prompt_cache_breakpoint;
    losses.add('cache_control');
  }
}
