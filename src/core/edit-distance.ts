/** The row is reused: a misspelt name is compared with thousands of names at once. */
const ROW: number[] = [];

/** The Levenshtein distance of two words. */
export function editDistance(one: string, other: string): number {
  for (let j = 0; j <= other.length; j += 1) ROW[j] = j;
  for (let i = 1; i <= one.length; i += 1) {
    const code = one.charCodeAt(i - 1);
    let diagonal = ROW[0]!;
    ROW[0] = i;
    for (let j = 1; j <= other.length; j += 1) {
      const above = ROW[j]!;
      const replaced = diagonal + (code === other.charCodeAt(j - 1) ? 0 : 1);
      ROW[j] = Math.min(replaced, above + 1, ROW[j - 1]! + 1);
      diagonal = above;
    }
  }
  return ROW[other.length]!;
}
