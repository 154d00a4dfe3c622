import { type LookupAddress, lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from '../core/special-networks.ts';

/** The error of a connection that was refused because its address is not public. */
export class NotPublicError extends Error {
  readonly code = 'ERR_NOT_PUBLIC';

  constructor() {
    super('The address is not public.');
  }
}

/** True if a host is an address, which is looked up by nobody, and not a public one. IPv6 stands in brackets in a URL. */
export function isPrivateHost(hostname: string): boolean {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(bare) !== 0 && !isPublicAddress(bare);
}

/** Resolves a name for its connection, so that it cannot change to another address in between. */
export const publicLookup: LookupFunction = (hostname, options, done) => {
  lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    if (error !== null) return done(error, '', 0);
    const [first] = addresses;
    // Node may try any of the addresses, so all must be public.
    if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address))) {
      return done(new NotPublicError(), '', 0);
    }
    if (options.all === true) return done(null, addresses);
    done(null, first.address, first.family);
  });
};
