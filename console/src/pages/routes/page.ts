import type { Page } from '../../shell/page.ts';

export const page: Page = {
  path: '/routes',
  title: 'Routes',
  load: async () => (await import('./routes.tsx')).Routes,
  menu: { in: 'work', order: 4, icon: 'routes' },
  permission: 'api.routes.read',
  key: 'r',
};
