import { MEMBER_ROLES, type MemberRole } from '../../core/settings.ts';
import { utcDay } from '../../core/utc-day.ts';
import { at } from '../api.ts';
import type { Command } from '../command.ts';
import { UsageError } from '../failure.ts';
import { table } from '../table.ts';

const ORGANIZATION = { organization: { value: 'ID', about: 'The organization (default: the first).' } } as const;
const MEMBER = { value: 'ID', about: 'The member’s id.', required: true } as const;

type ShownMember = { id: string; email: string; name: string | null; role: MemberRole; added_at: number };

export const membersList: Command = {
  name: 'members list',
  about: 'List the members of an organization.',
  options: ORGANIZATION,
  examples: ['headgate members list'],
  async run({ api }) {
    const { data } = await api.list<ShownMember>('/v1/organization/users');
    const columns = [
      { title: 'ID', of: ({ id }: ShownMember) => id },
      { title: 'EMAIL', of: ({ email }: ShownMember) => email },
      { title: 'NAME', of: ({ name }: ShownMember) => name ?? '-' },
      { title: 'ROLE', of: ({ role }: ShownMember) => role },
      { title: 'SINCE', of: (each: ShownMember) => utcDay(each.added_at * 1000) },
    ];
    const none = 'No members yet. Invite the first owner: headgate owner-link';
    return { text: data.length === 0 ? none : table(columns, data), json: { object: 'list', data } };
  },
};

export const membersEdit: Command = {
  name: 'members edit',
  about: 'Make a member an owner, or a reader with only the assigned roles.',
  argument: MEMBER,
  options: { ...ORGANIZATION, role: { value: 'ROLE', about: 'owner or reader.', required: true } },
  examples: ['headgate members edit user_1 --role owner'],
  async run({ argument = '', values, api }) {
    const json = await api.post<ShownMember>(at`/v1/organization/users/${argument}`, { role: roleNamed(values.role) });
    return { text: `${json.email} is now ${roleInWords(json.role)}.`, json };
  },
};

export const membersRemove: Command = {
  name: 'members remove',
  about: 'Remove a member: their keys are revoked and their sessions end.',
  argument: MEMBER,
  options: ORGANIZATION,
  examples: ['headgate members remove user_1'],
  async run({ argument = '', api }) {
    const json = await api.remove(at`/v1/organization/users/${argument}`);
    return { text: `Member ${argument} is removed, and their keys are revoked.`, json };
  },
};

/** Throws a `UsageError` for any other word. */
export function roleNamed(word = 'reader'): MemberRole {
  const role = MEMBER_ROLES.find((each) => each === word);
  if (role === undefined) throw new UsageError(`--role must be one of ${MEMBER_ROLES.join(', ')}.`);
  return role;
}

/** `an owner`. */
export function roleInWords(role: MemberRole): string {
  return role === 'owner' ? 'an owner' : 'a reader';
}
