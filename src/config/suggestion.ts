import { editDistance } from '../core/edit-distance.ts';

/** A word that differs in more letters, or in a larger share of them, is not a typing error. */
const LARGEST_SLIP = 2;
const LARGEST_SHARE = 0.4;

/** ` (did you mean “base_url”?)`, or the empty text if no candidate is similar or begins with the word. */
export function suggestion(word: string, candidates: Iterable<string>): string {
  let best: string | null = null;
  let least = Math.max(LARGEST_SLIP, Math.floor(word.length * LARGEST_SHARE)) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance >= least) continue;
    best = candidate;
    least = distance;
  }
  best ??= [...candidates].find((candidate) => candidate.startsWith(`${word}_`)) ?? null;
  return best === null ? '' : ` (did you mean “${best}”?)`;
}
