import type { Logger } from 'pino';
import type { Storage } from '../../core/ports.ts';
import type { GatewayStatus } from '../../core/target-status.ts';
import type { NameRules } from '../../organization/gateway-settings.ts';
import { GatewaySettings } from '../../organization/gateway-settings.ts';
import type { ProviderServing } from '../../organization/parts.ts';
import type { ProviderRules } from '../../organization/providers/service.ts';
import { PRESETS } from '../../providers/presets.ts';
import { providerTester } from '../provider-trial.ts';
import { CLOCK, type Setup } from '../setup.ts';
import type { Snapshot } from '../snapshot.ts';
import { nameRulesOf } from './name-rules.ts';
import { StoredNames } from './names.ts';
import { providerRulesOf } from './provider-rules.ts';
import { StoredProviders } from './providers.ts';

export type StoredSettingsParts = {
  /** The configuration as it was read. */
  setup(): Setup;
  storage: Storage;
  log: Logger;
  /** Called when the settings of the gateway have changed. */
  onChange(): void;
};

/** The settings of the gateway as a whole, in addition to its file: providers, products, prices and aliases. */
export class StoredSettings {
  readonly rules: ProviderRules;
  readonly #parts: Pick<StoredSettingsParts, 'setup' | 'storage'>;
  readonly #kept: GatewaySettings;
  readonly #providers: StoredProviders;
  readonly #names: StoredNames;

  constructor({ setup, storage, log, onChange }: StoredSettingsParts) {
    this.#parts = { setup, storage };
    this.rules = providerRulesOf(setup, storage);
    this.#providers = new StoredProviders(this.rules.wrapping, log);
    this.#names = new StoredNames(log);
    this.#kept = new GatewaySettings({
      ...storage,
      clock: CLOCK,
      onChange,
      onError: (error) => log.error({ err: error }, 'The store could not be asked which settings have changed.'),
    });
  }

  /** A configuration with the settings added; the same object until either changes. */
  beside(setup: Setup): Setup {
    const { kept } = this.#kept;
    return this.#names.beside(this.#providers.beside(setup, kept), setup.config, kept);
  }

  /** The services for operations on these settings. */
  serving(now: { snapshot(): Snapshot; status(): Promise<GatewayStatus> }): {
    providers: ProviderServing;
    nameRules: NameRules;
  } {
    const { setup, storage } = this.#parts;
    return {
      providers: this.#providerServing(now),
      nameRules: nameRulesOf(setup, storage, async () => now.snapshot().directory),
    };
  }

  #providerServing(now: { snapshot(): Snapshot; status(): Promise<GatewayStatus> }): ProviderServing {
    return {
      rules: this.rules,
      tryOut: providerTester(now.snapshot),
      presets: PRESETS.map(({ id, label, baseUrl, needsKey = true, docs }) => ({
        id,
        label,
        base_url: baseUrl,
        needs_key: needsKey,
        docs,
      })),
      status: now.status,
      models: () => modelCounts(now.snapshot()),
    };
  }

  /** Resolves when the stored settings have been read. */
  start(): Promise<void> {
    return this.#kept.start();
  }

  stop(): void {
    this.#kept.stop();
  }
}

function modelCounts({ directory }: Snapshot): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { origin, provider } of directory.entries)
    if (origin === 'vendor') counts.set(provider.id, (counts.get(provider.id) ?? 0) + 1);
  return counts;
}
