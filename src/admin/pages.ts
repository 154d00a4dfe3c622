import type { Page, PageQuery } from '../core/settings.ts';

type Identified = { id: string };

/** The order of lists. */
export function byId({ id: one }: Identified, { id: other }: Identified): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/**
 * A page of a list that is whole in memory, in the order of ids: one that is gone is still a place to go on from. What the file
 * hides has its id: the two are told together, so that a page may have one more than it was asked for.
 */
export function slicePage<Each extends Identified>(
  all: readonly Each[],
  { limit, after, order }: PageQuery,
): Page<Each> {
  const sign = order === 'desc' ? -1 : 1;
  const ordered = all.toSorted((one, other) => sign * byId(one, other));
  const found = after === undefined ? 0 : ordered.findIndex((each) => sign * byId(each, { id: after }) > 0);
  const start = found < 0 ? ordered.length : found;
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

/** A page of what passes a filter. It reads on until the page is full. */
export async function listWhere<Each extends Identified>(
  query: PageQuery,
  read: (query: PageQuery) => Promise<Page<Each>>,
  keep: (item: Each) => boolean,
): Promise<Page<Each>> {
  const items: Each[] = [];
  let after = query.after;
  for (;;) {
    const page = await read({ ...query, after });
    for (const item of page.items) {
      if (!keep(item)) continue;
      if (items.length === query.limit) return { items, hasMore: true };
      items.push(item);
    }
    const last = page.items.at(-1);
    if (!page.hasMore || last === undefined) return { items, hasMore: false };
    after = last.id;
  }
}
