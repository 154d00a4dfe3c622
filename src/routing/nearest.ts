import { editDistance } from '../core/edit-distance.ts';

const SHOWN = 3;
/** The most names compared, to bound the cost of a caller's typo. */
const MAX_COMPARED = 5000;
const MAX_LENGTH = 64;
/** The largest part of a name that may differ for another name to count as near. */
const MOST_CHANGED = 0.4;

/** The names most similar to `wanted`, best first: by edit distance, which counts less if one name contains the other. */
export function nearestNames(wanted: string, names: readonly string[]): string[] {
  const asked = folded(wanted);
  const most = MOST_CHANGED * asked.length;
  const scored: { name: string; score: number }[] = [];
  for (const name of names.slice(0, MAX_COMPARED)) {
    const other = folded(name);
    // The edit distance is at least the difference in length, so most names need not be compared.
    const isFar = Math.abs(other.length - asked.length) > most && !other.includes(asked) && !asked.includes(other);
    const score = isFar ? Number.POSITIVE_INFINITY : distance(asked, other);
    if (score <= most) scored.push({ name, score });
  }
  scored.sort((one, other) => one.score - other.score || one.name.length - other.name.length);
  const nearest: string[] = [];
  for (const { name } of scored) {
    // Shows each model under only one of its names.
    if (nearest.some((other) => other.endsWith(`/${name}`) || name.endsWith(`/${other}`))) continue;
    nearest.push(name);
    if (nearest.length === SHOWN) break;
  }
  return nearest;
}

/** The part of a name that is compared. Cut twice, because lower case can be longer. */
function folded(name: string): string {
  return name.slice(0, MAX_LENGTH).toLowerCase().slice(0, MAX_LENGTH);
}

function distance(one: string, other: string): number {
  const edits = editDistance(one, other);
  if (other.includes(one)) return edits / 4;
  return one.includes(other) ? edits / 2 : edits;
}
