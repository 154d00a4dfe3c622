import type { Clock, KeyStore, OrganizationStore } from '../core/ports.ts';
import type { Setting, SettingKind } from '../core/settings.ts';
import type { SettingsStore } from '../core/settings-store.ts';
import type { AliasRules } from './aliases.ts';
import { firstOrganization } from './organizations.ts';
import type { PriceRules } from './price-overrides.ts';
import { lastBegun, nextTurn } from './prices-in-force.ts';
import type { ProductRules } from './products.ts';

/** How often the store is asked whether something has changed, in ms. */
const POLL_MS = 500;

/** What the first organization has set up for the gateway as a whole. */
export type KeptForGateway = {
  organizationId: string;
  providers: readonly Setting<'provider'>[];
  products: readonly Setting<'product'>[];
  /** Those that calls are billed by now. */
  prices: readonly Setting<'price_override'>[];
  aliases: readonly Setting<'alias'>[];
};

/** What products, prices and aliases are set up by, beside those of the configuration. */
export type NameRules = ProductRules & PriceRules & AliasRules;

/** Those of the configuration file alone. */
export type FileNames = Pick<NameRules, 'productsOfFile' | 'pricesOfFile' | 'aliasesOfFile' | 'routeOfFile'>;

export type GatewaySettingsParts = {
  settings: Pick<SettingsStore, 'all'>;
  keys: Pick<KeyStore, 'changes'>;
  organizations: Pick<OrganizationStore, 'list'>;
  clock: Pick<Clock, 'now'>;
  /** Called when what is kept has changed. */
  onChange(): void;
  /** Told of each poll that failed. */
  onError(error: unknown): void;
};

/** What is set up for the gateway as a whole, followed by polling off the call path. While the store fails, what was known stays. */
export class GatewaySettings {
  kept: KeptForGateway | null = null;
  readonly #parts: GatewaySettingsParts;
  /** With those that are over, and those to come. */
  #prices: readonly Setting<'price_override'>[] = [];
  /** When other prices bill than now, if nobody changes any (Unix ms). */
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
      // A price begins at its time, whatever the store does.
      if (this.kept !== null && this.#parts.clock.now() >= this.#nextTurn) this.#take(this.kept);
      const changes = await keys.changes();
      if (changes === this.#changesSeen) return;
      // The counter is read before the settings: a change in between is read once more.
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

  /** Keeps it with the prices that bill now. Where nothing of it has changed, what was kept stays the same object. */
  #take(kept: KeptForGateway | null): void {
    const { clock, onChange } = this.#parts;
    const now = clock.now();
    const prices = [...lastBegun(this.#prices, now).values()];
    this.#nextTurn = nextTurn(this.#prices, now);
    const next = kept === null ? null : { ...kept, prices };
    const isSame = areSame(settingsIn(next), settingsIn(this.kept));
    if (isSame && (next === null) === (this.kept === null)) return;
    this.kept = next;
    // That there is an organization now is nothing to be put in force.
    if (!isSame) onChange();
  }
}

/** `null` where there is no organization yet. All prices are told, not those alone that bill now. */
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

/** A change of a setting makes a version of it; one of the same id that was made anew has another time. */
function areSame(some: readonly Setting<SettingKind>[], others: readonly Setting<SettingKind>[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ kind, id, version, createdAt }, index) => {
      const other = others[index]!;
      return other.kind === kind && other.id === id && other.version === version && other.createdAt === createdAt;
    })
  );
}
