import type { HttpApi } from '../../api/operation.ts';
import { ACCOUNT_OPERATIONS, serveAccount } from './account-api.ts';
import { SIGN_IN_OPERATIONS, serveSignIn } from './api.ts';
import type { SignInParts } from './parts.ts';

/** All operations on signing in, and on a person's own account. */
export const SIGNING_IN_OPERATIONS = [...SIGN_IN_OPERATIONS, ...ACCOUNT_OPERATIONS];

export type SignInServing = { signIn: SignInParts };

export function serveSigningIn(served: HttpApi, { signIn }: SignInServing): void {
  serveSignIn(served, signIn);
  serveAccount(served, signIn);
}
