import type { Page } from '../../shell/page.ts';

export const page: Page = {
  path: '/welcome',
  title: 'Welcome',
  load: async () => (await import('./welcome.tsx')).Welcome,
  isPublic: true,
};
