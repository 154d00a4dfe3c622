import type { SearchStep } from '../../core/call.ts';
import { parseJson } from '../../json/parse.ts';
import { oneQuery, readPages, type WholeSearch } from '../search-steps.ts';
import { listOf, objectOf, textOf } from '../unchecked-json.ts';

/** Searches among Groq's `executed_tools`: https://github.com/groq/groq-typescript/blob/main/src/resources/chat/completions.ts */
const SEARCH = /^(?:web_|browser[._])?search$/;
/** Its name for the tool: https://console.groq.com/docs/compound/built-in-tools */
const VISIT = 'visit_website';
const VISITS = /^(?:visit(?:_website)?|browser[._](?:open|find))$/;

export function isSearch(executed: unknown): boolean {
  return SEARCH.test(textOf(objectOf(executed).type));
}

/** Reads a tool that the vendor ran as a search or an opened page; `null` if it is neither. */
export function readSearchStep(executed: unknown): SearchStep | null {
  const { index, type, arguments: given, output, search_results: results } = objectOf(executed);
  const said = argumentsOf(given);
  const id = `executed-${typeof index === 'number' ? index : 0}`;
  if (VISITS.test(textOf(type))) {
    const [url, pattern, words] = [textOf(said.url), textOf(said.pattern), textOf(output)];
    // A model that opens a page by its place in a list does not name it.
    if (url === '') return null;
    const found = { pages: [{ url, title: '', ...(words !== '' && { text: words }) }] };
    return { id, opens: { url, ...(pattern !== '' && { pattern }) }, ...(typeof output === 'string' && { found }) };
  }
  if (!isSearch(executed)) return null;
  const query = textOf(said.query) || null;
  const pages = readPages(listOf(objectOf(results).results), ({ url, title, content }) => ({
    url,
    title,
    text: content,
  }));
  const isDone = typeof output === 'string' || (results !== undefined && results !== null);
  return {
    id,
    ...(query !== null && { queries: [query] }),
    ...(isDone && { found: { pages } }),
  };
}

function argumentsOf(given: unknown): Readonly<Record<string, unknown>> {
  try {
    return objectOf(typeof given === 'string' ? parseJson(given) : given);
  } catch {
    return {};
  }
}

/** Writes a search or an opened page as an entry of `executed_tools` with this index. */
export function executedSearch({ queries, opens, found }: WholeSearch, index: number): Record<string, unknown> {
  if (opens !== undefined) {
    const output = found?.failed ?? found?.pages[0]?.text ?? '';
    return { index, type: VISIT, arguments: JSON.stringify(opens), output };
  }
  const results = found?.pages.map(({ url, title, text: content }) => ({ title, url, ...(content && { content }) }));
  return {
    index,
    type: 'search',
    arguments: JSON.stringify({ query: oneQuery(queries) }),
    output: found?.failed ?? '',
    ...(results !== undefined && { search_results: { results } }),
  };
}
