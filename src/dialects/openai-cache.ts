import type { CacheMark } from '../core/call.ts';
import type { Losses } from '../core/losses.ts';
import type { WriteOptions } from './dialect.ts';

/** Marks up to where a prompt may be cached, as OpenAI's newest models take them: on texts, images and files that the caller sends. */

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

/** The mark of a part; nothing where the vendor's model takes none, which is told, as is a time that it does not offer. */
export function breakpointOf(cache: CacheMark | undefined, options: MarkOptions, losses: Losses): Marked {
  if (cache === undefined) return {};
  const takes = takesBreakpoints(options);
  if (!takes || cache.ttl === '1h') losses.add('cache_control');
  return takes ? { prompt_cache_breakpoint: { mode: 'explicit' } } : {};
}

/** Removes marks beyond the limit from the written parts. Keeps the first ones: the newest message is cached without. */
export function keepBreakpoints(parts: readonly unknown[], losses: Losses): void {
  const marked = parts.filter(
    (part): part is Marked => typeof part === 'object' && part !== null && 'prompt_cache_breakpoint' in part,
  );
  for (const part of marked.slice(MAX_BREAKPOINTS)) {
    delete part.prompt_cache_breakpoint;
    losses.add('cache_control');
  }
}
