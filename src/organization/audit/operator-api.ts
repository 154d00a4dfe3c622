import { z } from 'zod';
import { operation } from '../../api/operation.ts';
import { count, flag, text } from '../../api/schema.ts';
import { GatewayError } from '../../core/errors.ts';
import { auditKey, change } from '../administration.ts';
import { atWork } from '../parts.ts';
import { resource } from '../resource.ts';

const VERIFY_AUDIT_LOG = operation('verifyAuditLog', 'POST /v1/operator/audit_log/verify', {
  tag: 'Organization',
  summary: 'Verify the audit log of all organizations.',
  access: 'operator',
  body: {
    schema: z.strictObject({
      accept: flag.describe(
        'Whether a log with an unbroken chain counts as complete from now on. The log records this.',
      ),
    }),
  },
  answer: {
    description: 'The first fault, if there is one.',
    schema: z.object({ entries: count, fault: z.object({ entry: count, message: text }).nullable() }),
  },
});

/** For the operator alone. */
export const AUDIT_VERIFICATION = resource([
  VERIFY_AUDIT_LOG.handledBy(async ({ administrator, body: { accept } }, parts) => {
    const admin = atWork(parts, administrator);
    const { audit } = admin;
    const key = auditKey(admin.pepper);
    try {
      const { entries, fault } = await (accept ? audit.accept(key) : audit.verify(key));
      if (accept && fault === null) {
        const { organizationId: resourceId } = administrator;
        await change(admin, [], { type: 'audit_log.accepted', resourceId, details: {} });
      }
      return { entries, fault: fault === null ? null : { entry: fault.number, message: fault.words } };
    } catch (cause) {
      if (cause instanceof SyntaxError)
        throw new GatewayError('invalid_request', 'The file audit-head.json of the data folder is damaged.', { cause });
      throw cause;
    }
  }),
]);
