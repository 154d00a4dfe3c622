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
  about: 'Show who changed what, newest first; with --json, complete entries.',
  options: {
    organization: { value: 'ID', about: 'The organization (default: the first).' },
    limit: { value: 'N', about: `Number of entries (default: ${DEFAULT_LIMIT}).` },
    after: { value: 'ID', about: 'Entries after this one.' },
    type: { value: 'TYPE', about: 'Only entries of these types: project.created, api_key.updated, …' },
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
    const none = isNarrowed ? 'No entries match.' : 'No changes yet.';
    return {
      text: answer.items.length === 0 ? none : table(columns, answer.items),
      json: { object: 'list', data: answer.items.map(eventJson), has_more: answer.hasMore },
      notes: [...notes, ...(answer.hasMore ? [`There are more. Add --after ${answer.items.at(-1)?.id}`] : [])],
    };
  },
};

export const auditVerify: Command = {
  name: 'audit verify',
  about: 'Check that no entry of the audit log was changed, removed or added.',
  details: 'Each entry is chained to the one before by a key derived from the pepper, which is not in the database.',
  options: {
    accept: {
      value: null,
      about: 'Accept a log with an unbroken chain as complete from now on: after an older database was restored.',
    },
  },
  examples: ['headgate audit verify'],
  async run({ flags, where, tools }) {
    const input = { accept: flags.has('accept') };
    const { answer, notes } = await perform(tools, tools.readSetup(where), verifyAuditTask, input);
    const { entries, fault } = answer;
    const json = { entries, fault: fault === null ? null : { entry: fault.number, message: fault.words } };
    if (fault === null) return { text: `Entries: ${entries}, all unchanged.`, json, notes };
    return { text: `Entry ${fault.number} ${fault.words}. The log cannot be trusted from there on.`, json, code: 1 };
  },
};

function limitOf(text: string | undefined): number {
  if (text === undefined) return DEFAULT_LIMIT;
  const limit = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > MAX_LIMIT) throw new UsageError(`--limit must be a whole number from 1 to ${MAX_LIMIT}.`);
  return limit;
}

/** The actor of an entry, as a word for lists. */
export function actorText(actor: Actor): string {
  if (actor.type === 'session') return actor.email;
  return actor.type === 'api_key' ? actor.keyId : 'operator';
}

function eventJson({ id, type, at, actor, project, resourceId, details, request }: AuditEvent) {
  return { id, type, effective_at: unixSeconds(at), actor, project, resource_id: resourceId, details, request };
}
