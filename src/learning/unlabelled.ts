import type { Features } from './features.ts';
import { chanceOfLogit } from './model.ts';
import { indexOfName } from './named.ts';

/**
 * What is believed before anyone has scored an answer: a few rules of thumb. They order calls a little better than chance
 * (docs/decisions/2026-11-21-how-smart-routes-learn.md has the figures) and promise nothing of your own traffic.
 */
export type PriorRule = {
  name: string;
  when: (value: (feature: string) => number) => boolean;
  /** Added to the logit of the chance that the cheapest and the most expensive target answer well. */
  effect: { cheaper: number; dearer: number };
};

const PRIOR_RULES: readonly PriorRule[] = [
  {
    name: 'more than a few lines',
    when: (value) => value('longer than 256 characters') > 0,
    effect: { cheaper: -0.15, dearer: 0 },
  },
  {
    name: 'many numbers to keep apart',
    when: (value) => value('numbers') > 0.4,
    effect: { cheaper: -0.3, dearer: -0.1 },
  },
  {
    name: 'a long text to understand',
    when: (value) => value('longer than 512 characters') > 0,
    effect: { cheaper: -0.3, dearer: 0 },
  },
  {
    name: 'a very long text',
    when: (value) => value('more than 4096 tokens') > 0,
    effect: { cheaper: -0.3, dearer: 0 },
  },
  {
    name: 'several statements to judge at once',
    when: (value) => value('kind: statements') > 0,
    effect: { cheaper: -1, dearer: -0.3 },
  },
  { name: 'law', when: (value) => value('about law') > 0, effect: { cheaper: -0.6, dearer: -0.3 } },
  { name: 'mathematics', when: (value) => value('kind: mathematics') > 0, effect: { cheaper: -0.6, dearer: -0.4 } },
  { name: 'a proof', when: (value) => value('kind: proof') > 0, effect: { cheaper: -0.6, dearer: -0.3 } },
  { name: 'logic', when: (value) => value('about logic') > 0, effect: { cheaper: -0.4, dearer: -0.1 } },
  { name: 'code', when: (value) => value('kind: code') > 0, effect: { cheaper: -0.5, dearer: -0.1 } },
  { name: 'a plan or a design', when: (value) => value('kind: planning') > 0, effect: { cheaper: -0.3, dearer: 0 } },
  {
    name: 'many conditions to keep',
    when: (value) => value('constraints') > 0.4,
    effect: { cheaper: -0.3, dearer: 0 },
  },
  { name: 'tools', when: (value) => value('tools') > 0, effect: { cheaper: -0.4, dearer: 0 } },
  { name: 'a long conversation', when: (value) => value('turns') > 0.5, effect: { cheaper: -0.3, dearer: 0 } },
  {
    name: 'a language other than English',
    when: (value) => value('language: english') < 0.05 && value('length') > 0.4,
    effect: { cheaper: -0.3, dearer: 0 },
  },
  { name: 'a translation', when: (value) => value('kind: translation') > 0, effect: { cheaper: 0.4, dearer: 0.2 } },
  { name: 'a summary', when: (value) => value('kind: summary') > 0, effect: { cheaper: 0.4, dearer: 0.2 } },
  { name: 'an extraction', when: (value) => value('kind: extraction') > 0, effect: { cheaper: 0.4, dearer: 0.2 } },
  { name: 'small talk', when: (value) => value('kind: chat') > 0, effect: { cheaper: 0.8, dearer: 0.2 } },
  {
    name: 'a short question',
    when: (value) => value('longer than 128 characters') === 0,
    effect: { cheaper: 0.2, dearer: 0 },
  },
];

/** Logits of 0.75 and 0.88: how often a small and a large model of some vendor are about right. */
const AT_FIRST = { cheaper: 1.1, dearer: 2 };

export type Prior = { cheaper: number; dearer: number; rules: readonly PriorRule[] };

/** The chances (0 … 1) of the cheapest and the most expensive target before any label, and the rules that apply. */
export function priorOf(features: Features): Prior {
  const value = (feature: string) => levelOf(features, indexOfName(feature));
  const rules = PRIOR_RULES.filter(({ when }) => when(value));
  const sum = (which: 'cheaper' | 'dearer') =>
    rules.reduce((logit, { effect }) => logit + effect[which], AT_FIRST[which]);
  const dearer = chanceOfLogit(sum('dearer'));
  // Nothing suggests that a cheaper target does better.
  return { cheaper: Math.min(dearer, chanceOfLogit(sum('cheaper'))), dearer, rules };
}

/** Features with a name stand first, in order. */
function levelOf({ indices, values }: Features, wanted: number): number {
  for (let at = 0; at < indices.length && indices[at]! <= wanted; at += 1)
    if (indices[at] === wanted) return values[at]!;
  return 0;
}
