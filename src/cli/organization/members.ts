import { MEMBER_ROLES, type Setting } from '../../core/settings.ts';
import { utcDay } from '../../core/utc-day.ts';
import { changeMemberTask, listMembersTask, removeMemberTask } from '../../tasks/people.ts';
import type { Command } from '../command.ts';
import { UsageError } from '../failure.ts';
import { perform } from '../perform.ts';
import { unixSeconds } from '../phrases.ts';
import { table } from '../table.ts';

const ORGANIZATION = { organization: { value: 'ID', about: 'The organization (default: the first).' } } as const;
const MEMBER = { value: 'ID', about: 'The member’s id.', required: true } as const;

export const membersList: Command = {
  name: 'members list',
  about: 'List the members of an organization.',
  options: ORGANIZATION,
  examples: ['headgate members list'],
  async run({ values: { organization = null }, where, tools }) {
    const input = { organizationId: organization };
    const { answer: members, notes } = await perform(tools, tools.readSetup(where), listMembersTask, input);
    const columns = [
      { title: 'ID', of: ({ id }: Setting<'member'>) => id },
      { title: 'EMAIL', of: ({ value }: Setting<'member'>) => value.email },
      { title: 'NAME', of: ({ value }: Setting<'member'>) => value.name ?? '-' },
      { title: 'ROLE', of: ({ value }: Setting<'member'>) => value.role },
      { title: 'SINCE', of: ({ createdAt }: Setting<'member'>) => utcDay(createdAt) },
    ];
    const none = 'No members yet. Invite the first owner: headgate owner-link';
    return {
      text: members.length === 0 ? none : table(columns, members),
      json: { object: 'list', data: members.map(memberJson) },
      notes,
    };
  },
};

export const membersEdit: Command = {
  name: 'members edit',
  about: 'Make a member an owner, or a reader with only the assigned roles.',
  argument: MEMBER,
  options: { ...ORGANIZATION, role: { value: 'ROLE', about: 'owner or reader.', required: true } },
  examples: ['headgate members edit user_1 --role owner'],
  async run({ argument = '', values: { organization = null, role }, where, tools }) {
    const input = { organizationId: organization, id: argument, role: roleNamed(role) };
    const { answer } = await perform(tools, tools.readSetup(where), changeMemberTask, input);
    return { text: `${answer.value.email} is now ${roleInWords(answer.value.role)}.`, json: memberJson(answer) };
  },
};

export const membersRemove: Command = {
  name: 'members remove',
  about: 'Remove a member: their keys are revoked and their sessions end.',
  argument: MEMBER,
  options: ORGANIZATION,
  examples: ['headgate members remove user_1'],
  async run({ argument = '', values: { organization = null }, where, tools }) {
    const input = { organizationId: organization, id: argument };
    await perform(tools, tools.readSetup(where), removeMemberTask, input);
    return {
      text: `Member ${argument} is removed, and their keys are revoked.`,
      json: { id: argument, removed: true },
    };
  },
};

/** Throws a `UsageError` for any other word. */
export function roleNamed(word = 'reader') {
  const role = MEMBER_ROLES.find((each) => each === word);
  if (role === undefined) throw new UsageError(`--role must be one of ${MEMBER_ROLES.join(', ')}.`);
  return role;
}

/** `an owner`. */
export function roleInWords(role: Setting<'member'>['value']['role']): string {
  return role === 'owner' ? 'an owner' : 'a reader';
}

function memberJson({ id, createdAt, value }: Setting<'member'>) {
  return { id, email: value.email, name: value.name, role: value.role, created_at: unixSeconds(createdAt) };
}
