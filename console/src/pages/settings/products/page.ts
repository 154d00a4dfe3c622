import type { Page } from '../../../shell/page.ts';

export const page: Page = {
  path: '/settings/products',
  title: 'Products',
  load: async () => (await import('./products.tsx')).Products,
  menu: { in: 'settings', order: 8 },
  permission: 'api.products.read',
};
