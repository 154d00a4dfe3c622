import type { Route } from '../load/order.ts';
import { FACTS, MODEL, type Workload } from '../workloads.ts';

/**
 * The route of a workload at a proxy without inspection. It cannot translate; its untranslated stream is the reference
 * for translation.
 */
export function passingRoute(port: number, workload: Workload): Route {
  const headers = { authorization: 'Bearer bench-upstream-key' };
  return { port, path: FACTS[workload].path, model: MODEL, headers };
}
