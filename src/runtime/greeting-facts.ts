import { chooseModel, chooseSmallModel } from '../cli/connect/model.ts';
import { firstVariable } from '../config/interpolate.ts';
import type { CatalogEntry, Directory, Provider } from '../core/provider.ts';
import type { ProviderStatus } from '../core/target-status.ts';
import { PRESETS } from '../providers/presets.ts';
import { offeredModels } from '../surfaces/operator.ts';
import type { Gateway } from './gateway.ts';
import type { GreetingFacts } from './messages.ts';
import type { StartOptions } from './setup.ts';
import { unpricedSentences } from './unpriced-news.ts';

/** The offer of a gateway at its start, for the greeting. */
export function greetingFactsOf(gateway: Gateway, startOptions: StartOptions): GreetingFacts {
  const { directory, providers } = gateway.offered;
  return {
    providers: providers.map(({ provider, models }) => ({
      id: provider.id,
      label: provider.label,
      models: models.length,
      because: reasonFor(provider, gateway, startOptions),
    })),
    exampleModel: exampleModel(directory, gateway.status().providers),
    notices: unpricedSentences(directory),
  };
}

/**
 * The example model of the greeting: a vendor's model if there is one, and a small one, since it costs money. Models of
 * providers that failed to list their models or refused their key are skipped, so that the example works.
 */
export function exampleModel(directory: Directory, statuses: readonly ProviderStatus[]): string | null {
  const silent = new Set(statuses.filter(({ list }) => SILENT.has(list)).map(({ provider }) => provider));
  const entries = new Map(directory.entries.map((entry) => [entry.id, entry]));
  const models = offeredModels(directory, {});
  const answering = models.filter(({ id }) => mayAnswer(entries.get(id), directory, silent));
  const from = answering.length === 0 ? models : answering;
  const chosen = chooseModel(from, [/^gpt-\d+(\.\d+)?$/, /^claude-sonnet-/], null);
  return chosen === null ? null : chooseSmallModel(from, chosen, null);
}

const SILENT: ReadonlySet<ProviderStatus['list']> = new Set(['key_refused', 'failed']);

/** A route works if one of its targets does. */
function mayAnswer(entry: CatalogEntry | undefined, directory: Directory, silent: ReadonlySet<string>): boolean {
  if (entry === undefined) return false;
  if (entry.origin === 'vendor') return !silent.has(entry.provider.id);
  const targets = [...entry.route.targets, ...entry.route.fallbacks].map(({ model }) => directory.find(model));
  return targets.some((target) => target?.origin === 'vendor' && !silent.has(target.provider.id));
}

/** Why a provider is on: it is in the file, its key is in the environment, or it was found on this machine. */
function reasonFor({ id, baseUrl, transport }: Provider, { config }: Gateway, startOptions: StartOptions): string {
  if (transport === 'echo') return 'needs no key and no network';
  if (config.file !== null) return baseUrl;
  const preset = PRESETS.find((each) => each.id === id);
  return firstVariable(startOptions.env, preset?.keyEnv ?? [])?.name ?? `found at ${baseUrl}`;
}
