/** A text that begins like this would be taken for a number, or for one that was marked. */
const MARKED = /^[ns]:/;

/** JSON in which whole numbers of any size (`bigint`) stand as `"n:12"`; texts that look like that are marked with `s:`. */
export function exactJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => {
    if (typeof member === 'bigint') return `n:${member}`;
    return typeof member === 'string' && MARKED.test(member) ? `s:${member}` : member;
  });
}

/** What `exactJson` wrote. Throws a `SyntaxError` for anything else. */
export function readExactJson(text: string): unknown {
  return JSON.parse(text, (_, member: unknown) => {
    if (typeof member !== 'string') return member;
    if (member.startsWith('n:')) return BigInt(member.slice(2));
    return member.startsWith('s:') ? member.slice(2) : member;
  });
}
