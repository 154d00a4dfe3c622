import type { Page } from '../../../shell/page.ts';

export const page: Page = {
  path: '/settings/about',
  title: 'About',
  load: async () => (await import('./about.tsx')).About,
  menu: { in: 'settings', order: 13 },
};
