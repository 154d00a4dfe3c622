import { pick } from './seeded.ts';

/** A prompt, and how good the answers of a strong and of a weak target to it were (0 or 1). */
export type LabelledPrompt = { prompt: string; scores: { strong: number; weak: number } };

/** Of each kind, how often the strong target is right, and the weak. */
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

/** Made-up prompts of three kinds: both targets are good at one, only the strong at another, neither at the third. `random` is from 0 to 1. */
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
