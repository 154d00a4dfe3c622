import { pick } from './seeded.ts';

/** A prompt, and the quality (0 or 1) of the answers of a strong and a weak target. */
export type LabelledPrompt = { prompt: string; scores: { strong: number; weak: number } };

/** The kinds of prompts, with how often the strong and the weak target are right. */
const KINDS = [
  { strong: 0.95, weak: 0.9, words: ['garden', 'holiday', 'recipe', 'music', 'travel', 'birthday', 'weather', 'film'] },
  {
    strong: 0.9,
    weak: 0.3,
    words: ['theorem', 'lemma', 'matrix', 'eigenvalue', 'topology', 'manifold', 'tensor', 'kernel'],
  },
  {
    strong: 0.3,
    weak: 0.25,
    words: ['forecast', 'lottery', 'tomorrow', 'stock', 'rumour', 'gossip', 'fortune', 'secret'],
  },
] as const;
const FILLER = ['please', 'tell', 'me', 'about', 'the', 'of', 'and', 'with', 'again', 'briefly', 'today', 'now'];
const WORDS = 14;
const TELLING = 0.4;

/**
 * Made-up prompts of three kinds: both targets are good at one, only the strong one at another, neither at the third.
 * `random` returns 0 to 1.
 */
export function labelledPrompts(count: number, random: () => number): LabelledPrompt[] {
  return Array.from({ length: count }, (_, at) => {
    const kind = pick(random, KINDS);
    const words = Array.from({ length: WORDS }, () =>
      random() < TELLING ? pick(random, kind.words as readonly string[]) : pick(random, FILLER),
    );
    const right = (chance: number) => (random() < chance ? 1 : 0);
    return { prompt: `${words.join(' ')} (${at})`, scores: { strong: right(kind.strong), weak: right(kind.weak) } };
  });
}
