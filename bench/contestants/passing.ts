import type { Route } from '../load/order.ts';
import { FACTS, MODEL, type Workload } from '../workloads.ts';

/**
 * A workload at something that passes what it gets to the upstream, and looks at nothing. It cannot translate: there it
 * passes the same stream as it is, to be what the translation is measured by.
 */
export function passingRoute(port: number, workload: Workload): Route {
  const headers = { authorization: 'Bearer bench-upstream-key' };
  return { port, path: FACTS[workload].path, model: MODEL, headers };
}
