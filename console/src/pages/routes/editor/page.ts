import type { Page } from '../../../shell/page.ts';

/** `?route=` is the one that is changed; without it, another is made. */
export const page: Page = {
  path: '/routes/editor',
  title: 'Route editor',
  load: async () => (await import('./editor.tsx')).RouteEditor,
  permission: 'api.routes.write',
};
