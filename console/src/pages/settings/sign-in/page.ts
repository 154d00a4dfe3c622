import type { Page } from '../../../shell/page.ts';

export const page: Page = {
  path: '/settings/sign-in',
  title: 'Sign-in and sessions',
  load: async () => (await import('./sign-in.tsx')).SignInSettings,
  menu: { in: 'settings', order: 10 },
};
