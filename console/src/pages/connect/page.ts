import type { Page } from '../../shell/page.ts';

export const page: Page = {
  path: '/connect',
  title: 'Connect',
  load: async () => (await import('./connect.tsx')).Connect,
  menu: { in: 'set-up', order: 1, icon: 'connect' },
  permission: 'api.projects.read',
  inProjects: true,
  key: 'c',
};
