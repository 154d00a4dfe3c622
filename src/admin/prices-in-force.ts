import type { Setting } from '../core/settings.ts';

type Override = Setting<'price_override'>;

/** Of each model the price that has begun last at a time (Unix ms), where it has not ended: what calls are billed by. */
export function lastBegun(all: readonly Override[], now: number): Map<string, Override> {
  const last = new Map<string, Override>();
  for (const each of all) {
    const { model, from, endedAt } = each.value;
    // What ended before it began never was.
    if (from > now || (endedAt !== null && endedAt <= from)) continue;
    const before = last.get(model);
    if (before === undefined || from > before.value.from || (from === before.value.from && each.id > before.id))
      last.set(model, each);
  }
  for (const [model, { value }] of last) if (value.endedAt !== null && value.endedAt <= now) last.delete(model);
  return last;
}

/** When a price next begins or ends after a time (Unix ms); `Infinity` where none does. */
export function nextTurn(all: readonly Override[], now: number): number {
  let next = Number.POSITIVE_INFINITY;
  for (const { value } of all)
    for (const at of [value.from, value.endedAt]) if (at !== null && at > now && at < next) next = at;
  return next;
}
