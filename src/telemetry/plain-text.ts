import { printableText } from '../core/printable-text.ts';

/** `12:02:59`, in UTC. */
export function clockText(ms: number): string {
  return new Date(ms).toISOString().slice(11, 19);
}

/** Foreign text on one line of a terminal: control and direction-changing characters become question marks. */
export function plainText(text: string): string {
  // Terminals treat private and undefined characters in unknown ways.
  return printableText(text, '?').replace(/[\p{Co}\p{Cn}]/gu, '?');
}
