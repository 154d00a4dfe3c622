import type { Page, PageQuery } from '../core/settings.ts';

type Identified = { id: string };

/** The order of lists. */
export function byId({ id: one }: Identified, { id: other }: Identified): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/**
 * A page of a list in memory, ordered by id; a deleted id is still a valid cursor. A setting and the file's entry that
 * hides it share an id and are returned together, so a page may have one more item.
 */
export function slicePage<Each extends Identified>(
  all: readonly Each[],
  { limit, after, before, order }: PageQuery,
): Page<Each> {
  const sign = order === 'desc' ? -1 : 1;
  const ordered = all.toSorted((one, other) => sign * byId(one, other));
  const indexWhere = (isThere: (each: Each) => boolean) => {
    const found = ordered.findIndex(isThere);
    return found < 0 ? ordered.length : found;
  };
  if (before !== undefined) {
    const end = indexWhere((each) => sign * byId(each, { id: before }) >= 0);
    let start = Math.max(0, end - limit);
    while (start > 0 && ordered[start - 1]!.id === ordered[start]!.id) start -= 1;
    return { items: ordered.slice(start, end), hasMore: start > 0 };
  }
  const start = after === undefined ? 0 : indexWhere((each) => sign * byId(each, { id: after }) > 0);
  let end = Math.min(start + limit, ordered.length);
  while (end > start && ordered[end]?.id === ordered[end - 1]!.id) end += 1;
  return { items: ordered.slice(start, end), hasMore: ordered.length > end };
}

/** One page of two lists, of which each has given the page that was asked for. */
export function mergedPage<Each extends Identified>(one: Page<Each>, other: Page<Each>, query: PageQuery): Page<Each> {
  const { limit, order } = query;
  const { items, hasMore } = slicePage([...one.items, ...other.items], { limit, order });
  return { items, hasMore: hasMore || one.hasMore || other.hasMore };
}
