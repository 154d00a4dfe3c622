/** Plain texts that begin like a marked number or a marked text. */
const MARKED = /^[ns]:/;

/** Writes JSON in which a `bigint` is `"n:12"`. Texts that look like this get the prefix `s:`. */
export function exactJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => {
    if (typeof member === 'bigint') return `n:${member}`;
    return typeof member === 'string' && MARKED.test(member) ? `s:${member}` : member;
  });
}

/** Reads what `exactJson` wrote. Throws a `SyntaxError` for anything else. */
export function readExactJson(text: string): unknown {
  return JSON.parse(text, (_, member: unknown) => {
    if (typeof member !== 'string') return member;
    if (member.startsWith('n:')) return BigInt(member.slice(2));
    return member.startsWith('s:') ? member.slice(2) : member;
  });
}
