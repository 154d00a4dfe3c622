import { createKeyChecker, type PollingKeyChecker } from '../keys/checker.ts';
import { KeyUses } from '../keys/uses.ts';
import { LiveModels } from '../learning/live-models.ts';
import { StoredRoutes } from '../organization/routes/stored-routes.ts';
import type { GatewayView } from './gateway-view.ts';
import type { GatewayParts } from './process-parts.ts';
import { CLOCK } from './setup.ts';
import { StorageWatch } from './storage-watch.ts';
import { smartRoutesIn } from './stored/routes.ts';
import { StoredSettings } from './stored/settings.ts';

/** What is read from the store, and followed while the gateway serves. */
export type StoredParts = {
  checker: PollingKeyChecker;
  routes: StoredRoutes;
  settings: StoredSettings;
  models: LiveModels;
  uses: KeyUses;
  watch: StorageWatch;
};

/** What the gateway does when something in the store has changed. */
export type StoredChanges = { onKeysPolled(): void; onRoutes(): void; onSettings(): void };

/** Opens nothing: each part is started by the gateway. */
export function buildStored(
  { log, storage, keys, processParts }: GatewayParts,
  { snapshot, read }: GatewayView,
  { onKeysPolled, onRoutes, onSettings }: StoredChanges,
): StoredParts {
  return {
    watch: new StorageWatch({ storage, now: CLOCK.monotonic, ...processParts.storageNews }),
    checker: createKeyChecker({
      store: storage.keys,
      pepper: keys.pepper,
      clock: CLOCK,
      onError: (error) => log.error({ err: error }, 'The store could not be asked which keys have changed.'),
      onPolled: onKeysPolled,
    }),
    routes: new StoredRoutes({
      store: storage.routes,
      onChange: onRoutes,
      onError: (error) => log.error({ err: error }, 'The store could not be asked which routes have changed.'),
      onUnreadable: (route, words) => log.error({ route }, `A stored route is left out: ${words}.`),
    }),
    settings: new StoredSettings({ setup: read, storage, log, onChange: onSettings }),
    uses: new KeyUses({
      ...{ store: storage.keys, clock: CLOCK },
      onError: (error) => log.warn({ err: error }, 'It could not be noted when a key was used.'),
    }),
    models: new LiveModels({
      models: storage.models,
      routes: storage.routes,
      smartRoutes: () => smartRoutesIn(snapshot().directory),
      onError: (error) => log.error({ err: error }, 'What smart routes have learned could not be read.'),
    }),
  };
}
