import type { Access, OutgoingRate, Provider, Served } from '../core/provider.ts';
import type { Secret } from '../core/secret.ts';
import { resolveProvider } from '../providers/resolve.ts';
import type { Catalog } from './catalog.ts';
import { catalogOf, type ListSources, ModelList, type ProviderRow } from './model-list.ts';

/** A credential of a provider, and its share of the calls. */
export type NamedSecret = { name: string; secret: Secret; weight: number; rate?: OutgoingRate };

export type ServedSources = ListSources & {
  rows: readonly ProviderRow[];
  /** By provider id, in the order of use; empty if the provider needs none. */
  credentials: ReadonlyMap<string, readonly NamedSecret[]>;
};

/** The providers with their models: those of the operator and the catalog, and those of the vendor's own list. */
export function servedBy(sources: ServedSources): Served[] {
  const accounts = new Map<string, string>();
  return sources.rows.map((row) => {
    const accesses = withAccount(accessesOf(row, sources.credentials.get(row.id) ?? []), accounts);
    const provider = firstOf(accesses);
    const list = new ModelList(row, provider, sources);
    const passes = row.only === null && row.unknownModels === 'pass';
    return {
      provider,
      accesses,
      models: list.stated,
      listed: list.listed,
      ...(passes && { modelNamed: (id: string) => list.asked(id) }),
    };
  });
}

/** True if a provider's models are unknown until it is asked. */
export function needsDiscovery(row: ProviderRow, catalog: Catalog): boolean {
  const vendor = catalogOf(row);
  const isInCatalog = vendor !== null && catalog.modelsOf(vendor).length > 0;
  return row.only === null && row.models.length === 0 && !isInCatalog;
}

/** The provider with each of its credentials. */
function accessesOf(row: ProviderRow, credentials: readonly NamedSecret[]): Access[] {
  if (credentials.length === 0) return [{ provider: resolveProvider(row, null), weight: 1 }];
  return credentials.map(({ name, secret, weight, rate }) => ({
    provider: { ...resolveProvider(row, secret, name), ...(rate && { credentialRate: rate }) },
    weight,
  }));
}

/** Adds the account: the first provider with the same address and one of the same credentials. */
function withAccount(accesses: readonly Access[], accounts: Map<string, string>): Access[] {
  const names = accesses.map(({ provider }) => `${provider.credential?.reveal() ?? ''} ${provider.baseUrl}`);
  const account = names.map((name) => accounts.get(name)).find((id) => id !== undefined) ?? accesses[0]!.provider.id;
  for (const name of names) if (!accounts.has(name)) accounts.set(name, account);
  return accesses.map((access) => ({ ...access, provider: { ...access.provider, account } }));
}

/** The default credential: the first with a share of the calls, if there is one. */
function firstOf(accesses: readonly Access[]): Provider {
  return (accesses.find(({ weight }) => weight > 0) ?? accesses[0]!).provider;
}
