import type { Logger } from 'pino';
import type { AskedProvider, Discovery } from '../catalog/discovery.ts';
import { checkVendorKey } from '../catalog/vendor-models.ts';
import { GatewayError } from '../core/errors.ts';
import type { Provider, Served } from '../core/provider.ts';
import type { ListState, ProviderStatus } from '../core/target-status.ts';
import { dialectHeadersOf, keysBeside, type Snapshot } from './snapshot.ts';

/** How often providers are asked about their keys; the same as for their models. */
const AGAIN_MS = 60 * 60_000;

/** By provider, the names of refused keys other than the one used to list models. */
type RefusedKeys = Map<string, Set<string>>;

/** Finds keys that providers refuse, in the background. */
export class ProviderKeys {
  readonly #log: Logger;
  /** Identifies a round of questions: answers to a replaced round are ignored. */
  #refused: RefusedKeys = new Map();
  #timer: NodeJS.Timeout | undefined;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** The provider's answer about the key used to list models. */
  noteUnheard({ provider, isNeeded }: AskedProvider, error: unknown, snapshot: Snapshot): void {
    if (isRefused(error)) return this.#tell(provider, snapshot);
    this.#log[isNeeded ? 'warn' : 'info'](
      { provider: provider.id, reason: (error as Error).message },
      'A provider did not say which models it has.',
    );
  }

  /**
   * Checks the keys that are not used to list models now and every hour, and reports each refused key once while it is refused.
   * Replaces the previous round. Never rejects.
   */
  async follow(snapshot: Snapshot): Promise<void> {
    this.stop();
    await this.#ask(snapshot, this.#refused);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#refused = new Map();
  }

  async #ask(snapshot: Snapshot, refused: RefusedKeys): Promise<void> {
    const asking = keysBeside(snapshot).map(async (provider) => {
      const word = await checkVendorKey(snapshot.sockets, provider, dialectHeadersOf(provider));
      if (this.#refused !== refused) return;
      const names = refused.get(provider.id) ?? new Set();
      refused.set(provider.id, names);
      if (word !== 'refused') names.delete(provider.credentialName);
      else if (!names.has(provider.credentialName)) {
        names.add(provider.credentialName);
        this.#tell(provider, snapshot);
      }
    });
    for (const { status, reason } of (await Promise.allSettled(asking)) as { status: string; reason?: unknown }[])
      if (status === 'rejected')
        this.#log.error({ err: reason }, 'A provider could not be asked whether it takes its keys.');
    if (this.#refused !== refused) return;
    this.#timer = setTimeout(() => void this.#ask(snapshot, refused), AGAIN_MS).unref();
  }

  #tell({ id, credential, credentialName }: Provider, { providers }: Snapshot): void {
    const { accesses = [] } = providers.find(({ provider }) => provider.id === id) ?? {};
    const key = credential === null ? 'wants a key, and has none' : 'refuses its key';
    const sentence =
      accesses.length > 1
        ? `${id} refuses its key ${credentialName}: calls go with its others.`
        : `${id} ${key}: its models cannot be called until it has another.`;
    this.#log.error({ provider: id, credential: credentialName }, sentence);
  }

  /** The last answer of each provider that is called over a network. */
  statuses(providers: readonly Served[], discovery: Discovery): ProviderStatus[] {
    return providers
      .filter(({ provider }) => provider.transport === 'http')
      .map(({ provider }) => {
        const { id, credential, credentialName } = provider;
        const others = [...(this.#refused.get(id) ?? [])];
        // If a provider is only asked about its keys, the first key is among the others.
        const list = others.includes(credentialName) ? 'key_refused' : listState(provider, discovery);
        const first = list === 'key_refused' && credential !== null ? [credentialName] : [];
        return { provider: id, list, refusedCredentials: [...new Set([...first, ...others])] };
      });
  }
}

function listState(provider: Provider, discovery: Discovery): ListState {
  const failure = discovery.failureOf(provider);
  if (failure !== null) return isRefused(failure) ? 'key_refused' : 'failed';
  return discovery.listOf(provider).models.length === 0 ? 'unheard' : 'listed';
}

function isRefused(error: unknown): boolean {
  return error instanceof GatewayError && error.badKey;
}
