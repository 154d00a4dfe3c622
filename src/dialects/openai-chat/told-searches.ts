import { searchesIn, type Usage } from '../../core/usage.ts';
import { listOf, objectOf } from '../unchecked-json.ts';
import { isSearch } from './executed-searches.ts';
import type { WireChunk, WireWords } from './wire.ts';

/**
 * The searches of the web that an answer shows beside its usage, which does not count them: each of `executed_tools` that is a search
 * (Groq), and one for a list of what was found (`web_search` of Z.ai and Zhipu, `search_info` of Alibaba).
 */
export class ToldSearches {
  /** By choice and index: a stream tells a tool when it begins, and again with what it found. */
  readonly #executed = new Set<string>();
  #isListed = false;

  /** Takes a chunk, or a whole answer. */
  see(chunk: WireChunk): void {
    this.#isListed ||= listsPages(chunk);
    if (!Array.isArray(chunk.choices)) return;
    for (const [place, choice] of chunk.choices.entries()) {
      const words = choice?.delta ?? choice?.message;
      if (typeof words !== 'object' || words === null) continue;
      this.#isListed ||= listsPages(words);
      if (words.executed_tools === undefined) continue;
      const of = typeof choice?.index === 'number' ? choice.index : place;
      for (const [at, tool] of listOf(words.executed_tools).entries()) {
        const { index } = objectOf(tool);
        if (isSearch(tool)) this.#executed.add(`${of} ${typeof index === 'number' ? index : at}`);
      }
    }
  }

  /** The usage with these searches, unless the vendor counts its own tools in it. */
  addTo(usage: Usage): Usage {
    const searches = this.#executed.size || (this.#isListed ? 1 : 0);
    if (searches === 0 || searchesIn(usage.toolCalls) > 0) return usage;
    return { ...usage, toolCalls: { ...usage.toolCalls, web_search: searches } };
  }
}

function listsPages(members: WireChunk | WireWords): boolean {
  const { web_search: found, search_info: info } = members as Readonly<Record<string, unknown>>;
  return listOf(found).length > 0 || (info !== undefined && listOf(objectOf(info).search_results).length > 0);
}
