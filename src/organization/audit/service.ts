import type { AuditEvent, AuditQuery } from '../../core/audit.ts';
import type { Page } from '../../core/settings.ts';
import type { Administration } from '../administration.ts';

/** Changes and their actors, newest first by default. */
export function listAuditLogs({ audit, by }: Administration, query: AuditQuery): Promise<Page<AuditEvent>> {
  return audit.list(by.organizationId, query);
}
