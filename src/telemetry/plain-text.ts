import { shownText } from '../core/shown-text.ts';

/** `12:02:59`, in UTC. */
export function clockText(ms: number): string {
  return new Date(ms).toISOString().slice(11, 19);
}

/** A text that others chose, on one line of a terminal: what steers a terminal, or turns the order of letters, is a question mark. */
export function plainText(text: string): string {
  // Nobody knows what a terminal makes of characters that are private, or that nobody has defined.
  return shownText(text, '?').replace(/[\p{Co}\p{Cn}]/gu, '?');
}
