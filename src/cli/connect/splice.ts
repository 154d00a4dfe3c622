/** A part of a text and its replacement. */
export type Splice = { start: number; end: number; text: string };

/**
 * Replaces parts of a text and leaves the rest. Parts do not overlap; of two at the same place the first comes first.
 */
export function splice(text: string, parts: readonly Splice[]): string {
  const ordered = parts.toSorted((one, other) => one.start - other.start || one.end - other.end);
  const pieces: string[] = [];
  let at = 0;
  for (const part of ordered) {
    pieces.push(text.slice(at, part.start), part.text);
    at = part.end;
  }
  return [...pieces, text.slice(at)].join('');
}

/** The line ending of a text. */
export function lineEnd(text: string): '\r\n' | '\n' {
  return text.includes('\r\n') ? '\r\n' : '\n';
}
