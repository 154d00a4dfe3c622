import type { Page } from '../../../shell/page.ts';

export const page: Page = {
  path: '/settings/members',
  title: 'Members and roles',
  load: async () => (await import('./members.tsx')).Members,
  menu: { in: 'settings', order: 2 },
  permission: 'api.members.read',
};
