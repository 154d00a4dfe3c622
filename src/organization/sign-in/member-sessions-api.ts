import { z } from 'zod';
import { inSeconds } from '../../api/fields.ts';
import { operation } from '../../api/operation.ts';
import { listOf, seconds, text } from '../../api/schema.ts';
import type { Administrator } from '../../core/administrator.ts';
import { GatewayError } from '../../core/errors.ts';
import { findMember, findMemberByEmail } from '../members/service.ts';
import { atWork, type SettingsParts } from '../parts.ts';
import { resource } from '../resource.ts';
import { endMemberSessions, listMemberSessions } from './sessions.ts';

const sessions = listOf(
  z.object({
    id: text,
    user_id: text,
    email: text,
    way: text.describe('How the person signed in.'),
    organization: text.nullable(),
    signed_in_at: seconds,
    last_seen_at: seconds,
    expires_at: seconds,
    ip_address: text.nullable(),
    user_agent: text.nullable(),
  }),
);
const member = text.describe('The id or the email address of a member.');

const LIST_SESSIONS = operation('listMemberSessions', 'GET /v1/operator/sessions', {
  tag: 'Sign-in',
  summary: 'List the sessions of an organization’s members.',
  access: 'operator',
  query: z.object({ member: member.exactOptional() }),
  answer: { description: 'The sessions.', schema: sessions },
});

const END_SESSIONS = operation('endMemberSessions', 'POST /v1/operator/sessions/end', {
  tag: 'Sign-in',
  summary: 'End one session, or all sessions of a member.',
  access: 'operator',
  body: { schema: z.strictObject({ session_id: text.exactOptional(), member: member.exactOptional() }) },
  answer: { description: 'The ended sessions.', schema: sessions },
});

type MemberSession = Awaited<ReturnType<typeof listMemberSessions>>[number];

/** For the operator alone. */
export const MEMBER_SESSIONS = resource([
  LIST_SESSIONS.handledBy(async ({ administrator: by, query }, parts) => {
    const of = query.member === undefined ? {} : { userId: await userIdOf(parts, by, query.member) };
    return { object: 'list', data: (await listMemberSessions(partsFor(parts, by), of)).map(sessionJson) };
  }),
  END_SESSIONS.handledBy(async ({ administrator: by, body: { session_id: sessionId, member: named } }, parts) => {
    if (named === undefined && sessionId === undefined)
      throw new GatewayError('invalid_request', '`session_id` or `member` must be given.', { param: 'session_id' });
    const which = named === undefined ? { sessionId: sessionId! } : { userId: await userIdOf(parts, by, named) };
    return { object: 'list', data: (await endMemberSessions(partsFor(parts, by), which)).map(sessionJson) };
  }),
]);

function partsFor(parts: SettingsParts, by: Administrator) {
  const { people, rules } = parts.signIn;
  return { admin: atWork(parts, by), people, rules };
}

/** Throws `not_found` if there is no such member. */
async function userIdOf(parts: SettingsParts, by: Administrator, named: string): Promise<string> {
  const admin = atWork(parts, by);
  const finding = named.includes('@') ? findMemberByEmail(admin, named.toLowerCase()) : findMember(admin, named);
  return (await finding).id;
}

function sessionJson({ person, session }: MemberSession) {
  return {
    id: session.id,
    user_id: person.id,
    email: person.email,
    way: session.way,
    organization: session.organizationId,
    signed_in_at: inSeconds(session.signedInAt),
    last_seen_at: inSeconds(session.seenAt),
    expires_at: inSeconds(session.endsAt),
    ip_address: session.address,
    user_agent: session.userAgent,
  };
}
