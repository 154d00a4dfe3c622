import type { Actor } from '../../core/audit.ts';
import type { Command } from '../command.ts';
import { inOptionsOf, UsageError } from '../failure.ts';
import { timeText } from '../phrases.ts';
import { table } from '../table.ts';

type EntryActor = { session?: { user: { email: string } }; api_key?: { id: string } };
/** An entry as the HTTP API gives it: its details are in a member named like its type. */
type ShownEntry = {
  id: string;
  type: string;
  effective_at: number;
  actor: EntryActor;
  request: { ip_address: string | null } | null;
  [details: string]: unknown;
};
type ShownVerdict = { entries: number; fault: { entry: number; message: string } | null };

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
  async run({ values: { limit, after, type }, api }) {
    const query = { after, ...(type !== undefined && { 'event_types[]': type }) };
    const listing = api.list<ShownEntry>('/v1/organization/audit_logs', query, limitOf(limit));
    const { data, isMore } = await inOptionsOf({ after: '--after' }, listing);
    const columns = [
      { title: 'TIME', of: (entry: ShownEntry) => timeText(entry.effective_at * 1000) },
      { title: 'WHAT', of: (entry: ShownEntry) => entry.type },
      { title: 'ON', of: (entry: ShownEntry) => (entry[entry.type] as { id: string }).id },
      { title: 'WHO', of: ({ actor }: ShownEntry) => entryActorText(actor) },
      { title: 'FROM', of: ({ request }: ShownEntry) => request?.ip_address ?? '-' },
    ];
    const isNarrowed = (type ?? after) !== undefined;
    const none = isNarrowed ? 'No entries match.' : 'No changes yet.';
    return {
      text: data.length === 0 ? none : table(columns, data),
      json: { object: 'list', data, has_more: isMore },
      notes: isMore ? [`There are more. Add --after ${data.at(-1)?.id}`] : [],
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
  async run({ flags, api }) {
    const json = flags.has('accept')
      ? await api.post<ShownVerdict>('/v1/operator/audit_log/acceptance')
      : await api.get<ShownVerdict>('/v1/operator/audit_log/verification');
    const { entries, fault } = json;
    if (fault === null) return { text: `Entries: ${entries}, all unchanged.`, json };
    return { text: `Entry ${fault.entry} ${fault.message}. The log cannot be trusted from there on.`, json, code: 1 };
  },
};

function limitOf(text: string | undefined): number {
  if (text === undefined) return DEFAULT_LIMIT;
  const limit = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > MAX_LIMIT) throw new UsageError(`--limit must be a whole number from 1 to ${MAX_LIMIT}.`);
  return limit;
}

/** The actor of an entry, as a word for lists. */
function entryActorText({ session, api_key: key }: EntryActor): string {
  return session?.user.email ?? key?.id ?? 'operator';
}

/** The actor of a change, as a word for lists. */
export function actorText(actor: Actor): string {
  if (actor.type === 'session') return actor.email;
  return actor.type === 'api_key' ? actor.keyId : 'operator';
}
