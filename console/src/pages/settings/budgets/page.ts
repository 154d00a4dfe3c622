import type { Page } from '../../../shell/page.ts';

export const page: Page = {
  path: '/settings/budgets',
  title: 'Budgets and alerts',
  load: async () => (await import('./budgets.tsx')).Budgets,
  menu: { in: 'settings', order: 7 },
  permission: 'api.budgets.read',
};
