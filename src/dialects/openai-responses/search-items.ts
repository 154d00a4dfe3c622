import type { OpenedPage, SearchStep } from '../../core/call.ts';
import { readPages, type WholeSearch } from '../search-steps.ts';
import { listOf, objectOf, textOf, type Unchecked } from '../unchecked-json.ts';

/** https://platform.openai.com/docs/guides/tools-web-search */
const TYPE = 'web_search_call';
const OPENS: ReadonlySet<unknown> = new Set(['open_page', 'find_in_page']);

/** Reads an item as a search or an opened page; `null` if it is another step, or opens a page without naming it. */
export function readSearchStep(item: Unchecked): SearchStep | null {
  if (item.type !== TYPE) return null;
  const action = objectOf(item.action);
  const failed = item.status === 'failed' && { failed: 'unavailable' };
  const id = textOf(item.id);
  if ((action.type ?? 'search') !== 'search') {
    const [url, pattern] = [textOf(action.url), textOf(action.pattern)];
    if (url === '' || !OPENS.has(action.type)) return null;
    return { id, opens: { url, ...(pattern !== '' && { pattern }) }, found: { pages: [], ...failed } };
  }
  const several = listOf(action.queries).filter((each) => typeof each === 'string');
  const query = textOf(action.query);
  const queries = several.length > 0 ? several : query === '' ? [] : [query];
  const pages = readPages(listOf(action.sources), ({ url, title }) => ({ url, title }));
  return { id, queries, found: { pages, ...failed } };
}

/**
 * Writes a search or an opened page as an item. `id` is omitted in a conversation, where it would refer to an item
 * stored at the vendor.
 */
export function searchItem(search: Omit<WholeSearch, 'id'>, id?: string): Unchecked {
  const action = search.opens === undefined ? searchAction(search) : openAction(search.opens);
  return { ...(id !== undefined && { id }), type: TYPE, status: statusOf(search.found), action };
}

function searchAction({ queries, found }: Omit<WholeSearch, 'id'>): Unchecked {
  const [query = ''] = queries;
  return {
    type: 'search',
    query,
    ...(queries.length > 0 && { queries }),
    ...(found !== undefined &&
      found.pages.length > 0 && { sources: found.pages.map(({ url }) => ({ type: 'url', url })) }),
  };
}

function openAction({ url, pattern }: OpenedPage): Unchecked {
  return pattern === undefined ? { type: 'open_page', url } : { type: 'find_in_page', url, pattern };
}

function statusOf(found: WholeSearch['found']): string {
  if (found === undefined) return 'incomplete';
  return found.failed === undefined ? 'completed' : 'failed';
}
