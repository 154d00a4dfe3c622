import { editDistance } from '../core/edit-distance.ts';

/** A difference of more letters, and of more than this share of the word, is no typing error. */
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
