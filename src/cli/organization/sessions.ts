import { endSessionsTask, listSessionsTask, type SessionOfMember } from '../../tasks/sessions.ts';
import type { Command } from '../command.ts';
import { UsageError } from '../failure.ts';
import { perform } from '../perform.ts';
import { countText, timeText, unixSeconds } from '../phrases.ts';
import { table } from '../table.ts';

const ORGANIZATION = { organization: { value: 'ID', about: 'The organization (default: the first).' } } as const;

export const sessionsList: Command = {
  name: 'sessions list',
  about: 'List where the members of an organization are signed in.',
  options: { ...ORGANIZATION, member: { value: 'ID|EMAIL', about: 'Only sessions of this person.' } },
  examples: ['headgate sessions list', 'headgate sessions list --member ada@example.com'],
  async run({ values: { organization = null, member = null }, where, tools }) {
    const input = { organizationId: organization, member };
    const { answer, notes } = await perform(tools, tools.readSetup(where), listSessionsTask, input);
    const columns = [
      { title: 'ID', of: ({ session }: SessionOfMember) => session.id },
      { title: 'EMAIL', of: ({ email }: SessionOfMember) => email },
      { title: 'BY', of: ({ session }: SessionOfMember) => session.way },
      { title: 'SIGNED IN', of: ({ session }: SessionOfMember) => timeText(session.signedInAt) },
      { title: 'LAST SEEN', of: ({ session }: SessionOfMember) => timeText(session.seenAt) },
      { title: 'FROM', of: ({ session }: SessionOfMember) => session.address ?? '-' },
    ];
    return {
      text: answer.length === 0 ? 'Nobody is signed in.' : table(columns, answer),
      json: { object: 'list', data: answer.map(sessionJson) },
      notes,
    };
  },
};

export const sessionsEnd: Command = {
  name: 'sessions end',
  about: 'End one session, or all sessions of a person, who must then sign in again.',
  argument: { value: 'ID', about: 'Session id, as shown by `headgate sessions list`.', required: false },
  options: { ...ORGANIZATION, member: { value: 'ID|EMAIL', about: 'End all sessions of this person instead.' } },
  examples: ['headgate sessions end sess_1', 'headgate sessions end --member ada@example.com'],
  async run({ argument, values: { organization = null, member }, where, tools }) {
    if ((argument === undefined) === (member === undefined))
      throw new UsageError('Name either a session, or a person with --member.');
    const which = member === undefined ? { session: argument! } : { member };
    const input = { organizationId: organization, ...which };
    const { answer } = await perform(tools, tools.readSetup(where), endSessionsTask, input);
    const whose = answer[0] === undefined ? '' : ` of ${answer[0].email}`;
    return {
      text: `${countText(answer.length, 'session')}${whose} ended.`,
      json: { object: 'list', data: answer.map(sessionJson) },
    };
  },
};

function sessionJson({ userId, email, session }: SessionOfMember) {
  return {
    id: session.id,
    user_id: userId,
    email,
    way: session.way,
    organization: session.organizationId,
    signed_in_at: unixSeconds(session.signedInAt),
    last_seen_at: unixSeconds(session.seenAt),
    expires_at: unixSeconds(session.endsAt),
    ip_address: session.address,
    user_agent: session.userAgent,
  };
}
