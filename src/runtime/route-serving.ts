import type { Ids, Storage } from '../core/ports.ts';
import type { RouteServing } from '../organization/parts.ts';
import { routeBookOf } from '../tasks/route-book.ts';
import { draftedOf } from '../tasks/routes.ts';
import { routeTargetsOf } from './preview.ts';
import { Replays } from './replays.ts';
import { newInstanceId } from './setup.ts';
import type { Snapshot } from './snapshot.ts';
import { silentOf } from './task-services.ts';

/**
 * The services for administering routes in a serving gateway: with its current configuration, without environment
 * variables.
 */
export function routeServingOf(
  current: () => Snapshot,
  storage: Pick<Storage, 'routes' | 'organizations'>,
  ids: Ids,
): RouteServing & { replays: Replays } {
  const replays = new Replays(() => {
    const { folder, config } = current().setup;
    return { folder, instanceId: newInstanceId(ids), durability: config.server.ledgerDurability };
  });
  const known = () => ({ directory: current().directory, unasked: silentOf(current()) });
  return {
    store: storage.routes,
    organizations: storage.organizations,
    book() {
      const { config, lineOf } = current().setup;
      const reading = {
        ...{ config, lineOf, env: {} },
        models: async () => known(),
        routeTargets: async (...asked: Parameters<typeof routeTargetsOf>) => routeTargetsOf(...asked),
      };
      return routeBookOf(reading, { asks: false });
    },
    replay: ({ route, ...span }) => replays.run({ drafted: draftedOf(route, known()), ...span }),
    replays,
  };
}
