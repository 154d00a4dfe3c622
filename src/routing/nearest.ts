const SHOWN = 3;
/** Names compared at most: a caller's typo must not cost more than this. */
const MAX_COMPARED = 5000;
const MAX_LENGTH = 64;

/** The names that look most like `wanted`, best first: by edit distance, which counts less where one has the other in it. */
export function nearestNames(wanted: string, names: readonly string[]): string[] {
  const asked = folded(wanted);
  const scored = names.slice(0, MAX_COMPARED).map((name) => ({ name, score: distance(asked, folded(name)) }));
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

/** What is compared of a name. Lower case can be longer than what it stands for. */
function folded(name: string): string {
  return name.slice(0, MAX_LENGTH).toLowerCase().slice(0, MAX_LENGTH);
}

function distance(one: string, other: string): number {
  const edits = levenshtein(one, other);
  if (other.includes(one)) return edits / 4;
  return one.includes(other) ? edits / 2 : edits;
}

/** Edit distance. Its two rows are kept: it runs for thousands of names at once. */
function levenshtein(one: string, other: string): number {
  let [previous, current] = ROWS;
  for (let j = 0; j <= other.length; j += 1) previous[j] = j;
  for (let i = 1; i <= one.length; i += 1) {
    const code = one.charCodeAt(i - 1);
    current[0] = i;
    for (let j = 1; j <= other.length; j += 1) {
      const change = code === other.charCodeAt(j - 1) ? 0 : 1;
      current[j] = Math.min(previous[j - 1]! + change, Math.min(previous[j]!, current[j - 1]!) + 1);
    }
    [previous, current] = [current, previous];
  }
  return previous[other.length]!;
}

const ROWS: [Uint16Array, Uint16Array] = [new Uint16Array(MAX_LENGTH + 1), new Uint16Array(MAX_LENGTH + 1)];
