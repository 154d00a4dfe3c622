import type { Route } from '../../core/route.ts';
import { listRoutesTask } from '../../tasks/routes.ts';
import { OperatorError, UsageError } from '../failure.ts';
import { perform } from '../perform.ts';
import type { CommandSetup, Toolbox } from '../toolbox.ts';

/** The route of this id, as it is configured or kept. Throws an `OperatorError` that names those there are. */
export function routeOf(routes: readonly Route[], id: string): Route {
  const found = routes.find((route) => route.id === id);
  if (found !== undefined) return found;
  const known = routes.map((route) => route.id).join(', ');
  throw new OperatorError(`There is no route ${id}. There is: ${known === '' ? 'none yet' : known}.`);
}

/** The routes that are served: those of the configuration, and those of the store beside them. */
export async function servedRoutes(tools: Toolbox, setup: CommandSetup): Promise<readonly Route[]> {
  const { answer } = await perform(tools, setup, listRoutesTask, null);
  const served = answer.filter(({ problem }) => problem === null);
  return served.flatMap(({ route }) => route ?? []);
}

/** Throws a `UsageError` where a route asks no model. */
export function checkSmart({ id, smart }: Route): void {
  if (smart === null) throw new UsageError(`The route ${id} has no strategy “smart”, so there is nothing to train.`);
}
