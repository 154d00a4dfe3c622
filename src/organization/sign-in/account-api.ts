import { z } from 'zod';
import { deletedOf, idText, inSeconds, inSecondsOrNull, nameText } from '../../api/fields.ts';
import { operation } from '../../api/operation.ts';
import { flag, listOf, named, seconds, text } from '../../api/schema.ts';
import type { Passkey, Session, SignedIn } from '../../core/people.ts';
import type { Permission } from '../../core/permissions.ts';
import { administratorFor, type OrganizationMember, permissionsInProjects } from '../permissions.ts';
import { resource } from '../resource.ts';
import { personJson } from './api.ts';
import type { SignInParts } from './parts.ts';
import { addPasskey, passkeyCreation, removePasskey } from './passkey-way.ts';
import { setPassword } from './password-way.ts';
import { attestation, newPassword, passkeyOptions, person } from './schemas.ts';
import { chooseOrganization, endSession, listSessions } from './sessions.ts';

const ofPerson = { tag: 'Sign-in', access: 'person' } as const;
const grave = { tag: 'Sign-in', access: { person: 'grave' } } as const;

const account = named(
  'Account',
  z.object({
    object: z.literal('auth.session'),
    person,
    session_id: text,
    organization_id: text.nullable().describe('The organization whose settings are shown.'),
    organizations: z
      .array(z.object({ id: text, name: text, role: z.enum(['owner', 'reader']) }))
      .describe('The organizations of the person.'),
    permissions: z.array(text).describe('Their permissions in the selected organization.'),
    projects: z
      .array(z.object({ id: text, permissions: z.array(text) }))
      .describe('Where they may more than that: what they may beside it there.'),
    has_password: flag,
    passkeys: z.int().describe('How many they have.'),
    signed_in_at: seconds,
    recent_until: seconds.describe('Until then, sensitive operations need no new sign-in.'),
    expires_at: seconds.describe('The latest end of the session.'),
  }),
);

export const GET_ACCOUNT = operation('getSession', 'GET /v1/auth/session', {
  ...ofPerson,
  summary: 'Get the signed-in person and their permissions.',
  answer: { description: 'The person, their organizations and their permissions.', schema: account },
});

export const CHOOSE_ORGANIZATION = operation('chooseOrganization', 'POST /v1/auth/organization', {
  ...ofPerson,
  summary: 'Select the organization of a session.',
  body: { schema: named('OrganizationChoice', z.strictObject({ organization_id: idText })) },
  answer: { description: 'The session.', schema: account },
  errors: ['not_found'],
});

export const SET_PASSWORD = operation('setPassword', 'POST /v1/auth/password', {
  ...grave,
  summary: 'Set your password. All other sessions end.',
  body: { schema: named('NewPassword', z.strictObject({ password: newPassword })) },
  answer: { description: 'The session.', schema: account },
  errors: ['overloaded'],
});

const passkey = named(
  'Passkey',
  z.object({
    id: text,
    object: z.literal('auth.passkey'),
    name: text,
    created_at: seconds,
    last_used_at: seconds.nullable(),
  }),
);

export const LIST_PASSKEYS = operation('listPasskeys', 'GET /v1/auth/passkeys', {
  ...ofPerson,
  summary: 'List your passkeys.',
  answer: { description: 'All of them.', schema: named('PasskeyList', listOf(passkey)) },
});

export const PASSKEY_OPTIONS = operation('passkeyOptions', 'POST /v1/auth/passkeys/options', {
  ...grave,
  summary: 'Get the options for creating a passkey.',
  answer: { description: 'The argument of `navigator.credentials.create()`.', schema: passkeyOptions },
  errors: ['conflict'],
});

export const ADD_PASSKEY = operation('addPasskey', 'POST /v1/auth/passkeys', {
  ...grave,
  summary: 'Add a passkey that a device has created.',
  body: { schema: named('NewPasskey', z.strictObject({ name: nameText, response: attestation })) },
  answer: { description: 'The passkey.', schema: passkey },
  errors: ['conflict'],
});

export const REMOVE_PASSKEY = operation('removePasskey', 'DELETE /v1/auth/passkeys/{passkey_id}', {
  ...grave,
  summary: 'Delete a passkey. All other sessions end.',
  answer: { description: 'It was deleted.', schema: deletedOf('PasskeyDeleted', 'auth.passkey.deleted') },
  errors: ['not_found', 'conflict'],
});

const session = named(
  'Session',
  z.object({
    id: text,
    object: z.literal('organization.session'),
    is_current: flag.describe('Whether it is the current one.'),
    way: z.enum(['password', 'passkey', 'link']).describe('How they signed in.'),
    organization_id: text.nullable(),
    signed_in_at: seconds,
    last_seen_at: seconds.describe('Last use, to the minute.'),
    expires_at: seconds,
    ip_address: text.nullable(),
    user_agent: text.nullable(),
  }),
);

export const LIST_SESSIONS = operation('listSessions', 'GET /v1/organization/sessions', {
  ...ofPerson,
  summary: 'List your sessions.',
  answer: { description: 'All of them, latest first.', schema: named('SessionList', listOf(session)) },
});

export const END_SESSION = operation('endSession', 'DELETE /v1/organization/sessions/{session_id}', {
  ...ofPerson,
  summary: 'End one of your sessions.',
  answer: { description: 'It has ended.', schema: deletedOf('SessionDeleted', 'organization.session.deleted') },
  errors: ['not_found'],
});

/** Serves a person's own sessions and ways to sign in. */
export const ACCOUNT_OPERATIONS = resource([
  GET_ACCOUNT.handledBy(({ signedIn }, { signIn: parts }) => accountJson(parts, signedIn)),
  CHOOSE_ORGANIZATION.handledBy(async ({ signedIn, body: { organization_id: organizationId } }, { signIn: parts }) => {
    await chooseOrganization(parts, signedIn, organizationId);
    return accountJson(parts, { ...signedIn, session: { ...signedIn.session, organizationId } });
  }),
  SET_PASSWORD.handledBy(async ({ signedIn, body, browser }, { signIn: parts }) => {
    await setPassword(parts, signedIn, body.password, browser.visit);
    return accountJson(parts, signedIn);
  }),
  LIST_PASSKEYS.handledBy(async ({ signedIn }, { signIn: parts }) => ({
    object: 'list' as const,
    data: (await parts.people.passkeys(signedIn.person.id)).map(passkeyJson),
  })),
  PASSKEY_OPTIONS.handledBy(async ({ signedIn }, { signIn: parts }) => ({
    ...(await passkeyCreation(parts, signedIn)),
  })),
  ADD_PASSKEY.handledBy(async ({ signedIn, body, browser }, { signIn: parts }) =>
    passkeyJson(await addPasskey(parts, signedIn, body, browser.visit)),
  ),
  REMOVE_PASSKEY.handledBy(async ({ signedIn, path, browser }, { signIn: parts }) => {
    const id = path.passkey_id;
    await removePasskey(parts, signedIn, id, browser.visit);
    return { id, object: 'auth.passkey.deleted' as const, deleted: true as const };
  }),
  LIST_SESSIONS.handledBy(async ({ signedIn }, { signIn: parts }) => ({
    object: 'list' as const,
    data: (await listSessions(parts, signedIn)).map((each) => sessionJson(each, signedIn)),
  })),
  END_SESSION.handledBy(async ({ signedIn, path, browser }, { signIn: parts }) => {
    const id = path.session_id;
    await endSession(parts, signedIn, id, browser.visit);
    if (id === signedIn.session.id) browser.forget();
    return { id, object: 'organization.session.deleted' as const, deleted: true as const };
  }),
]);

async function accountJson(parts: SignInParts, { person: { id }, session: current }: SignedIn) {
  // Read again, because it may just have changed.
  const [now, memberships, passkeys] = await Promise.all([
    parts.people.person(id),
    parts.people.memberships(id),
    parts.people.passkeys(id),
  ]);
  const { organizationId } = current;
  const isMember = memberships.some(({ organization }) => organization.id === organizationId);
  const member = organizationId === null || !isMember ? null : { organizationId, userId: id };
  const permissions = member === null ? [] : await permissionsOf(parts, member);
  const projects = member === null ? [] : await permissionsInProjects(parts.admin.settings, member);
  return {
    object: 'auth.session' as const,
    person: personJson(now!),
    session_id: current.id,
    organization_id: isMember ? organizationId : null,
    organizations: memberships.map(({ organization, role }) => ({
      id: organization.id,
      name: organization.name,
      role,
    })),
    permissions: [...permissions].sort(),
    projects: projects.map((each) => ({ id: each.id, permissions: [...each.permissions].sort() })),
    has_password: now!.passwordHash !== null,
    passkeys: passkeys.length,
    signed_in_at: inSeconds(current.signedInAt),
    recent_until: inSeconds(current.signedInAt + parts.rules().recent),
    expires_at: inSeconds(current.endsAt),
  };
}

async function permissionsOf({ admin }: SignInParts, member: OrganizationMember): Promise<ReadonlySet<Permission>> {
  return (await administratorFor(admin.settings, member, { projectId: null, request: null })).permissions;
}

function passkeyJson({ id, name, createdAt, lastUsedAt }: Passkey) {
  const times = { created_at: inSeconds(createdAt), last_used_at: inSecondsOrNull(lastUsedAt) };
  return { id, object: 'auth.passkey' as const, name, ...times };
}

function sessionJson({ id, way, organizationId, signedInAt, ...rest }: Session, { session: current }: SignedIn) {
  return {
    id,
    object: 'organization.session' as const,
    is_current: id === current.id,
    way,
    organization_id: organizationId,
    signed_in_at: inSeconds(signedInAt),
    last_seen_at: inSeconds(rest.seenAt),
    expires_at: inSeconds(rest.endsAt),
    ip_address: rest.address,
    user_agent: rest.userAgent,
  };
}
