import type { Command } from '../command.ts';
import { UsageError } from '../failure.ts';
import { countText, timeText } from '../phrases.ts';
import { table } from '../table.ts';

const ORGANIZATION = { organization: { value: 'ID', about: 'The organization (default: the first).' } } as const;

const SESSIONS = '/v1/operator/sessions';

type ShownSession = {
  id: string;
  email: string;
  way: string;
  signed_in_at: number;
  last_seen_at: number;
  ip_address: string | null;
};
type Sessions = { data: readonly ShownSession[] };

export const sessionsList: Command = {
  name: 'sessions list',
  about: 'List where the members of an organization are signed in.',
  options: { ...ORGANIZATION, member: { value: 'ID|EMAIL', about: 'Only sessions of this person.' } },
  examples: ['headgate sessions list', 'headgate sessions list --member ada@example.com'],
  async run({ values: { member }, api }) {
    const json = await api.get<Sessions>(SESSIONS, { member });
    const columns = [
      { title: 'ID', of: ({ id }: ShownSession) => id },
      { title: 'EMAIL', of: ({ email }: ShownSession) => email },
      { title: 'BY', of: ({ way }: ShownSession) => way },
      { title: 'SIGNED IN', of: (each: ShownSession) => timeText(each.signed_in_at * 1000) },
      { title: 'LAST SEEN', of: (each: ShownSession) => timeText(each.last_seen_at * 1000) },
      { title: 'FROM', of: (each: ShownSession) => each.ip_address ?? '-' },
    ];
    return { text: json.data.length === 0 ? 'Nobody is signed in.' : table(columns, json.data), json };
  },
};

export const sessionsEnd: Command = {
  name: 'sessions end',
  about: 'End one session, or all sessions of a person, who must then sign in again.',
  argument: { value: 'ID', about: 'Session id, as shown by `headgate sessions list`.', required: false },
  options: { ...ORGANIZATION, member: { value: 'ID|EMAIL', about: 'End all sessions of this person instead.' } },
  examples: ['headgate sessions end sess_1', 'headgate sessions end --member ada@example.com'],
  async run({ argument, values: { member }, api }) {
    if ((argument === undefined) === (member === undefined))
      throw new UsageError('Name either a session, or a person with --member.');
    const which = member === undefined ? { session_id: argument } : { member };
    const json = await api.post<Sessions>('/v1/operator/sessions/end', which);
    const [first] = json.data;
    const whose = first === undefined ? '' : ` of ${first.email}`;
    return { text: `${countText(json.data.length, 'session')}${whose} ended.`, json };
  },
};
