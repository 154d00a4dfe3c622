import type { Page } from '../../../shell/page.ts';

export const page: Page = {
  path: '/settings/projects',
  title: 'Projects',
  load: async () => (await import('./projects.tsx')).Projects,
  menu: { in: 'settings', order: 4 },
  permission: 'api.projects.read',
};
