import type { CredentialCheck, Upstream } from './core/ports.ts';
import { DIALECTS } from './dialects/built.ts';
import { askForKey } from './providers/discover.ts';

/** Asks vendors for their word on a credential, by their lists of models. What answers in this process has no key. */
export function credentialCheck(upstream: () => Upstream): CredentialCheck {
  return async (provider) => {
    if (provider.transport !== 'http') return 'unknown';
    const dialect = DIALECTS.find(({ id }) => id === provider.speaks[0]?.dialect);
    return askForKey(upstream(), provider, dialect?.outbound.headers ?? {});
  };
}
