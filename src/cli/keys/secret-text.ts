import { timeText } from '../phrases.ts';

/** A secret that is shown only once, with a heading and how to use it. */
export function secretText(told: string, secret: string): string {
  return [told, '', secret, '', 'To use it:', '', `export HEADGATE_API_KEY=${secret}`].join('\n');
}

/** What happens to the old secret of a key. */
export function oldSecretText(overlapMs: number, earlierUntil: number): string {
  return `The old one ${overlapMs === 0 ? 'is refused within a second' : `stays valid until ${timeText(earlierUntil)} UTC`}.`;
}
