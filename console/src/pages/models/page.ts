import type { Page } from '../../shell/page.ts';

export const page: Page = {
  path: '/models',
  title: 'Models',
  load: async () => (await import('./models.tsx')).Models,
  menu: { in: 'work', order: 3, icon: 'models' },
  permission: 'api.projects.read',
  inProjects: true,
  key: 'm',
};
