import type { SearchStep } from '../../core/call.ts';
import { parseJson } from '../../json/parse.ts';
import { oneQuery, readPages, type WholeSearch } from '../search-steps.ts';
import { list, record, text } from './json.ts';

/** Searches among Groq's `executed_tools`: https://github.com/groq/groq-typescript/blob/main/src/resources/chat/completions.ts */
const SEARCH = /^(?:web_|browser[._])?search$/;

export function isSearch(executed: unknown): boolean {
  return SEARCH.test(text(record(executed).type));
}

/** The step of a search that a tool which the vendor ran is; `null` if it is none. */
export function readSearchStep(executed: unknown): SearchStep | null {
  const { index, arguments: given, output, search_results: results } = record(executed);
  if (!isSearch(executed)) return null;
  const query = queryOf(given);
  const pages = readPages(list(record(results).results), ({ url, title, content }) => ({ url, title, text: content }));
  const isDone = typeof output === 'string' || (results !== undefined && results !== null);
  return {
    id: `executed-${typeof index === 'number' ? index : 0}`,
    ...(query !== null && { queries: [query] }),
    ...(isDone && { found: { pages } }),
  };
}

function queryOf(given: unknown): string | null {
  try {
    return text(record(typeof given === 'string' ? parseJson(given) : given).query) || null;
  } catch {
    return null;
  }
}

/** Writes a search as the tool of this place that the vendor ran. */
export function executedSearch({ queries, found }: WholeSearch, index: number): Record<string, unknown> {
  const results = found?.pages.map(({ url, title, text: content }) => ({ title, url, ...(content && { content }) }));
  return {
    index,
    type: 'search',
    arguments: JSON.stringify({ query: oneQuery(queries) }),
    output: found?.failed ?? '',
    ...(results !== undefined && { search_results: { results } }),
  };
}
