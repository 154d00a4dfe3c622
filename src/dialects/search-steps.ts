import type { NativePart, OpenedPage, SearchStep, WebPage } from '../core/call.ts';
import { searchesIn, type Usage } from '../core/usage.ts';
import { isObject, type Unchecked } from './unchecked-json.ts';

/** A complete web search or opened page: what was asked for and, if known, what was found. */
export type WholeSearch = {
  id: string;
  queries: readonly string[];
  opens?: OpenedPage;
  found?: SearchStep['found'];
};

/** Joins the steps of searches, for formats that have a search as one object. */
export class SearchSteps {
  readonly #open = new Map<string, WholeSearch>();

  /** Takes a step. @returns the search, once what was found is known */
  add(step: SearchStep): WholeSearch | null {
    const { id, found } = step;
    const search: WholeSearch = { id, ...joined(this.#open.get(id), step) };
    if (found === undefined) {
      this.#open.set(id, search);
      return null;
    }
    this.#open.delete(id);
    return search;
  }

  /** Takes the searches without results when the answer ends. */
  rest(): readonly WholeSearch[] {
    const rest = [...this.#open.values()];
    this.#open.clear();
    return rest;
  }
}

/** A search with its next step. The first step decides what was asked for. */
export function joined(
  known: Omit<WholeSearch, 'id'> | undefined,
  { queries = known?.queries ?? [], opens, found = known?.found }: Omit<SearchStep, 'id'>,
): Omit<WholeSearch, 'id'> {
  const page = known?.opens ?? opens;
  return { queries, ...(page && { opens: page }), ...(found && { found }) };
}

/** Whether a step has the text of an opened page, which some formats cannot hold. */
export function holdsText({ opens, found }: Pick<SearchStep, 'opens' | 'found'>): boolean {
  return opens !== undefined && (found?.pages ?? []).some(({ text }) => text !== undefined);
}

/** The queries of a search as one text, for formats with a single query. */
export function oneQuery(queries: readonly string[]): string {
  return queries.join('; ');
}

/** The pages of a list; entries without an address are skipped. */
export function readPages(
  list: readonly unknown[],
  read: (fields: Unchecked) => { [Name in keyof WebPage]?: unknown },
): WebPage[] {
  return list.flatMap((each) => {
    if (!isObject(each)) return [];
    const { url, title, text, age } = read(each);
    if (typeof url !== 'string' || url === '') return [];
    return [
      {
        url,
        title: typeof title === 'string' ? title : '',
        ...(typeof text === 'string' && text !== '' && { text }),
        ...(typeof age === 'string' && age !== '' && { age }),
      },
    ];
  });
}

/** The native part with its step, if it is one. */
export function withStep(part: NativePart, search: SearchStep | null): NativePart {
  return search === null ? part : { ...part, search };
}

/**
 * The member of a usage object that counts searches of the web, as messages and OpenRouter have it.
 * https://openrouter.ai/docs/guides/features/server-tools/web-search
 */
export function writeSearchCount({ toolCalls }: Usage): { server_tool_use?: { web_search_requests: number } } {
  const searches = searchesIn(toolCalls);
  return searches > 0 ? { server_tool_use: { web_search_requests: searches } } : {};
}
