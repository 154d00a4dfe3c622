import { lineEnd, type Splice, splice } from './splice.ts';

/** What stands in the way of an edit, as the end of a sentence. */
export class JsonConflict extends Error {
  override readonly name = 'JsonConflict';
}

type Member = { name: string; start: number; end: number };
/** From its opening brace to behind its closing one. */
type Braces = { start: number; end: number; members: readonly Member[] };

/** A string, a comment, or a comma that nothing but blanks and comments part from a closing bracket. */
const STRING_OR_EXTRA =
  /"(?:[^"\\]|\\.)*"|\/\/[^\n\r]*|\/\*[\s\S]*?\*\/|,(?=(?:\s|\/\/[^\n\r]*|\/\*[\s\S]*?\*\/)*[}\]])/g;
const STRING = /"(?:[^"\\]|\\.)*"/y;
const PLAIN = /[^\s,{}[\]:"]+/y;
const USUAL_INDENT = '  ';

/**
 * Sets the member at a path, making the objects that lead there. Comments, order, numbers and blanks of everything else
 * stay as they are, byte for byte. Throws a `JsonConflict` where the text is not JSON (comments and trailing commas may be in
 * it), or where the path leads through what is no object.
 */
export function setJsonMember(text: string, path: readonly string[], value: unknown): string {
  const plain = plainJson(text);
  let inner: Braces | null = bracesAt(plain, plain.search(/\S/));
  for (const [depth, name] of path.entries()) {
    if (inner === null) throw new JsonConflict(`“${path.slice(0, depth).join('.')}” is not an object in it`);
    // Where a name stands twice, its readers take the last.
    const member: Member | undefined = inner.members.findLast((each) => each.name === name);
    if (member === undefined) {
      const added = path.slice(depth + 1).reduceRight((inside, each) => ({ [each]: inside }), value);
      return splice(text, addMember(text, inner, depth, name, added));
    }
    if (depth === path.length - 1) {
      return splice(text, [{ start: member.start, end: member.end, text: written(value, text, depth + 1) }]);
    }
    inner = plain[member.start] === '{' ? bracesAt(plain, member.start) : null;
  }
  throw new Error('A path has at least one name.');
}

/** What the text says; comments and trailing commas may be in it. Throws a `JsonConflict`. */
export function readJson(text: string): unknown {
  return JSON.parse(plainJson(text));
}

/** The text with blanks for everything that is not JSON: the rest stands where it stood. */
function plainJson(text: string): string {
  const blank = (found: string) => (found.startsWith('"') ? found : found.replace(/[^\r\n]/g, ' '));
  const plain = text.replace(/^\uFEFF/, ' ').replace(STRING_OR_EXTRA, blank);
  try {
    const root: unknown = JSON.parse(plain);
    if (typeof root === 'object' && root !== null && !Array.isArray(root)) return plain;
  } catch (error) {
    throw new JsonConflict('it is not JSON', { cause: error });
  }
  throw new JsonConflict('it is not a JSON object');
}

function addMember(
  text: string,
  { start, end, members }: Braces,
  depth: number,
  name: string,
  value: unknown,
): Splice[] {
  const eol = lineEnd(text);
  const indent = indentOf(text);
  const member = `${JSON.stringify(name)}: ${written(value, text, depth + 1)}`;
  const close = end - 1;
  const last = members.at(-1);
  // Behind the last thing in it, be it a comment.
  const place = start + 1 + text.slice(start + 1, close).trimEnd().length;
  const tail = text.slice(place, close).includes('\n') ? '' : eol + indent.repeat(depth);
  const line: Splice = {
    start: place,
    end: tail === '' ? place : close,
    text: `${eol}${indent.repeat(depth + 1)}${member}${tail}`,
  };
  if (last === undefined) return [line];
  return bare(text.slice(last.end, close)).includes(',')
    ? [line]
    : [{ start: last.end, end: last.end, text: ',' }, line];
}

/** Without its comments. */
function bare(text: string): string {
  return text.replace(/\/\/[^\n\r]*|\/\*[\s\S]*?\*\//g, '');
}

/** A value as it stands `depth` objects deep in this text. */
function written(value: unknown, text: string, depth: number): string {
  const indent = indentOf(text);
  return JSON.stringify(value, null, indent).replaceAll('\n', lineEnd(text) + indent.repeat(depth));
}

/** What the text's first indented line begins with. */
function indentOf(text: string): string {
  return /^([ \t]+)"/m.exec(text)?.[1] ?? USUAL_INDENT;
}

/** The object that begins here, in JSON that is known to be whole. */
function bracesAt(plain: string, start: number): Braces {
  const members: Member[] = [];
  let at = blanks(plain, start + 1);
  while (plain[at] !== '}') {
    const name = skip(STRING, plain, at);
    const value = blanks(plain, blanks(plain, name) + 1);
    const end = endOfValue(plain, value);
    members.push({ name: JSON.parse(plain.slice(at, name)) as string, start: value, end });
    at = blanks(plain, end);
    if (plain[at] === ',') at = blanks(plain, at + 1);
  }
  return { start, end: at + 1, members };
}

function endOfValue(plain: string, start: number): number {
  if (plain[start] === '"') return skip(STRING, plain, start);
  if (plain[start] !== '{' && plain[start] !== '[') return skip(PLAIN, plain, start);
  let depth = 0;
  let at = start;
  do {
    const character = plain[at]!;
    if (character === '{' || character === '[') depth++;
    if (character === '}' || character === ']') depth--;
    at = character === '"' ? skip(STRING, plain, at) : at + 1;
  } while (depth > 0);
  return at;
}

function blanks(plain: string, at: number): number {
  return skip(/\s*/y, plain, at);
}

/** Behind what a sticky pattern finds here. */
function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
