import { z } from 'zod';
import { operation } from '../../api/operation.ts';
import { count, text } from '../../api/schema.ts';
import type { AuditVerdict } from '../../core/audit.ts';
import { GatewayError } from '../../core/errors.ts';
import { auditKey, change } from '../administration.ts';
import { atWork } from '../parts.ts';
import { resource } from '../resource.ts';

const answer = {
  description: 'The first fault, if there is one.',
  schema: z.object({ entries: count, fault: z.object({ entry: count, message: text }).nullable() }),
};

const VERIFY_AUDIT_LOG = operation('verifyAuditLog', 'GET /v1/operator/audit_log/verification', {
  tag: 'Organization',
  summary: 'Verify the audit log of all organizations.',
  access: 'operator',
  answer,
});

const ACCEPT_AUDIT_LOG = operation('acceptAuditLog', 'POST /v1/operator/audit_log/acceptance', {
  tag: 'Organization',
  summary: 'Let a log with an unbroken chain count as complete from now on. The log records this.',
  access: 'operator',
  body: { schema: z.strictObject({}) },
  answer,
});

/** For the operator alone. */
export const AUDIT_VERIFICATION = resource([
  VERIFY_AUDIT_LOG.handledBy(async ({ administrator }, parts) => {
    const { audit, pepper } = atWork(parts, administrator);
    return verdictOf(audit.verify(auditKey(pepper)));
  }),
  ACCEPT_AUDIT_LOG.handledBy(async ({ administrator }, parts) => {
    const admin = atWork(parts, administrator);
    const verdict = await verdictOf(admin.audit.accept(auditKey(admin.pepper)));
    const { organizationId: resourceId } = administrator;
    if (verdict.fault === null) await change(admin, [], { type: 'audit_log.accepted', resourceId, details: {} });
    return verdict;
  }),
]);

async function verdictOf(looking: Promise<AuditVerdict>) {
  try {
    const { entries, fault } = await looking;
    return { entries, fault: fault === null ? null : { entry: fault.number, message: fault.words } };
  } catch (cause) {
    if (cause instanceof SyntaxError)
      throw new GatewayError('invalid_request', 'The file audit-head.json of the data folder is damaged.', { cause });
    throw cause;
  }
}
