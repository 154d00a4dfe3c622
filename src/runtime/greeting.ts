import { chooseModel, chooseSmallModel } from '../cli/connect/model.ts';
import { firstVariable } from '../config/interpolate.ts';
import type { Directory, Provider } from '../core/provider.ts';
import { PRESETS } from '../providers/presets.ts';
import type { Gateway } from './gateway.ts';
import { offeredModels } from './inspect.ts';
import type { GreetingFacts } from './messages.ts';
import type { StartOptions } from './setup.ts';

/** What a gateway offers when it begins to serve, for its greeting. */
export function greetingFactsOf(gateway: Gateway, startOptions: StartOptions): GreetingFacts {
  const { directory, providers } = gateway;
  return {
    providers: providers.map(({ provider, models }) => ({
      id: provider.id,
      label: provider.label,
      models: models.length,
      because: reasonFor(provider, gateway, startOptions),
    })),
    exampleModel: exampleModel(directory),
  };
}

/** A real one where there is one, and of its kind a small one: whoever tries it pays for it. */
function exampleModel(directory: Directory): string | null {
  const models = offeredModels(directory, {});
  const chosen = chooseModel(models, [/^gpt-\d+(\.\d+)?$/, /^claude-sonnet-/], null);
  return chosen === null ? null : chooseSmallModel(models, chosen, null);
}

/** Why a provider is on: the file says so, its key is in the environment, or it was found on this machine. */
function reasonFor({ id, baseUrl, transport }: Provider, { config }: Gateway, startOptions: StartOptions): string {
  if (transport === 'echo') return 'needs no key and no network';
  if (config.file !== null) return baseUrl;
  const preset = PRESETS.find((each) => each.id === id);
  return firstVariable(startOptions.env, preset?.keyEnv ?? [])?.name ?? `found at ${baseUrl}`;
}
