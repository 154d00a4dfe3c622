import type { Page } from '../../../shell/page.ts';

export const page: Page = {
  path: '/settings/groups',
  title: 'Groups',
  load: async () => (await import('./groups.tsx')).Groups,
  menu: { in: 'settings', order: 3 },
  permission: 'api.groups.read',
};
