/**
 * A change of one place that must not go unnoticed: `from` stands once in `file`, and one of `tests` fails where `to` stands
 * in its place. Paths are below `src/`.
 */
export type Mutant = { what: string; file: string; from: string; to: string; tests: readonly string[] };

type Change = readonly [what: string, from: string, to: string];

/** Changes of one file, and the tests that must catch them. */
export function inFile(file: string, tests: readonly string[], changes: readonly Change[]): Mutant[] {
  return changes.map(([what, from, to]) => ({ what, file, from, to, tests }));
}
