import type { Setting } from '../../core/settings.ts';

type Override = Setting<'price_override'>;

/** The latest price of each model that has begun at a time (Unix ms) and not ended. */
export function lastBegun(all: readonly Override[], now: number): Map<string, Override> {
  const last = new Map<string, Override>();
  for (const each of all) {
    const { model, from, endedAt } = each.value;
    // A price that ended before it began was never in force.
    if (from > now || (endedAt !== null && endedAt <= from)) continue;
    const before = last.get(model);
    if (before === undefined || from > before.value.from || (from === before.value.from && each.id > before.id))
      last.set(model, each);
  }
  for (const [model, { value }] of last) if (value.endedAt !== null && value.endedAt <= now) last.delete(model);
  return last;
}

/** The next start or end of a price after a time (Unix ms); `Infinity` if there is none. */
export function nextTurn(all: readonly Override[], now: number): number {
  let next = Number.POSITIVE_INFINITY;
  for (const { value } of all)
    for (const at of [value.from, value.endedAt]) if (at !== null && at > now && at < next) next = at;
  return next;
}
