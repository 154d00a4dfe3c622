import type { Page } from '../../../shell/page.ts';

export const page: Page = {
  path: '/settings/webhooks',
  title: 'Webhooks',
  load: async () => (await import('./webhooks.tsx')).Webhooks,
  menu: { in: 'settings', order: 9 },
  permission: 'api.webhooks.read',
};
