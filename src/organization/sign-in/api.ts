import { z } from 'zod';
import { personEmail as email, inSeconds, nameText } from '../../api/fields.ts';
import { operation } from '../../api/operation.ts';
import { flag, named, seconds, text } from '../../api/schema.ts';
import type { Person } from '../../core/people.ts';
import type { Browser } from '../../http/browser.ts';
import { resource } from '../resource.ts';
import { lookAtLink, openLink } from './links.ts';
import type { BegunSession, Visitor } from './parts.ts';
import { PASSKEY_WAY, passkeyRequest } from './passkey-way.ts';
import { PASSWORD_WAY } from './password-way.ts';
import { assertion, linkText, newPassword, passkeyOptions, signedIn, triedPassword } from './schemas.ts';
import { endSession } from './sessions.ts';
import { signIn } from './sign-in.ts';

const visitor = { tag: 'Sign-in', access: 'visitor' } as const;

export const GET_SIGN_IN = operation('getSignIn', 'GET /v1/auth/sign_in', {
  ...visitor,
  summary: 'Get whether anybody can sign in yet.',
  answer: {
    description: 'The state of sign-in.',
    schema: named(
      'SignInState',
      z.object({
        object: z.literal('auth.sign_in'),
        has_owner: flag.describe('False until the first owner has opened the link that the gateway printed.'),
      }),
    ),
  },
});

export const PASSWORD_SIGN_IN = operation('signInWithPassword', 'POST /v1/auth/sign_in/password', {
  ...visitor,
  summary: 'Sign in with a password.',
  body: { schema: named('PasswordSignIn', z.strictObject({ email, password: triedPassword })) },
  answer: { description: 'The signed-in person. The session is in the cookie.', schema: signedIn },
  errors: ['sign_in_failed', 'forbidden', 'too_many_attempts', 'overloaded'],
});

export const PASSKEY_SIGN_IN_OPTIONS = operation('passkeySignInOptions', 'POST /v1/auth/sign_in/passkey/options', {
  ...visitor,
  summary: 'Get the options for signing in with a passkey.',
  answer: { description: 'The argument of `navigator.credentials.get()`.', schema: passkeyOptions },
});

export const PASSKEY_SIGN_IN = operation('signInWithPasskey', 'POST /v1/auth/sign_in/passkey', {
  ...visitor,
  summary: 'Sign in with a passkey.',
  body: { schema: named('PasskeySignIn', z.strictObject({ response: assertion })) },
  answer: { description: 'The signed-in person. The session is in the cookie.', schema: signedIn },
  errors: ['sign_in_failed', 'forbidden', 'too_many_attempts'],
});

export const SIGN_OUT = operation('signOut', 'POST /v1/auth/sign_out', {
  ...visitor,
  summary: 'Sign out: the session ends, and the cookie is deleted.',
  answer: {
    description: 'Nobody is signed in.',
    schema: named('SignedOut', z.object({ object: z.literal('auth.sign_out') })),
  },
});

const linkBody = { link: linkText };

export const LOOK_AT_LINK = operation('lookAtLink', 'POST /v1/auth/link', {
  ...visitor,
  summary: 'Get the purpose of a link, without using it.',
  body: { schema: named('LinkRequest', z.strictObject(linkBody)) },
  answer: {
    description: 'The link.',
    schema: named(
      'Link',
      z.object({
        object: z.literal('auth.link'),
        type: z.enum(['owner', 'invite']),
        organization_id: text,
        email: text.nullable().describe('The person it is for; `null`: anybody who has it.'),
        expires_at: seconds,
      }),
    ),
  },
  errors: ['not_found', 'too_many_attempts'],
});

export const OPEN_LINK = operation('openLink', 'POST /v1/auth/link/open', {
  ...visitor,
  summary: 'Use a link, once: to become an owner, or to accept an invitation.',
  description: 'New people give their name, and optionally a password: a passkey can be added after signing in.',
  body: {
    schema: named(
      'LinkOpening',
      z.strictObject({
        ...linkBody,
        email: email.exactOptional(),
        name: nameText.exactOptional(),
        password: newPassword.exactOptional(),
      }),
    ),
  },
  answer: { description: 'The signed-in person. The session is in the cookie.', schema: signedIn },
  errors: ['not_found', 'conflict', 'too_many_attempts', 'overloaded'],
});

export const SIGN_IN_OPERATIONS = resource([
  GET_SIGN_IN.handledBy(async (_, { signIn: { people } }) => ({
    object: 'auth.sign_in' as const,
    has_owner: await people.hasSignedIn(),
  })),
  PASSWORD_SIGN_IN.handledBy(async ({ body, browser }, { signIn: parts }) =>
    begunJson(browser, await signIn(parts, PASSWORD_WAY, body, visitorOf(browser))),
  ),
  PASSKEY_SIGN_IN_OPTIONS.handledBy(async (_, { signIn: parts }) => ({ ...(await passkeyRequest(parts)) })),
  PASSKEY_SIGN_IN.handledBy(async ({ body, browser }, { signIn: parts }) =>
    begunJson(browser, await signIn(parts, PASSKEY_WAY, body.response, visitorOf(browser))),
  ),
  SIGN_OUT.handledBy(async ({ browser }, { signIn: parts }) => {
    const { signedIn: before, visit } = browser;
    if (before !== null) await endSession(parts, before, before.session.id, visit);
    browser.forget();
    return { object: 'auth.sign_out' as const };
  }),
  LOOK_AT_LINK.handledBy(async ({ body, browser }, { signIn: parts }) => {
    const { type, organizationId, email: address, expiresAt } = await lookAtLink(parts, body.link, visitorOf(browser));
    return {
      object: 'auth.link' as const,
      type,
      organization_id: organizationId,
      email: address,
      expires_at: inSeconds(expiresAt),
    };
  }),
  OPEN_LINK.handledBy(async ({ body: { link, ...said }, browser }, { signIn: parts }) =>
    begunJson(browser, await openLink(parts, link, said, visitorOf(browser))),
  ),
]);

function visitorOf({ visit, signedIn: before }: Browser): Visitor {
  return { visit, before };
}

function begunJson(browser: Browser, { person, secret, endsAt }: BegunSession) {
  browser.keep(secret, endsAt);
  return { object: 'auth.sign_in' as const, person: personJson(person), expires_at: inSeconds(endsAt) };
}

export function personJson({ id, email: address, name, createdAt }: Person) {
  return { id, object: 'person' as const, email: address, name, created_at: inSeconds(createdAt) };
}
