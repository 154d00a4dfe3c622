import type { Environment } from '../config/interpolate.ts';
import type { Ids, Storage } from '../core/ports.ts';
import type { RouteServing } from '../organization/parts.ts';
import { draftedOf } from './drafted-route.ts';
import { routeTargetsOf } from './preview.ts';
import { Replays } from './replays.ts';
import { routeBookOf } from './route-book.ts';
import { newInstanceId } from './setup.ts';
import { type Snapshot, silentOf } from './snapshot.ts';

/**
 * The services for administering routes in a serving gateway, with its current configuration. Drafts of the operator may use
 * its environment variables.
 */
export function routeServingOf(
  current: () => Snapshot,
  storage: Pick<Storage, 'routes' | 'organizations'>,
  { ids, env }: { ids: Ids; env: Environment },
): RouteServing & { replays: Replays } {
  const replays = new Replays(() => {
    const { folder, config } = current().setup;
    return { folder, instanceId: newInstanceId(ids), durability: config.server.ledgerDurability };
  });
  const known = () => ({ directory: current().directory, unasked: silentOf(current()) });
  const bookWith = (variables: Environment) => {
    const { config, lineOf } = current().setup;
    const reading = {
      ...{ config, lineOf, env: variables },
      models: async () => known(),
      routeTargets: async (...asked: Parameters<typeof routeTargetsOf>) => routeTargetsOf(...asked),
    };
    return routeBookOf(reading, { asks: false });
  };
  return {
    store: storage.routes,
    organizations: storage.organizations,
    book: () => bookWith({}),
    operatorBook: () => bookWith(env),
    replay: ({ route, ...span }) => replays.run({ drafted: draftedOf(route, known()), ...span }),
    replays,
  };
}
