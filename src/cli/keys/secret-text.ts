import { timeText } from '../phrases.ts';

/** A secret that is shown only once, under what is told of it, and how it is used. */
export function secretText(told: string, secret: string): string {
  return [told, '', secret, '', 'To use it:', '', `export HEADGATE_API_KEY=${secret}`].join('\n');
}

/** What becomes of the secret that a key had. */
export function oldSecretText(overlapMs: number, earlierUntil: number): string {
  return `The old one ${overlapMs === 0 ? 'is refused within a second' : `goes on until ${timeText(earlierUntil)} UTC`}.`;
}
