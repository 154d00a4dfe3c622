import type { Actor, AuditEvent } from '../../core/audit.ts';
import { listAuditTask, verifyAuditTask } from '../../tasks/settings.ts';
import type { Command } from '../command.ts';
import { inOptionsOf, UsageError } from '../failure.ts';
import { perform } from '../perform.ts';
import { timeText, unixSeconds } from '../phrases.ts';
import { table } from '../table.ts';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 1_000;

export const auditList: Command = {
  name: 'audit list',
  about: 'Show who changed what, newest first; with --json, all that is kept of it.',
  options: {
    organization: { value: 'ID', about: 'Whose; left out, the first organization.' },
    limit: { value: 'N', about: `How many; left out, ${DEFAULT_LIMIT}.` },
    after: { value: 'ID', about: 'Those behind this entry.' },
    type: { value: 'TYPE', about: 'Only such: project.created, api_key.updated, …' },
  },
  examples: ['headgate audit list', 'headgate audit list --type api_key.created --json'],
  async run({ values: { organization = null, limit, after, type }, where, tools }) {
    const query = { limit: limitOf(limit), after, ...(type !== undefined && { types: [type] }) };
    const input = { organizationId: organization, query };
    const work = perform(tools, tools.readSetup(where), listAuditTask, input);
    const { answer, notes } = await inOptionsOf({ after: '--after' }, work);
    const columns = [
      { title: 'TIME', of: ({ at }: AuditEvent) => timeText(at) },
      { title: 'WHAT', of: (event: AuditEvent) => event.type },
      { title: 'ON', of: ({ resourceId }: AuditEvent) => resourceId },
      { title: 'WHO', of: ({ actor }: AuditEvent) => actorText(actor) },
      { title: 'FROM', of: ({ request }: AuditEvent) => request?.address ?? '-' },
    ];
    const isNarrowed = (type ?? after) !== undefined;
    const none = isNarrowed ? 'No entries that are asked for.' : 'Nothing was changed yet.';
    return {
      text: answer.items.length === 0 ? none : table(columns, answer.items),
      json: { object: 'list', data: answer.items.map(eventJson), has_more: answer.hasMore },
      notes: [...notes, ...(answer.hasMore ? [`There is more: add --after ${answer.items.at(-1)?.id}`] : [])],
    };
  },
};

export const auditVerify: Command = {
  name: 'audit verify',
  about: 'Check that nothing was changed in the audit log, taken out of it or put into it.',
  details: 'Each entry is chained to the one before by a key that comes of the pepper and is not in the database.',
  options: {
    accept: {
      value: null,
      about: 'Have a log whose chain is unbroken count as whole from now on: after a restore of an older database.',
    },
  },
  examples: ['headgate audit verify'],
  async run({ flags, where, tools }) {
    const input = { accept: flags.has('accept') };
    const { answer, notes } = await perform(tools, tools.readSetup(where), verifyAuditTask, input);
    const { entries, fault } = answer;
    const json = { entries, fault: fault === null ? null : { entry: fault.number, message: fault.words } };
    if (fault === null) return { text: `Entries: ${entries}, all as they were written.`, json, notes };
    return { text: `Entry ${fault.number} ${fault.words}. The log cannot be trusted from there on.`, json, code: 1 };
  },
};

function limitOf(text: string | undefined): number {
  if (text === undefined) return DEFAULT_LIMIT;
  const limit = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > MAX_LIMIT) throw new UsageError(`--limit must be a whole number from 1 to ${MAX_LIMIT}.`);
  return limit;
}

/** Whom the audit log names, as a word for lists. */
export function actorText(actor: Actor): string {
  if (actor.type === 'session') return actor.email;
  return actor.type === 'api_key' ? actor.keyId : 'operator';
}

function eventJson({ id, type, at, actor, project, resourceId, details, request }: AuditEvent) {
  return { id, type, effective_at: unixSeconds(at), actor, project, resource_id: resourceId, details, request };
}
