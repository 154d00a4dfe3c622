import type { Clock, KeyStore, OrganizationStore } from '../core/ports.ts';
import type { Directory } from '../core/provider.ts';
import type { Setting, SettingKind } from '../core/settings.ts';
import type { SettingsStore } from '../core/settings-store.ts';
import type { AliasRules } from './aliases/service.ts';
import { firstOrganization } from './organizations.ts';
import { lastBegun, nextTurn } from './prices/in-force.ts';
import type { PriceRules } from './prices/service.ts';
import type { ProductRules } from './products/service.ts';

/** The polling interval for changes, in ms. */
const POLL_MS = 500;

/** The first organization's settings for the whole gateway. */
export type KeptForGateway = {
  organizationId: string;
  providers: readonly Setting<'provider'>[];
  products: readonly Setting<'product'>[];
  /** The prices in force. */
  prices: readonly Setting<'price_override'>[];
  aliases: readonly Setting<'alias'>[];
};

/** What managing products, prices and aliases needs, beside those of the configuration. */
export type NameRules = {
  directory(): Promise<Directory>;
  /** After asking providers for their models: where no gateway has asked them. */
  askedDirectory?(): Promise<Directory>;
} & ProductRules &
  PriceRules &
  AliasRules;

/** Only those of the configuration file. */
export type FileNames = Pick<NameRules, 'productsOfFile' | 'pricesOfFile' | 'aliasesOfFile' | 'routeOfFile'>;

export type GatewaySettingsParts = {
  settings: Pick<SettingsStore, 'all'>;
  keys: Pick<KeyStore, 'changes'>;
  organizations: Pick<OrganizationStore, 'list'>;
  clock: Pick<Clock, 'now'>;
  /** Called after a change. */
  onChange(): void;
  /** Called after each failed poll. */
  onError(error: unknown): void;
};

/** The settings of the whole gateway, polled off the call path. While the store fails, the last known ones stay. */
export class GatewaySettings {
  kept: KeptForGateway | null = null;
  readonly #parts: GatewaySettingsParts;
  /** Including past and future ones. */
  #prices: readonly Setting<'price_override'>[] = [];
  /** The next time at which a price begins or ends (Unix ms). */
  #nextTurn = Number.POSITIVE_INFINITY;
  #changesSeen: number | null = null;
  #polling = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: GatewaySettingsParts) {
    this.#parts = parts;
  }

  /** Resolves after the first poll. */
  async start(): Promise<void> {
    this.#timer ??= setInterval(() => void this.#poll(), POLL_MS).unref();
    await this.#poll();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #poll(): Promise<void> {
    if (this.#polling) return;
    this.#polling = true;
    const { settings, keys, organizations, onError } = this.#parts;
    try {
      // A price begins at its time, even if the store fails.
      if (this.kept !== null && this.#parts.clock.now() >= this.#nextTurn) this.#take(this.kept);
      const changes = await keys.changes();
      if (changes === this.#changesSeen) return;
      // The counter is read first, so that a change in between is read again.
      const kept = await keptIn(organizations, settings);
      this.#changesSeen = changes;
      this.#prices = kept?.prices ?? [];
      this.#take(kept);
    } catch (error) {
      onError(error);
    } finally {
      this.#polling = false;
    }
  }

  /** Stores it with the prices in force. If nothing has changed, the object stays the same. */
  #take(kept: KeptForGateway | null): void {
    const { clock, onChange } = this.#parts;
    const now = clock.now();
    const prices = [...lastBegun(this.#prices, now).values()];
    this.#nextTurn = nextTurn(this.#prices, now);
    const next = kept === null ? null : { ...kept, prices };
    const isSame = areSame(settingsIn(next), settingsIn(this.kept));
    if (isSame && (next === null) === (this.kept === null)) return;
    this.kept = next;
    // A new organization alone changes nothing in force.
    if (!isSame) onChange();
  }
}

/** `null` if there is no organization yet. All prices are returned, not only those in force. */
async function keptIn(
  organizations: GatewaySettingsParts['organizations'],
  settings: GatewaySettingsParts['settings'],
): Promise<KeptForGateway | null> {
  const all = await organizations.list();
  if (all.length === 0) return null;
  const { id: organizationId } = firstOrganization(all);
  const [providers, products, prices, aliases] = await Promise.all([
    settings.all(organizationId, 'provider'),
    settings.all(organizationId, 'product'),
    settings.all(organizationId, 'price_override'),
    settings.all(organizationId, 'alias'),
  ]);
  return { organizationId, providers, products, prices, aliases };
}

function settingsIn(kept: KeptForGateway | null): readonly Setting<SettingKind>[] {
  return kept === null ? [] : [...kept.providers, ...kept.products, ...kept.prices, ...kept.aliases];
}

/** A change creates a new version; a recreated setting with the same id has another time. */
function areSame(some: readonly Setting<SettingKind>[], others: readonly Setting<SettingKind>[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ kind, id, version, createdAt }, index) => {
      const other = others[index]!;
      return other.kind === kind && other.id === id && other.version === version && other.createdAt === createdAt;
    })
  );
}
