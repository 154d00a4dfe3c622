import type { CallTraits } from '../../src/core/route.ts';
import { traits } from '../../src/testing/routes.ts';
import { DAY, normal, WEEK } from './vendors.ts';

/** The number of conversations that are open at once. */
const OPEN = 300;
const LONGEST = 8;

export type Call = {
  at: number;
  traits: CallTraits;
  /** 0: any model answers well; 1: few do. The features reflect it. */
  difficulty: number;
  outputTokens: number;
};

type Conversation = { id: number; turns: number; promptTokens: number; difficulty: number };

/** The calls of the week: more by day, half of them in growing conversations. The same seed gives the same calls. */
export function* traffic(calls: number, random: () => number): Generator<Call> {
  let next = 0;
  const begin = (): Conversation => {
    next += 1;
    return { id: next, turns: 0, promptTokens: Math.round(300 * Math.exp(normal(random))), difficulty: random() };
  };
  const open = Array.from({ length: OPEN }, begin);
  let at = 0;
  for (let count = 0; count < calls; count += 1) {
    const busy = 1 + 0.8 * Math.sin(((at % DAY) / DAY) * 2 * Math.PI - (3 / 4) * Math.PI);
    at += (-Math.log(1 - random()) * (WEEK / calls)) / busy;
    const slot = Math.floor(random() * OPEN);
    const one = open[slot]!;
    const outputTokens = Math.max(1, Math.round(300 * Math.exp(0.8 * normal(random))));
    one.turns += 1;
    yield {
      at,
      difficulty: one.difficulty,
      outputTokens,
      traits: traits({
        at: Math.floor(at),
        promptTokens: one.promptTokens,
        turns: one.turns,
        keyId: `key_${one.id % 50}`,
        conversation: `k${one.id}`,
        features: String(one.difficulty),
      }),
    };
    one.promptTokens += outputTokens + Math.round(60 * Math.exp(0.5 * normal(random)));
    if (one.turns >= LONGEST || random() < 0.15) open[slot] = begin();
  }
}
