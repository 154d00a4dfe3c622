import type { Page } from '../../shell/page.ts';

export const page: Page = {
  path: '/sign-in',
  title: 'Sign in',
  load: async () => (await import('./sign-in.tsx')).SignIn,
  isPublic: true,
};
