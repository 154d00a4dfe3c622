import { createKey, type KeyParts } from '../../control/keys/keys.ts';
import { ensureOrganizations, firstOrganization } from '../../control/organizations/organizations.ts';
import { GatewayError } from '../../core/errors.ts';
import type { Organization } from '../../core/records.ts';
import type { Command } from '../command.ts';
import { findOrganization } from '../stored.ts';
import { keyJson } from './show.ts';
import { KEY_OPTIONS, refusedKey, wantedKey } from './wanted.ts';

export const keysCreate: Command = {
  name: 'keys create',
  about: 'Make an API key and show it, this once.',
  details: 'A gateway that runs on the same data takes the key at once.',
  options: KEY_OPTIONS,
  examples: [
    'headgate keys create --name ci --expires 90d',
    'headgate keys create --name desk --product helpdesk',
    'headgate keys create --name chat --models gpt-4o-mini,echo --spend-limit 25/month --json',
  ],
  async run({ values, flags, where, tools }) {
    const wanted = { ...wantedKey(values, tools.clock.now()), admin: flags.has('admin') };
    const setup = tools.readSetup(where);
    const { storage, keys } = await tools.openKeys(setup);
    try {
      const organizations = await ensureOrganizations(
        { store: storage.organizations, clock: keys.clock, ids: keys.ids },
        setup.config.organizations,
      );
      const owner =
        values.organization === undefined
          ? firstOrganization(organizations)
          : findOrganization(organizations, values.organization);
      const { key, secret } = await create(keys, owner, wanted);
      return {
        text: [
          `Key ${key.id} (${key.name}) of the organization ${owner.name}, shown only this once:`,
          '',
          secret,
          '',
          'To use it:',
          '',
          `export HEADGATE_API_KEY=${secret}`,
        ].join('\n'),
        json: { ...keyJson(key), key: secret },
      };
    } finally {
      await storage.close();
    }
  },
};

async function create(keys: KeyParts, owner: Organization, wanted: ReturnType<typeof wantedKey>) {
  try {
    return await createKey(keys, { ...wanted, organizationId: owner.id });
  } catch (error) {
    throw error instanceof GatewayError && error.kind === 'invalid_request' ? refusedKey(error) : error;
  }
}
