import type { Directory } from '../core/provider.ts';
import { type TargetStatus, targetName, UNCALLED } from '../core/target-status.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { candidatesOf } from '../routing/candidates.ts';
import type { Health } from '../routing/health/health.ts';

/** Every target that is behind a route, called or not, then the others that were called. */
export function targetStatuses(health: Health, directory: Directory, dialects: readonly Dialect[]): TargetStatus[] {
  const called = new Map(health.status().map((status) => [targetName(status), status]));
  const ids = dialects.map(({ id }) => id);
  const statuses = new Map<string, TargetStatus>();
  for (const entry of directory.entries) {
    if (entry.origin === 'vendor') continue;
    for (const { target, provider, upstreamModel, credential } of candidatesOf(entry.route, directory, ids).all) {
      if (target === null) continue;
      const name = targetName({ provider, upstreamModel, credential });
      statuses.set(name, called.get(name) ?? { ...UNCALLED, provider, upstreamModel, credential });
    }
  }
  return [...new Map([...statuses, ...called]).values()];
}
