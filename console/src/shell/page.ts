import type { ComponentType } from 'react';
import type { IconName } from '../parts/icon.tsx';

/**
 * A page says of itself, in the file `page.ts` of its folder, where it is and who may see it: nothing else lists pages.
 */
export type Page = {
  /** `/usage`; `$id` stands for anything. */
  path: string;
  title: string;
  /** Loaded once the page is opened. */
  load: () => Promise<ComponentType>;
  /** Where it stands in the rail, or among the settings; left out, it is in neither. */
  menu?: { in: 'work' | 'set-up' | 'settings'; order: number; icon?: IconName };
  /** What a person needs to be shown it. */
  permission?: string;
  /** Whoever has the permission in some project is shown it, too. */
  inProjects?: true;
  /** For people who are not signed in; it stands alone, without the rail. */
  isPublic?: true;
  /** The key that opens it after `g`. */
  key?: string;
};

const found = import.meta.glob<{ page: Page }>('../pages/**/page.ts', { eager: true });

export const PAGES: readonly Page[] = Object.values(found).map(({ page }) => page);

/** Those of a menu that a person may see, in their order. */
export function menuPages(where: NonNullable<Page['menu']>['in'], maySee: (page: Page) => boolean): Page[] {
  return PAGES.filter((page) => page.menu?.in === where && maySee(page)).sort(
    (one, other) => one.menu!.order - other.menu!.order,
  );
}

/** Whether there is a page at a path: one page leads to another only where it is. */
export function hasPage(path: string): boolean {
  return PAGES.some((page) => page.path === path);
}
