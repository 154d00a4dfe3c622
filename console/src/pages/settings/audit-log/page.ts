import type { Page } from '../../../shell/page.ts';

export const page: Page = {
  path: '/settings/audit-log',
  title: 'Audit log',
  load: async () => (await import('./audit-log.tsx')).AuditLog,
  menu: { in: 'settings', order: 11 },
  permission: 'api.audit_logs.read',
};
