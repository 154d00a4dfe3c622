import type { Page } from '../../../shell/page.ts';

export const page: Page = {
  path: '/settings/admin-keys',
  title: 'Administration keys',
  load: async () => (await import('./admin-keys.tsx')).AdminKeys,
  menu: { in: 'settings', order: 6 },
  permission: 'api.admin_keys.read',
};
