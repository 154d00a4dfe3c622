import type { SearchStep } from '../../core/call.ts';
import { readPages, type WholeSearch } from '../search-steps.ts';
import { listOf, textOf, type Wire, wireOf } from './wire.ts';

/** https://platform.openai.com/docs/guides/tools-web-search */
const TYPE = 'web_search_call';

/** The search that an item is; `null` if it is another step, such as opening a page that was found. */
export function readSearchStep(item: Wire): SearchStep | null {
  const action = wireOf(item.action);
  if (item.type !== TYPE || (action.type ?? 'search') !== 'search') return null;
  const several = listOf(action.queries).filter((each) => typeof each === 'string');
  const query = textOf(action.query);
  const queries = several.length > 0 ? several : query === '' ? [] : [query];
  const pages = readPages(listOf(action.sources), ({ url, title }) => ({ url, title }));
  return { id: textOf(item.id), queries, found: { pages, ...(item.status === 'failed' && { failed: 'unavailable' }) } };
}

/** Writes a search as an item. `id`: left out in a conversation, where it would name an item that the vendor keeps. */
export function searchItem({ queries, found }: Omit<WholeSearch, 'id'>, id?: string): Wire {
  const [query = ''] = queries;
  const action = {
    type: 'search',
    query,
    ...(queries.length > 0 && { queries }),
    ...(found !== undefined &&
      found.pages.length > 0 && { sources: found.pages.map(({ url }) => ({ type: 'url', url })) }),
  };
  return { ...(id !== undefined && { id }), type: TYPE, status: statusOf(found), action };
}

function statusOf(found: WholeSearch['found']): string {
  if (found === undefined) return 'incomplete';
  return found.failed === undefined ? 'completed' : 'failed';
}
