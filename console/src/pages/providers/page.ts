import type { Page } from '../../shell/page.ts';

export const page: Page = {
  path: '/providers',
  title: 'Providers',
  load: async () => (await import('./providers.tsx')).Providers,
  menu: { in: 'set-up', order: 2, icon: 'providers' },
  permission: 'api.providers.read',
};
