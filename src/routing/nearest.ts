const SHOWN = 3;
/** Names compared at most: a caller's typo must not cost more than this. */
const MAX_COMPARED = 5000;
const MAX_LENGTH = 128;

/** The names that look most like `wanted`, best first: by edit distance, a shared beginning or inclusion counting for it. */
export function nearestNames(wanted: string, names: readonly string[]): string[] {
  const asked = wanted.slice(0, MAX_LENGTH).toLowerCase();
  const scored = names.slice(0, MAX_COMPARED).map((name) => ({ name, score: distance(asked, name.toLowerCase()) }));
  scored.sort((one, other) => one.score - other.score || one.name.length - other.name.length);
  const nearest: string[] = [];
  for (const { name } of scored) {
    // One model under two of its names tells no more than under one.
    if (nearest.some((other) => other.endsWith(`/${name}`) || name.endsWith(`/${other}`))) continue;
    nearest.push(name);
    if (nearest.length === SHOWN) break;
  }
  return nearest;
}

function distance(one: string, other: string): number {
  const edits = levenshtein(one, other);
  const within = other.includes(one) || one.includes(other);
  return within ? edits / 4 : edits;
}

function levenshtein(one: string, other: string): number {
  let previous = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const current = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const change = one.charCodeAt(i - 1) === other.charCodeAt(j - 1) ? 0 : 1;
      current.push(Math.min(previous[j]! + 1, current[j - 1]! + 1, previous[j - 1]! + change));
    }
    previous = current;
  }
  return previous[other.length]!;
}
