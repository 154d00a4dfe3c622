import type { Page } from '../../shell/page.ts';

export const page: Page = {
  path: '/',
  title: 'Overview',
  load: async () => (await import('./overview.tsx')).Overview,
  menu: { in: 'work', order: 1, icon: 'overview' },
  key: 'o',
};
