import type { Page } from '../../shell/page.ts';

export const page: Page = {
  path: '/usage',
  title: 'Usage',
  load: async () => (await import('./usage.tsx')).Usage,
  menu: { in: 'work', order: 5, icon: 'usage' },
  permission: 'api.usage.read',
  key: 'u',
};
