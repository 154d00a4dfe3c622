import { checkVendorKey } from '../catalog/vendor-models.ts';
import type { CredentialCheck, Upstream } from '../core/ports.ts';
import { dialectHeadersOf } from './snapshot.ts';

export type CredentialCheckParts = {
  /** The current transport to vendors. */
  upstream(): Upstream;
  /** Called for faults of the gateway itself; a vendor that does not answer is not one. */
  onError(error: unknown): void;
};

/** Checks a credential by asking its vendor for the list of models. The built-in provider has no key to check. */
export function credentialCheck({ upstream, onError }: CredentialCheckParts): CredentialCheck {
  return async (provider) => {
    if (provider.transport !== 'http') return 'unknown';
    try {
      return await checkVendorKey(upstream(), provider, dialectHeadersOf(provider));
    } catch (error) {
      onError(error);
      return 'unknown';
    }
  };
}
