import { GatewayError } from '../core/errors.ts';
import type { Organization } from '../core/records.ts';
import { createOwnerLink, linkAddress } from '../organization/sign-in/links.ts';
import { NO_PUBLIC_ADDRESS, publicAddressOf } from '../organization/sign-in/public-address.ts';
import { operatorAtWork } from './administration.ts';
import { findOrganization } from './organizations.ts';
import type { Task } from './task.ts';

/**
 * `organizationId`: `null` for the first. `email`: `null` if anybody may open the link. `port`: where the gateway
 * listens.
 */
export type WantedOwnerLink = { organizationId: string | null; email: string | null; port: number };

export type MadeOwnerLink = { url: string; expiresAt: number; organization: Organization };

/** Creates a link that makes a person an owner. Rejects with `forbidden` if browsers cannot sign in. */
export const ownerLinkTask: Task<WantedOwnerLink, MadeOwnerLink> = {
  name: 'owner-link',
  async run(services, { organizationId, email, port }) {
    const { config, storage } = services;
    const address = publicAddressOf(config.server, port);
    if (address === null) throw new GatewayError('forbidden', NO_PUBLIC_ADDRESS);
    const admin = await operatorAtWork(services, organizationId);
    const { secret, link } = await createOwnerLink(admin, { email, lifeMs: config.signIn.ownerLinkLife });
    const organization = findOrganization(await storage.organizations.list(), admin.by.organizationId);
    return { url: linkAddress(address, secret), expiresAt: link.expiresAt, organization };
  },
};
