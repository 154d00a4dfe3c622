import type { Logger } from 'pino';
import type { Config, ProviderConfig, ProviderKey } from '../../config/config.ts';
import { type DefinitionFault, readStoredProvider } from '../../config/stored-providers.ts';
import { suggestion } from '../../config/suggestion.ts';
import { withStoredTextPrintable } from '../../core/printable-text.ts';
import type { Setting } from '../../core/settings.ts';
import { BUILT_DIALECT_IDS } from '../../dialects/ids.ts';
import type { WrappingKeys } from '../../keys/wrapping-keys.ts';
import type { KeptForGateway } from '../../organization/gateway-settings.ts';
import { openCredential } from '../../organization/providers/secrets.ts';
import { presetNames, presetOf, resolveProvider } from '../../providers/resolve.ts';
import type { Setup } from '../setup.ts';

/** A provider with its keys; no keys if it is off. */
type OpenedProvider = { provider: ProviderConfig; keys: readonly ProviderKey[] };

/**
 * Reads a provider of the settings, with the rules of a file's provider. In addition, its address must be public and use https
 * unless the file allows its host.
 */
export function readSettingsProvider(
  { server }: Pick<Config, 'server'>,
  id: string,
  definition: Readonly<Record<string, unknown>>,
  credentials: readonly string[],
): ProviderConfig | DefinitionFault {
  const read = readStoredProvider({ presets: presetNames(), built: BUILT_DIALECT_IDS }, id, definition, credentials);
  if ('fault' in read) return read.param === '' ? ofWhole(id, definition, read) : read;
  const address = resolveProvider(read, null).baseUrl;
  const { protocol, hostname } = new URL(address);
  if (server.providerHosts.includes(hostname)) return read;
  const isPresets = presetOf(read.preset ?? '')?.baseUrl === address;
  if (isPresets && protocol === 'https:') return read;
  if (protocol !== 'https:')
    return {
      param: 'base_url',
      fault: 'must begin with https://, where `server.provider_hosts` does not name its host',
    };
  return { ...read, publicOnly: true };
}

/** A file reports a missing address at the provider's name, if neither the provider nor its preset has one. */
function ofWhole(id: string, definition: Readonly<Record<string, unknown>>, read: DefinitionFault): DefinitionFault {
  if (definition.base_url !== undefined) return { ...read, param: 'base_url' };
  const preset = presetOf(String(definition.preset ?? id));
  const slip = suggestion(
    id,
    presetNames().map((each) => each.id),
  );
  const why =
    preset === undefined
      ? `${id} is not the name of a preset${slip}`
      : `the preset ${preset.id} has no address of its own`;
  return { param: 'base_url', fault: `must be given: ${why}` };
}

/** Adds the providers of the settings, with their keys, to a configuration. The result stays the same until either changes. */
export class StoredProviders {
  readonly #wrapping: WrappingKeys;
  readonly #log: Logger;
  #last: { setup: Setup; kept: KeptForGateway; merged: Setup } | null = null;
  /** The logged reason of each provider that is left out, by id. */
  #told = new Map<string, string>();

  constructor(wrapping: WrappingKeys, log: Logger) {
    this.#wrapping = wrapping;
    this.#log = log;
  }

  /** Appends the providers whose id the file does not have. */
  beside(setup: Setup, kept: KeptForGateway | null): Setup {
    if (kept === null || kept.providers.length === 0) return setup;
    if (this.#last?.setup === setup && this.#last.kept === kept) return this.#last.merged;
    const taken = new Set(setup.config.providers.map(({ id }) => id));
    const told = new Map<string, string>();
    const own = kept.providers
      .filter(({ id }) => !taken.has(id))
      .flatMap((provider) => this.#read(setup.config, kept.organizationId, provider, told));
    this.#told = told;
    const { config, secrets } = setup;
    const keys = own
      .filter(({ keys: each }) => each.length > 0)
      .map(({ provider, keys: each }) => [provider.id, each] as const);
    const merged = {
      ...setup,
      config: { ...config, providers: [...config.providers, ...own.map(({ provider }) => provider)] },
      secrets: { ...secrets, providerKeys: new Map([...secrets.providerKeys, ...keys]) },
    };
    this.#last = { setup, kept, merged };
    return merged;
  }

  #read(
    config: Config,
    organizationId: string,
    setting: Setting<'provider'>,
    told: Map<string, string>,
  ): OpenedProvider[] {
    const { id, value } = setting;
    const names = value.credentials.map(({ name }) => name);
    const read = readSettingsProvider(config, id, withStoredTextPrintable(value.definition), names);
    if ('fault' in read) {
      this.#tell(told, id, `A provider of the settings is left out: ${read.param} ${read.fault}.`);
      return [];
    }
    const keys = value.credentials.flatMap((credential): ProviderKey[] => {
      const { name, weight } = credential;
      try {
        return [{ name, weight, secret: openCredential(this.#wrapping, organizationId, setting, credential) }];
      } catch (error) {
        this.#tell(told, id, `Credential ${name} of provider ${id} cannot be used: ${(error as Error).message}.`);
        return [];
      }
    });
    const isLost = keys.length === 0 && value.credentials.length > 0;
    const off = isLost ? 'none of its keys can be read' : read.off;
    const credentials = keys.map(({ name }) => name);
    return [{ provider: { ...read, off, credentials }, keys: off === null ? keys : [] }];
  }

  /** Logs what is wrong with a provider once, until it changes. */
  #tell(told: Map<string, string>, provider: string, words: string): void {
    if (this.#told.get(provider) !== words && told.get(provider) !== words) this.#log.error({ provider }, words);
    told.set(provider, words);
  }
}
