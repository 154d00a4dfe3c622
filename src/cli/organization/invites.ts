import { portOf } from '../../core/operator.ts';
import type { Setting } from '../../core/settings.ts';
import {
  createInviteTask,
  listInvitesTask,
  type MadeInvite,
  revokeInviteTask,
  type ShownInvite,
} from '../../tasks/people.ts';
import type { Command } from '../command.ts';
import { UsageError } from '../failure.ts';
import { perform } from '../perform.ts';
import { timeText, unixSeconds } from '../phrases.ts';
import { table } from '../table.ts';
import { roleInWords, roleNamed } from './members.ts';

const ORGANIZATION = { organization: { value: 'ID', about: 'The organization (default: the first).' } } as const;

export const invitesList: Command = {
  name: 'invites list',
  about: 'List the invites of an organization.',
  options: ORGANIZATION,
  examples: ['headgate invites list'],
  async run({ values: { organization = null }, where, tools }) {
    const input = { organizationId: organization };
    const { answer: invites, notes } = await perform(tools, tools.readSetup(where), listInvitesTask, input);
    const columns = [
      { title: 'ID', of: ({ id }: ShownInvite) => id },
      { title: 'EMAIL', of: ({ invite }: ShownInvite) => invite.value.email },
      { title: 'ROLE', of: ({ invite }: ShownInvite) => invite.value.role },
      { title: 'STATE', of: stateOf },
    ];
    return {
      text:
        invites.length === 0
          ? 'No invites yet. Invite somebody: headgate invites create EMAIL'
          : table(columns, invites),
      json: { object: 'list', data: invites.map(({ invite, status }) => ({ ...inviteJson(invite), status })) },
      notes,
    };
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
  async run({ argument = '', values, where, tools }) {
    const { organization = null, role, project } = values;
    const email = argument.trim().toLowerCase();
    if (!/^[^\s@<>",;]+@[^\s@<>",;]+$/u.test(email)) throw new UsageError('EMAIL must be an email address.');
    const setup = tools.readSetup(where);
    const running = await tools.live(setup);
    const port = running === null ? setup.config.server.port : portOf(running.facts.address);
    const projects = project === undefined ? [] : [{ id: project, role: 'member' as const }];
    const input = { organizationId: organization, email, role: roleNamed(role), projects, port };
    const { invite, link, mail } = (await perform(tools, setup, createInviteTask, input)).answer;
    const until = timeText(invite.value.expiresAt);
    const shown = link ?? 'There is no link, because browsers cannot sign in until server.public_url is set.';
    return {
      text: [`Makes ${email} ${roleInWords(invite.value.role)}, once, until ${until} UTC:`, '', shown].join('\n'),
      json: { ...inviteJson(invite), invite_link: link, mail },
      notes: [mailNote(mail, email, running !== null)],
    };
  },
};

export const invitesRevoke: Command = {
  name: 'invites revoke',
  about: 'Revoke an invite. Its link becomes invalid.',
  argument: { value: 'ID', about: 'The invite’s id.', required: true },
  options: ORGANIZATION,
  examples: ['headgate invites revoke invite_1'],
  async run({ argument = '', values: { organization = null }, where, tools }) {
    const input = { organizationId: organization, id: argument };
    await perform(tools, tools.readSetup(where), revokeInviteTask, input);
    return { text: `Invite ${argument} is revoked.`, json: { id: argument, revoked: true } };
  },
};

function mailNote(mail: MadeInvite['mail'], email: string, isServed: boolean): string {
  if (mail === 'sent') return `It was mailed to ${email} too.`;
  if (mail === 'failed') return `It could not be mailed to ${email} (see the gateway’s log). Send it yourself.`;
  const why = isServed ? 'no mail server is set' : 'no gateway is running on this data';
  return `It was not mailed: ${why}. Send it yourself.`;
}

function stateOf({ invite: { value }, status }: ShownInvite): string {
  if (status === 'accepted') return `accepted ${timeText(value.acceptedAt!)}`;
  return status === 'expired' ? 'expired' : `open until ${timeText(value.expiresAt)}`;
}

function inviteJson({ id, createdAt, value }: Setting<'invite'>) {
  return {
    id,
    email: value.email,
    role: value.role,
    projects: value.projects,
    created_at: unixSeconds(createdAt),
    expires_at: unixSeconds(value.expiresAt),
    accepted_at: unixSeconds(value.acceptedAt),
  };
}
