import { needsDiscovery } from '../catalog/served.ts';
import type { Storage } from '../core/ports.ts';
import type { KeyParts } from '../keys/keys.ts';
import type { NameRules } from '../organization/gateway-settings.ts';
import type { ProviderServing } from '../organization/parts.ts';
import { type ExplainParts, explainToOperator, surfaceNamed } from '../surfaces/explain.ts';
import type { AskedCall, TaskServices } from '../tasks/task.ts';
import { routeTargetsOf } from './preview.ts';
import { CLOCK } from './setup.ts';
import type { Snapshot } from './snapshot.ts';

/** The services for tasks in a serving gateway. */
export type ServedParts = Pick<ExplainParts, 'pipeline' | 'directory' | 'explainFeatures'> & {
  storage: Storage;
  keys: KeyParts;
  providers: ProviderServing;
  nameRules: NameRules;
};

/** The services for the operator's tasks: what the gateway serves now, with its own environment. */
export function servedServices(parts: ServedParts, snapshot: Snapshot, env: TaskServices['env']): TaskServices {
  return {
    storage: parts.storage,
    clock: CLOCK,
    config: snapshot.setup.config,
    lineOf: snapshot.setup.lineOf,
    env,
    keyParts: async () => parts.keys,
    models: async () => ({ directory: snapshot.directory, unasked: silentOf(snapshot) }),
    routeTargets: async (route, directory) => routeTargetsOf(route, directory),
    nameRules: () => parts.nameRules,
    explain: (call) => explained(parts, call),
  };
}

/** Providers with their own list of models that is empty. */
export function silentOf({ providers, setup, catalog }: Snapshot): string[] {
  const listing = setup.config.providers.filter((row) => row.off === null && needsDiscovery(row, catalog));
  const silent = new Set(providers.filter(({ models }) => models.length === 0).map(({ provider }) => provider.id));
  return listing.map(({ id }) => id).filter((id) => silent.has(id));
}

async function explained(parts: ServedParts, { id, surface, body }: AskedCall): Promise<Record<string, unknown>> {
  const named = surface === undefined ? undefined : surfaceNamed(surface);
  return explainToOperator(parts, { id, surface: named, body: Buffer.from(body) });
}
