import type { Route } from '../../core/route.ts';
import { listRoutesTask } from '../../tasks/routes.ts';
import { OperatorError, UsageError } from '../failure.ts';
import { perform } from '../perform.ts';
import type { CommandSetup, Toolbox } from '../toolbox.ts';

/** The configured or stored route with this id. Throws an `OperatorError` with the known ids. */
export function routeOf(routes: readonly Route[], id: string): Route {
  const found = routes.find((route) => route.id === id);
  if (found !== undefined) return found;
  const known = routes.map((route) => route.id).join(', ');
  throw new OperatorError(`There is no route ${id}. Routes: ${known === '' ? 'none yet' : known}.`);
}

/** The served routes: those of the configuration, then those of the store. */
export async function servedRoutes(tools: Toolbox, setup: CommandSetup): Promise<readonly Route[]> {
  const { answer } = await perform(tools, setup, listRoutesTask, null);
  const served = answer.filter(({ problem }) => problem === null);
  return served.flatMap(({ route }) => route ?? []);
}

/** Throws a `UsageError` if the route uses no learned model. */
export function checkSmart({ id, smart }: Route): void {
  if (smart === null) throw new UsageError(`The route ${id} has no strategy “smart”, so there is nothing to train.`);
}
