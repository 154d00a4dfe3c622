import type { MemberRole } from '../../core/settings.ts';
import { at } from '../api.ts';
import type { Command } from '../command.ts';
import { UsageError } from '../failure.ts';
import { timeText } from '../phrases.ts';
import { table } from '../table.ts';
import { roleInWords, roleNamed } from './members.ts';

const ORGANIZATION = { organization: { value: 'ID', about: 'The organization (default: the first).' } } as const;

type InviteLine = {
  id: string;
  email: string;
  role: MemberRole;
  status: 'accepted' | 'expired' | 'pending';
  expires_at: number;
  accepted_at: number | null;
};
type CreatedInvite = InviteLine & {
  invite_token: string;
  invite_link: string | null;
  mail: 'sent' | 'failed' | 'off';
};

export const invitesList: Command = {
  name: 'invites list',
  about: 'List the invites of an organization.',
  options: ORGANIZATION,
  examples: ['headgate invites list'],
  async run({ api }) {
    const { data } = await api.list<InviteLine>('/v1/organization/invites');
    const columns = [
      { title: 'ID', of: ({ id }: InviteLine) => id },
      { title: 'EMAIL', of: ({ email }: InviteLine) => email },
      { title: 'ROLE', of: ({ role }: InviteLine) => role },
      { title: 'STATE', of: stateOf },
    ];
    const none = 'No invites yet. Invite somebody: headgate invites create EMAIL';
    return { text: data.length === 0 ? none : table(columns, data), json: { object: 'list', data } };
  },
};

export const invitesCreate: Command = {
  name: 'invites create',
  about: 'Invite a person and show the link once.',
  details: 'A running gateway mails it if the configuration has a mail server (mail, SMTP_URL).',
  argument: { value: 'EMAIL', about: 'Only this person can open the link.', required: true },
  options: {
    ...ORGANIZATION,
    role: { value: 'ROLE', about: 'owner or reader (default: reader).' },
    project: { value: 'ID', about: 'A project that they become a member of.' },
  },
  examples: ['headgate invites create ada@example.com', 'headgate invites create ada@example.com --role owner'],
  async run({ argument = '', values: { role, project }, api }) {
    const email = argument.trim().toLowerCase();
    if (!/^[^\s@<>",;]+@[^\s@<>",;]+$/u.test(email)) throw new UsageError('EMAIL must be an email address.');
    const projects = project === undefined ? [] : [{ id: project, role: 'member' }];
    const wanted = { email, role: roleNamed(role), projects };
    const made = await api.post<CreatedInvite>('/v1/organization/invites', wanted);
    const { invite_token: _, ...withoutToken } = made;
    // The link has the token.
    const json = made.invite_link === null ? made : withoutToken;
    const until = timeText(json.expires_at * 1000);
    const shown =
      json.invite_link ?? 'There is no link, because browsers cannot sign in until server.public_url is set.';
    return {
      text: [`Makes ${email} ${roleInWords(json.role)}, once, until ${until} UTC:`, '', shown].join('\n'),
      json,
      notes: [mailNote(json.mail, email, api.isServed)],
    };
  },
};

export const invitesRevoke: Command = {
  name: 'invites revoke',
  about: 'Revoke an invite. Its link becomes invalid.',
  argument: { value: 'ID', about: 'The invite’s id.', required: true },
  options: ORGANIZATION,
  examples: ['headgate invites revoke invite_1'],
  async run({ argument = '', api }) {
    const json = await api.remove(at`/v1/organization/invites/${argument}`);
    return { text: `Invite ${argument} is revoked.`, json };
  },
};

function mailNote(mail: CreatedInvite['mail'], email: string, isServed: boolean): string {
  if (mail === 'sent') return `It was mailed to ${email} too.`;
  if (mail === 'failed') return `It could not be mailed to ${email} (see the gateway’s log). Send it yourself.`;
  const why = isServed ? 'no mail server is set' : 'no gateway is running on this data';
  return `It was not mailed: ${why}. Send it yourself.`;
}

function stateOf({ status, accepted_at: acceptedAt, expires_at: expiresAt }: InviteLine): string {
  if (status === 'accepted') return `accepted ${timeText(acceptedAt! * 1000)}`;
  return status === 'expired' ? 'expired' : `open until ${timeText(expiresAt * 1000)}`;
}
