import { ensureOrganizations, firstOrganization } from '../../admin/organizations.ts';
import { GatewayError } from '../../core/errors.ts';
import type { ApiKey, Organization } from '../../core/records.ts';
import { createKey } from '../../keys/keys.ts';
import { UsageError } from '../failure.ts';
import { findOrganization } from '../stored.ts';
import type { CommandSetup, Toolbox } from '../toolbox.ts';
import { refusedKey, type WantedKey } from './wanted.ts';

/** A key that was made; its secret is told this once. */
export type MadeKey = { key: ApiKey; secret: string; owner: Organization };

/**
 * Makes a key for the organization of this id, else for the first. Throws a `UsageError` that names the option at fault, or
 * an `OperatorError` where there is no such organization.
 */
export async function makeKey(
  tools: Toolbox,
  setup: CommandSetup,
  wanted: WantedKey,
  organization: string | undefined,
): Promise<MadeKey> {
  checkProduct(setup, wanted.product ?? null);
  const { storage, keys } = await tools.openKeys(setup);
  try {
    const organizations = await ensureOrganizations(
      { store: storage.organizations, clock: keys.clock, ids: keys.ids },
      setup.config.organizations,
    );
    const owner =
      organization === undefined ? firstOrganization(organizations) : findOrganization(organizations, organization);
    const made = await inWords(() => createKey(keys, { ...wanted, organizationId: owner.id }));
    return { ...made, owner };
  } finally {
    await storage.close();
  }
}

/** A key of a product that is not configured could call nothing. */
function checkProduct({ config }: CommandSetup, product: string | null): void {
  if (product === null || config.products.has(product)) return;
  const known = [...config.products.keys()].join(', ');
  const hint = known === '' ? 'the configuration has none (`products:`)' : `there is: ${known}`;
  throw new UsageError(`--product ${product} is no product; ${hint}.`);
}

/** Does what the rules of keys may refuse; the refusal names the option. */
export async function inWords<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof GatewayError && error.kind === 'invalid_request' ? refusedKey(error) : error;
  }
}
