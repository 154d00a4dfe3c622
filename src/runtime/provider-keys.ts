import type { Logger } from 'pino';
import type { AskedProvider, Discovery } from '../catalog/discovery.ts';
import { GatewayError } from '../core/errors.ts';
import type { Provider, Served } from '../core/provider.ts';
import type { ListState, ProviderStatus } from '../core/target-status.ts';

/** Every provider is asked for its models in the background, with its key: what it says of the key is told at once. */
export function noteUnheard(log: Logger, { provider, isNeeded }: AskedProvider, error: unknown): void {
  if (isRefused(error)) {
    const { id, credentialName } = provider;
    const key = provider.credential === null ? 'wants a key, and has none' : 'refuses its key';
    log.error(
      { provider: id, credential: credentialName },
      `${id} ${key}: its models cannot be called until it has another.`,
    );
    return;
  }
  log[isNeeded ? 'warn' : 'info'](
    { provider: provider.id, reason: (error as Error).message },
    'A provider did not say which models it has.',
  );
}

/** What each provider that is called over a network said when it was asked last. */
export function providerStatuses(providers: readonly Served[], discovery: Discovery): ProviderStatus[] {
  return providers
    .filter(({ provider }) => provider.transport === 'http')
    .map(({ provider }) => ({ provider: provider.id, list: listState(provider, discovery) }));
}

function listState(provider: Provider, discovery: Discovery): ListState {
  const failure = discovery.failureOf(provider);
  if (failure !== null) return isRefused(failure) ? 'key_refused' : 'failed';
  return discovery.listOf(provider).models.length === 0 ? 'unheard' : 'listed';
}

function isRefused(error: unknown): boolean {
  return error instanceof GatewayError && error.badKey;
}
