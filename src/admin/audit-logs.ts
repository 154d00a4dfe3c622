import type { AuditEvent, AuditQuery } from '../core/audit.ts';
import type { Page } from '../core/settings.ts';
import type { Administration } from './administration.ts';

/** Who changed what, newest first but where it is asked for otherwise. */
export function listAuditLogs({ audit, by }: Administration, query: AuditQuery): Promise<Page<AuditEvent>> {
  return audit.list(by.organizationId, query);
}
