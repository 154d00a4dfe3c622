import type { Route } from '../../core/route.ts';
import { OperatorError, UsageError } from '../failure.ts';
import type { Setup } from '../toolbox.ts';

/** The route of this id, as it is configured or kept. Throws an `OperatorError` that names those there are. */
export function routeOf(routes: readonly Route[], id: string): Route {
  const found = routes.find((route) => route.id === id);
  if (found !== undefined) return found;
  const known = routes.map((route) => route.id).join(', ');
  throw new OperatorError(`There is no route ${id}. There is: ${known === '' ? 'none yet' : known}.`);
}

/** The routes of the configuration, the system route among them. */
export function configuredRoutes({ config }: Setup): readonly Route[] {
  return config.system === null ? config.routes : [...config.routes, config.system];
}

/** Throws a `UsageError` where a route asks no model. */
export function checkSmart({ id, smart }: Route): void {
  if (smart === null) throw new UsageError(`The route ${id} has no strategy “smart”, so there is nothing to train.`);
}
