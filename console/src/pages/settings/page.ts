import type { Page } from '../../shell/page.ts';

export const page: Page = {
  path: '/settings',
  title: 'Settings',
  load: async () => (await import('./settings.tsx')).Settings,
  menu: { in: 'set-up', order: 3, icon: 'settings' },
  key: 's',
};
