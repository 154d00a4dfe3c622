import { endOfStringInText } from './string-ends.ts';

const COLON = 0x3a;
const SPACE = 0x20;

/** The characters that must be escaped in a name. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that JSON forbids in a string
const NEEDS_ESCAPE = /["\\\u0000-\u001f]/;

/** Parses JSON. `isPlain`: see `parseJson`. */
export type JsonParse = (text: string, isPlain?: boolean) => unknown;

type Reviver = (this: unknown, name: string, value: unknown, context?: { source?: string }) => unknown;
type EscapedName = { start: number; end: number };

/**
 * `JSON.parse` with the correct names. V8 (in Node 24 and 26) compares an escaped name as written with a name that it
 * met before in the same position: after `{"a":1,"\\":2}`, which anybody may have sent, it reads `{"a":1,"\n":2}` as
 * the same (nodejs/node#63785). Escaped names are therefore spelled out before parsing.
 *
 * @param isPlain - true if a scan found no escaped name
 * @param reviver - as in `JSON.parse`; it must not depend on names
 * @throws SyntaxError if the text is not JSON
 */
export function parseJson(text: string, isPlain = false, reviver?: Reviver): unknown {
  const escaped = isPlain ? [] : escapedNames(text);
  if (escaped.length === 0) return JSON.parse(text, reviver);
  // Invalid text must not become JSON by the changes below.
  JSON.parse(text);
  const names = escaped.map(({ start, end }) => JSON.parse(text.slice(start, end)) as string);
  const stands = standIns(text, names);
  const spelled: string[] = [];
  let from = 0;
  for (const [index, { start, end }] of escaped.entries()) {
    const name = names[index]!;
    spelled.push(text.slice(from, start), '"', stands.get(name) ?? name, '"');
    from = end;
  }
  spelled.push(text.slice(from));
  const parsed: unknown = JSON.parse(spelled.join(''), reviver);
  if (stands.size > 0) rename(parsed, new Map([...stands].map(([name, stand]) => [stand, name])));
  return parsed;
}

/** True if a text is JSON. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The escaped names with their quotes, in order. The result is arbitrary if the text is not JSON. */
function escapedNames(text: string): EscapedName[] {
  const found: EscapedName[] = [];
  for (let at = text.indexOf('\\'); at >= 0; ) {
    // In JSON, escapes occur only in strings. This is the first one in its string, so the quote before it opens the
    // string.
    const start = text.lastIndexOf('"', at);
    if (start < 0) break;
    const end = endOfStringInText(text, start + 1) + 1;
    if (text.charCodeAt(afterSpace(text, end)) === COLON) found.push({ start, end });
    at = text.indexOf('\\', end);
  }
  return found;
}

function afterSpace(text: string, start: number): number {
  let at = start;
  while (text.charCodeAt(at) <= SPACE) at += 1;
  return at;
}

/** Substitutes for names that cannot be spelled without escapes. No name in the text is equal to one of them. */
function standIns(text: string, names: readonly string[]): ReadonlyMap<string, string> {
  const stands = new Map<string, string>();
  const unspelled = names.filter((name) => NEEDS_ESCAPE.test(name));
  if (unspelled.length === 0) return stands;
  const taken = new Set([text, ...names].join(' ').match(/(?<=\ue000)\d+(?=\ue000)/g));
  let number = 0;
  for (const name of unspelled) {
    if (stands.has(name)) continue;
    while (taken.has(String(number))) number += 1;
    stands.set(name, `\ue000${number}\ue000`);
    number += 1;
  }
  return stands;
}

/** Renames the substitutes in members, in order. */
function rename(parsed: unknown, names: ReadonlyMap<string, string>): void {
  const open = [parsed];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    const members = Object.entries(value);
    for (const [, inner] of members) if (typeof inner === 'object' && inner !== null) open.push(inner);
    if (!members.some(([name]) => names.has(name))) continue;
    for (const [name] of members) delete (value as Record<string, unknown>)[name];
    for (const [name, inner] of members) {
      const property = { value: inner, writable: true, enumerable: true, configurable: true };
      Object.defineProperty(value, names.get(name) ?? name, property);
    }
  }
}
