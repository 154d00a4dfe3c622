import type { Page } from '../../shell/page.ts';

export const page: Page = {
  path: '/playground',
  title: 'Playground',
  load: async () => (await import('./playground.tsx')).Playground,
  menu: { in: 'work', order: 2, icon: 'playground' },
  permission: 'api.keys.write',
  inProjects: true,
  key: 'p',
};
