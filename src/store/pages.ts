import type { Page, PageQuery } from '../core/settings.ts';

/** Where a page is read from and which way: a page before an item from there on towards its beginning, turned round by `pageOf`. */
export function placeOf(
  { after, before, order }: PageQuery,
  usual: 'asc' | 'desc',
): { from: string | undefined; direction: 'asc' | 'desc'; past: '>' | '<' } {
  const forward = ((order ?? usual) === 'asc') === (before === undefined);
  return { from: before ?? after, direction: forward ? 'asc' : 'desc', past: forward ? '>' : '<' };
}

/** The page of what was read as `placeOf` says, one more than it has, in its own order. */
export function pageOf<Item>(found: readonly Item[], { limit, before }: PageQuery): Page<Item> {
  const items = found.slice(0, limit);
  return { items: before === undefined ? items : items.reverse(), hasMore: found.length > limit };
}
