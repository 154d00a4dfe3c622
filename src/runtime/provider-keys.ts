import type { Logger } from 'pino';
import { askForKey } from '../catalog/discover.ts';
import type { AskedProvider, Discovery } from '../catalog/discovery.ts';
import { GatewayError } from '../core/errors.ts';
import type { Access, Provider, Served } from '../core/provider.ts';
import type { ListState, ProviderStatus } from '../core/target-status.ts';
import { askedBy, type Snapshot } from './snapshot.ts';

/** Which of their keys providers refuse: asked in the background, and told at once. */
export class ProviderKeys {
  readonly #log: Logger;
  /** By provider, the names of those that were refused beside the one that it is asked for its models with. */
  #refused: ReadonlyMap<string, readonly string[]> = new Map();

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Every provider is asked for its models, with its first key: what it says of that is told. */
  noteUnheard({ provider, isNeeded }: AskedProvider, error: unknown, accesses: readonly Access[]): void {
    const { id, credentialName } = provider;
    if (isRefused(error)) {
      const key = provider.credential === null ? 'wants a key, and has none' : 'refuses its key';
      const sentence =
        accesses.length > 1
          ? othersSentence(id, credentialName)
          : `${id} ${key}: its models cannot be called until it has another.`;
      this.#log.error({ provider: id, credential: credentialName }, sentence);
      return;
    }
    this.#log[isNeeded ? 'warn' : 'info'](
      { provider: id, reason: (error as Error).message },
      'A provider did not say which models it has.',
    );
  }

  /** Asks providers that have several keys whether they take the others, and tells of each that is refused. Never rejects. */
  async askForOthers(snapshot: Snapshot): Promise<void> {
    const { asked, upstream } = askedBy(snapshot);
    const refused = new Map<string, string[]>();
    this.#refused = refused;
    const asking = asked.flatMap(({ provider, dialectHeaders }) =>
      accessesOf(snapshot, provider)
        .slice(1)
        .map(async ({ provider: other }) => {
          const word = await askForKey(upstream, other, dialectHeaders);
          if (word !== 'refused') return;
          const { id, credentialName: credential } = other;
          refused.set(id, [...(refused.get(id) ?? []), credential]);
          this.#log.error({ provider: id, credential }, othersSentence(id, credential));
        }),
    );
    for (const { status, reason } of (await Promise.allSettled(asking)) as { status: string; reason?: unknown }[])
      if (status === 'rejected')
        this.#log.error({ err: reason }, 'A provider could not be asked whether it takes its keys.');
  }

  /** What each provider that is called over a network said when it was asked last. */
  statuses(providers: readonly Served[], discovery: Discovery): ProviderStatus[] {
    return providers
      .filter(({ provider }) => provider.transport === 'http')
      .map(({ provider }) => {
        const list = listState(provider, discovery);
        const first = list === 'key_refused' && provider.credential !== null ? [provider.credentialName] : [];
        const others = this.#refused.get(provider.id) ?? [];
        return { provider: provider.id, list, refusedCredentials: [...first, ...others] };
      });
  }
}

function othersSentence(provider: string, credential: string): string {
  return `${provider} refuses its key ${credential}: calls go with its others.`;
}

/** The provider with each of its credentials. */
export function accessesOf({ providers }: Snapshot, provider: Provider): readonly Access[] {
  return providers.find((each) => each.provider === provider)?.accesses ?? [];
}

function listState(provider: Provider, discovery: Discovery): ListState {
  const failure = discovery.failureOf(provider);
  if (failure !== null) return isRefused(failure) ? 'key_refused' : 'failed';
  return discovery.listOf(provider).models.length === 0 ? 'unheard' : 'listed';
}

function isRefused(error: unknown): boolean {
  return error instanceof GatewayError && error.badKey;
}
