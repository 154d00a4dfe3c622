import type { Page } from '../../../shell/page.ts';

export const page: Page = {
  path: '/settings/data',
  title: 'Data and retention',
  load: async () => (await import('./retention.tsx')).Retention,
  menu: { in: 'settings', order: 12 },
  permission: 'api.settings.read',
};
