/** A difference of more letters, and of more than this share of the word, is no slip of the pen. */
const LARGEST_SLIP = 2;
const LARGEST_SHARE = 0.4;

/** ` (did you mean “base_url”?)`, or nothing where no candidate looks like the word. */
export function suggestion(word: string, candidates: Iterable<string>): string {
  let best: string | null = null;
  let least = Math.max(LARGEST_SLIP, Math.floor(word.length * LARGEST_SHARE)) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance >= least) continue;
    best = candidate;
    least = distance;
  }
  return best === null ? '' : ` (did you mean “${best}”?)`;
}

/** How many letters must be put in, taken out or replaced to make `b` of `a` (Levenshtein). */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j += 1) {
      const replaced = row[j]! + (b[j] === letter ? 0 : 1);
      next.push(Math.min(replaced, row[j + 1]! + 1, next[j]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
