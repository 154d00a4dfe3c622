import { basename } from 'node:path';
import type { ProviderConfig } from '../../config/config.ts';
import type { Storage } from '../../core/ports.ts';
import { WrappingKeys } from '../../keys/wrapping-keys.ts';
import { lastCharactersOf } from '../../organization/providers/secrets.ts';
import type { FileProvider, ProviderRules } from '../../organization/providers/service.ts';
import { resolveProvider } from '../../providers/resolve.ts';
import type { Setup } from '../setup.ts';
import { readSettingsProvider } from './providers.ts';

/** The rules for providers of the settings. `setup`: the configuration as read, without the settings. */
export function providerRulesOf(setup: () => Setup, { organizations }: Pick<Storage, 'organizations'>): ProviderRules {
  return {
    organizations,
    ofFile: () => fileProvidersOf(setup()),
    read(id, definition, credentials) {
      const read = readSettingsProvider(setup().config, id, definition, credentials);
      return 'fault' in read ? read : shownOf(read);
    },
    wrapping: new WrappingKeys(setup().folder, setup().secrets.wrapping),
  };
}

function fileProvidersOf({ config, secrets, lineOf }: Setup): FileProvider[] {
  return config.providers.map((row) => {
    const { id, preset, baseUrl, dialects, region, unknownModels, models, only } = row;
    const keys = secrets.providerKeys.get(id) ?? [];
    return {
      ...shownOf(row),
      id,
      definition: {
        ...(preset !== null && { preset }),
        ...(baseUrl !== null && { base_url: baseUrl }),
        ...(dialects !== null && { dialects }),
        ...(region !== null && { region }),
        unknown_models: unknownModels,
        ...(models.length > 0 && { models: models.map((model) => model.id) }),
        ...(only !== null && { only: only.map((model) => model.id) }),
      },
      credentials: keys.map(({ name, weight, secret }) => ({ name, weight, hint: lastCharactersOf(secret) })),
      place: config.file === null ? null : { file: basename(config.file), line: lineOf(['providers', id]) },
    };
  });
}

function shownOf(row: ProviderConfig) {
  const { off, label, id, baseUrl } = row;
  // One that is off may lack an address.
  if (off !== null && baseUrl === null) return { off, label: label ?? id, address: '' };
  const provider = resolveProvider(row, null);
  return { off, label: provider.label, address: provider.baseUrl };
}
