import type { DialectId } from '../core/provider.ts';
import type { Dialect } from '../dialects/dialect.ts';

/** The dialects that a call can go out in: its own, in which its bytes pass, then those it can be translated into, the richest first. */
export function choicesOf(asked: Dialect, dialects: readonly Dialect[]): readonly DialectId[] {
  const others = asked.translation === undefined ? [] : dialects.filter(({ translation }) => translation !== undefined);
  return [...new Set([asked.id, ...others.map(({ id }) => id)])];
}
