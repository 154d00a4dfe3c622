import type { GatewayFacts, OfferedModels, Probe } from '../core/operator.ts';
import type { Api, Query } from './api.ts';

/** The facts of the running gateway on this data; `null` if there is none. */
export function gatewayFacts(api: Api): Promise<GatewayFacts | null> {
  return api.ofGateway('GET', '/v1/operator/gateway');
}

/** The callable models that match the filter: what the running gateway serves, else what is known without asking anybody. */
export function offeredModels(api: Api, filter: Query = {}): Promise<OfferedModels> {
  return api.ofProcess('/v1/operator/catalog', filter);
}

/** Asks all enabled providers at once, for a few seconds at most. A running gateway does it with its own keys. */
export async function probeProviders(api: Api): Promise<readonly Probe[]> {
  const { data }: { data: readonly Probe[] } = await api.ofProcess('/v1/operator/probes');
  return data;
}
