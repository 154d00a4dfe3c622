import { ensureOrganizations, firstOrganization } from '../admin/organizations.ts';
import { linkAddress, makeOwnerLink } from '../admin/sign-in/links.ts';
import { NO_PUBLIC_ADDRESS, publicAddressOf } from '../admin/sign-in/public-address.ts';
import { GatewayError } from '../core/errors.ts';
import type { Organization } from '../core/records.ts';
import { findOrganization } from './organizations.ts';
import type { Task } from './task.ts';

/** `organizationId`: the first where it is `null`. `email`: for whoever opens it where it is `null`. `port`: where the gateway listens. */
export type WantedOwnerLink = { organizationId: string | null; email: string | null; port: number };

export type MadeOwnerLink = { url: string; expiresAt: number; organization: Organization };

/** Makes a link by which somebody becomes an owner. Rejects with `forbidden` where browsers cannot sign in. */
export const ownerLinkTask: Task<WantedOwnerLink, MadeOwnerLink> = {
  name: 'owner-link',
  async run({ storage, config, keyParts }, { organizationId, email, port }) {
    const address = publicAddressOf(config.server, port);
    if (address === null) throw new GatewayError('forbidden', NO_PUBLIC_ADDRESS);
    const { clock, ids, random } = await keyParts();
    const organizations = await ensureOrganizations({ store: storage.organizations, clock, ids }, config.organizations);
    const organization =
      organizationId === null ? firstOrganization(organizations) : findOrganization(organizations, organizationId);
    const wanted = { organizationId: organization.id, email, lifeMs: config.signIn.ownerLinkLife };
    const { secret, link } = await makeOwnerLink({ settings: storage.settings, clock, random }, wanted);
    return { url: linkAddress(address, secret), expiresAt: link.expiresAt, organization };
  },
};
