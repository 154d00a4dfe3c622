import type { Page } from '../../shell/page.ts';

export const page: Page = {
  path: '/logs',
  title: 'Logs',
  load: async () => (await import('./logs.tsx')).Logs,
  menu: { in: 'work', order: 6, icon: 'logs' },
  permission: 'api.usage.read',
  key: 'l',
};
