import type { Site } from '../../src/http/browser.ts';

/** A server without sign-in. */
export const CLOSED_SITE: Site = {
  publicAddress: () => ({ origin: 'http://localhost', host: 'localhost' }),
  linkTo: () => null,
  isTrustedProxy: () => false,
  checkSession: () => Promise.reject(new Error('Nobody signs in here.')),
  isOver: () => true,
  demandSignedIn: () => Promise.reject(new Error('Nobody signs in here.')),
  demandCalls: () => Promise.reject(new Error('Nobody signs in here.')),
  callerFor: () => Promise.reject(new Error('Nobody signs in here.')),
  demandRecent: () => undefined,
};
