import type { CredentialCheck, Upstream } from './core/ports.ts';
import { DIALECTS } from './dialects/built.ts';
import { askForKey } from './providers/discover.ts';

export type CredentialCheckParts = {
  /** The way to vendors at this moment. */
  upstream(): Upstream;
  /** Told of faults of our own: that a vendor does not answer is none. */
  onError(error: unknown): void;
};

/** Asks vendors for their word on a credential, by their lists of models. What answers in this process has no key. */
export function credentialCheck({ upstream, onError }: CredentialCheckParts): CredentialCheck {
  return async (provider) => {
    if (provider.transport !== 'http') return 'unknown';
    const dialect = DIALECTS.find(({ id }) => id === provider.speaks[0]?.dialect);
    try {
      return await askForKey(upstream(), provider, dialect?.outbound.headers ?? {});
    } catch (error) {
      onError(error);
      return 'unknown';
    }
  };
}
