import type { Session } from '../core/people.ts';
import { findMember, findMemberByEmail } from '../organization/members/service.ts';
import { endMemberSessions, listMemberSessions } from '../organization/sign-in/sessions.ts';
import { operatorAtWork } from './administration.ts';
import type { InOrganization } from './settings.ts';
import type { Task, TaskServices } from './task.ts';

/** A session and its member. */
export type SessionOfMember = { userId: string; email: string; session: Session };

/** The sessions of an organization's members: all, or those of one member by id or address. */
export const listSessionsTask: Task<InOrganization<{ member: string | null }>, SessionOfMember[]> = {
  name: 'sessions.list',
  ofNothing: () => [],
  async run(services, { organizationId, member }) {
    const parts = await partsOf(services, organizationId);
    const userId = member === null ? null : await memberId(parts, member);
    return (await listMemberSessions(parts, userId === null ? {} : { userId })).map(shown);
  },
};

/** Ends one session, or all sessions of a member. */
export const endSessionsTask: Task<InOrganization<{ session: string } | { member: string }>, SessionOfMember[]> = {
  name: 'sessions.end',
  async run(services, { organizationId, ...which }) {
    const parts = await partsOf(services, organizationId);
    const ended = 'member' in which ? { userId: await memberId(parts, which.member) } : { sessionId: which.session };
    return (await endMemberSessions(parts, ended)).map(shown);
  },
};

type SessionParts = Parameters<typeof listMemberSessions>[0];

async function partsOf(services: TaskServices, organizationId: string | null): Promise<SessionParts> {
  const { storage, config } = services;
  return { admin: await operatorAtWork(services, organizationId), people: storage.people, rules: () => config.signIn };
}

/** Throws `not_found` if no member has this address or id. */
async function memberId({ admin }: SessionParts, named: string): Promise<string> {
  const find = named.includes('@') ? findMemberByEmail(admin, named.toLowerCase()) : findMember(admin, named);
  return (await find).id;
}

function shown({
  person: { id: userId, email },
  session,
}: {
  person: { id: string; email: string };
  session: Session;
}) {
  return { userId, email, session };
}
