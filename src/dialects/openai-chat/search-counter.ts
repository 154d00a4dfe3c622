import { type Counts, searchesIn, type Usage } from '../../core/usage.ts';
import { listOf, objectOf } from '../unchecked-json.ts';
import { wordsOf } from './choice-words.ts';
import { isSearch } from './executed-searches.ts';
import type { WireChunk, WireWords } from './wire.ts';

/**
 * Counts the web searches that an answer shows but its usage does not count: each search among `executed_tools` (Groq) or
 * among the calls with a result in `messages` (Mistral), and one for a list of results (`web_search` of Z.ai and Zhipu, `search_info` of Alibaba).
 */
export class SearchCounter {
  /** By choice and index, because a stream sends a tool when it begins and again with its results. */
  readonly #executed = new Set<string>();
  #isListed = false;

  /** Takes a chunk, or a whole answer. */
  see(chunk: WireChunk): void {
    this.#isListed ||= listsPages(chunk);
    if (!Array.isArray(chunk.choices)) return;
    for (const [place, choice] of chunk.choices.entries()) {
      const words = wordsOf(choice ?? {});
      this.#isListed ||= listsPages(words);
      if (words.executed_tools === undefined) continue;
      const of = typeof choice?.index === 'number' ? choice.index : place;
      for (const [at, tool] of listOf(words.executed_tools).entries()) {
        const { index } = objectOf(tool);
        if (isSearch(tool)) this.#executed.add(`${of} ${typeof index === 'number' ? index : at}`);
      }
    }
  }

  /** These searches; `undefined` if there are none. */
  get shown(): Counts | undefined {
    const searches = this.#executed.size || (this.#isListed ? 1 : 0);
    return searches === 0 ? undefined : { web_search: searches };
  }

  /** The usage with these searches, unless the vendor counts its own tools in it. */
  addTo(usage: Usage): Usage {
    const { shown } = this;
    if (shown === undefined || searchesIn(usage.toolCalls) > 0) return usage;
    return { ...usage, toolCalls: { ...usage.toolCalls, ...shown } };
  }

  /** What an answer without usage tells of its searches, beside it. */
  beside(usage: Usage | null): { shownCalls?: Counts } {
    const { shown } = this;
    return usage === null && shown !== undefined ? { shownCalls: shown } : {};
  }
}

function listsPages(members: WireChunk | WireWords): boolean {
  const { web_search: found, search_info: info } = members as Readonly<Record<string, unknown>>;
  return listOf(found).length > 0 || (info !== undefined && listOf(objectOf(info).search_results).length > 0);
}
