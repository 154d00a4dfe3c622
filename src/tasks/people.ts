import type { MemberRole, ProjectRole, Setting } from '../core/settings.ts';
import { type InviteMail, mailInvite } from '../organization/invites/mail.ts';
import { createInvite, deleteInvite, listInvites, type ShownInvite } from '../organization/invites/service.ts';
import { listMembers, removeMember, updateMember } from '../organization/members/service.ts';
import { linkAddress } from '../organization/sign-in/links.ts';
import { publicAddressOf } from '../organization/sign-in/public-address.ts';
import { operatorAtWork } from './administration.ts';
import { type InOrganization, wholeList } from './settings.ts';
import type { Task } from './task.ts';

export type { ShownInvite };

export const listMembersTask: Task<InOrganization, Setting<'member'>[]> = {
  name: 'members.list',
  ofNothing: () => [],
  async run(services, { organizationId }) {
    const admin = await operatorAtWork(services, organizationId);
    return wholeList((page) => listMembers(admin, page));
  },
};

export const changeMemberTask: Task<InOrganization<{ id: string; role: MemberRole }>, Setting<'member'>> = {
  name: 'members.edit',
  run: async (services, { organizationId, id, role }) =>
    updateMember(await operatorAtWork(services, organizationId), id, { role }),
};

export const removeMemberTask: Task<InOrganization<{ id: string }>, null> = {
  name: 'members.remove',
  async run(services, { organizationId, id }) {
    await removeMember(await operatorAtWork(services, organizationId), id);
    return null;
  },
};

export const listInvitesTask: Task<InOrganization, ShownInvite[]> = {
  name: 'invites.list',
  ofNothing: () => [],
  async run(services, { organizationId }) {
    const admin = await operatorAtWork(services, organizationId);
    return wholeList((page) => listInvites(admin, page));
  },
};

/** `email` is in lower case. `port`: where the gateway listens. */
export type WantedInvite = InOrganization<{
  email: string;
  role: MemberRole;
  projects: readonly { id: string; role: ProjectRole }[];
  port: number;
}>;

/** `link` is `null` if browsers cannot sign in. */
export type MadeInvite = { invite: Setting<'invite'>; link: string | null; mail: InviteMail };

export const createInviteTask: Task<WantedInvite, MadeInvite> = {
  name: 'invites.create',
  async run(services, { organizationId, port, ...wanted }) {
    const { invite, token } = await createInvite(await operatorAtWork(services, organizationId), wanted);
    const address = publicAddressOf(services.config.server, port);
    const link = address === null ? null : linkAddress(address, token);
    return { invite, link, mail: await mailInvite(services.sendMail, invite.value.email, link) };
  },
};

export const revokeInviteTask: Task<InOrganization<{ id: string }>, null> = {
  name: 'invites.revoke',
  async run(services, { organizationId, id }) {
    await deleteInvite(await operatorAtWork(services, organizationId), id);
    return null;
  },
};
