import type { Page } from '../../../shell/page.ts';

export const page: Page = {
  path: '/settings/general',
  title: 'General',
  load: async () => (await import('./general.tsx')).General,
  menu: { in: 'settings', order: 1 },
};
