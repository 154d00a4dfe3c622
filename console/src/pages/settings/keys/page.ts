import type { Page } from '../../../shell/page.ts';

export const page: Page = {
  path: '/settings/keys',
  title: 'API keys',
  load: async () => (await import('./keys.tsx')).Keys,
  menu: { in: 'settings', order: 5 },
  permission: 'api.keys.read',
  inProjects: true,
};
