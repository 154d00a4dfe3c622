/**
 * The part of TOML (https://toml.io/en/v1.0.0) that is needed to find our lines: the place and name of statements.
 * Values are not interpreted.
 */
export type TomlStatement = {
  /** The header of a table (`[a.b]`) or array element (`[[a.b]]`), or `a.b = value`. */
  kind: 'table' | 'element' | 'pair';
  path: readonly string[];
  /** From the start of its first line to the start of the next statement's line. */
  start: number;
  end: number;
  /** For a pair: the place of its value. */
  value: { start: number; end: number };
};

/** The text is not TOML, or uses syntax that is not supported here. */
export class TomlError extends Error {
  override readonly name = 'TomlError';
  /** Counted from 1. */
  readonly line: number;

  constructor(text: string, at: number) {
    const line = text.slice(0, at).split('\n').length;
    super(`line ${line} is not TOML`);
    this.line = line;
  }
}

const BARE_KEY = /[A-Za-z0-9_-]+/y;
const BLANKS = /[ \t]*/y;
const COMMENT = /(#[^\n]*)?/y;
/** The rest of an unquoted value. A date may contain a blank. */
const PLAIN_VALUE = /[^#\r\n]+/y;
const BASIC_STRING = /"(?:[^"\\\r\n]|\\.)*"/y;
const LITERAL_STRING = /'[^'\r\n]*'/y;
/** A long string may end with two quotes of its own before the closing ones. */
const LONG_BASIC_STRING = /"""(?:[^\\]|\\[\s\S])*?"""(?:"{0,2})/y;
const LONG_LITERAL_STRING = /'''[\s\S]*?'''(?:'{0,2})/y;
const STRINGS = [LONG_BASIC_STRING, LONG_LITERAL_STRING, BASIC_STRING, LITERAL_STRING];
const BYTE_ORDER_MARK = '\uFEFF';

/** Where the first statement of a text may start. */
export function tomlStart(text: string): number {
  return text.startsWith(BYTE_ORDER_MARK) ? 1 : 0;
}

/** The statements of a text, in order. Throws a `TomlError`. */
export function readToml(text: string): TomlStatement[] {
  const statements: TomlStatement[] = [];
  let at = tomlStart(text);
  while (at < text.length) {
    const start = at;
    at = skip(BLANKS, text, at);
    if (/[#\r\n]/.test(text[at] ?? '\n')) {
      at = endOfLine(text, at);
      continue;
    }
    const statement = text[at] === '[' ? readHeader(text, at) : readPair(text, at);
    at = endOfLine(text, statement.value.end);
    statements.push({ ...statement, start, end: at });
  }
  return statements;
}

/** Writes a text as a TOML value. */
export function tomlString(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007f');
}

type Read = Pick<TomlStatement, 'kind' | 'path' | 'value'>;

function readHeader(text: string, start: number): Read {
  const isElement = text.startsWith('[[', start);
  const { path, end } = readPath(text, start + (isElement ? 2 : 1));
  const close = isElement ? ']]' : ']';
  if (!text.startsWith(close, end)) throw new TomlError(text, end);
  const behind = end + close.length;
  return { kind: isElement ? 'element' : 'table', path, value: { start: behind, end: behind } };
}

function readPair(text: string, start: number): Read {
  const { path, end } = readPath(text, start);
  if (text[end] !== '=') throw new TomlError(text, end);
  const value = skip(BLANKS, text, end + 1);
  return { kind: 'pair', path, value: { start: value, end: endOfValue(text, value) } };
}

/** `a."b c".d`, with surrounding blanks. */
function readPath(text: string, start: number): { path: string[]; end: number } {
  const path: string[] = [];
  let at = start;
  do {
    at = skip(BLANKS, text, path.length === 0 ? at : at + 1);
    const end = [BARE_KEY, BASIC_STRING, LITERAL_STRING].map((kind) => skip(kind, text, at)).find((to) => to > at);
    if (end === undefined) throw new TomlError(text, at);
    path.push(nameOf(text.slice(at, end)));
    at = skip(BLANKS, text, end);
  } while (text[at] === '.');
  return { path, end: at };
}

/** TOML escapes like JSON; its additional escapes (`\U`, `\e`) are in none of our names. */
function nameOf(key: string): string {
  if (key.startsWith("'")) return key.slice(1, -1);
  if (!key.startsWith('"')) return key;
  try {
    return JSON.parse(key) as string;
  } catch {
    return key;
  }
}

function endOfValue(text: string, start: number): number {
  const string = endOfString(text, start);
  if (string > start) return string;
  if (text[start] === '[' || text[start] === '{') return endOfBrackets(text, start);
  const end = skip(PLAIN_VALUE, text, start);
  const length = text.slice(start, end).trimEnd().length;
  if (length === 0 || /^["']/.test(text.slice(start))) throw new TomlError(text, start);
  return start + length;
}

/** An array or inline table, with line breaks and comments. */
function endOfBrackets(text: string, start: number): number {
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const character = text[at]!;
    if (character === '"' || character === "'") {
      const end = endOfString(text, at);
      if (end === at) throw new TomlError(text, at);
      at = end;
      continue;
    }
    if (character === '#') {
      at = skip(COMMENT, text, at);
      continue;
    }
    at++;
    if (character === '[' || character === '{') depth++;
    if ((character === ']' || character === '}') && --depth === 0) return at;
  }
  throw new TomlError(text, start);
}

/** The end of a string that starts here; here if none starts. */
function endOfString(text: string, start: number): number {
  // Three quotes open a long string, not an empty string and a quote.
  const isLong = /^("""|''')/.test(text.slice(start, start + 3));
  const kinds = isLong ? STRINGS.slice(0, 2) : STRINGS.slice(2);
  return Math.max(...kinds.map((kind) => skip(kind, text, start)));
}

/** The start of the next line; a comment may come first. */
function endOfLine(text: string, start: number): number {
  const at = skip(COMMENT, text, skip(BLANKS, text, start));
  if (at >= text.length) return text.length;
  if (text[at] === '\n') return at + 1;
  if (text.startsWith('\r\n', at)) return at + 2;
  throw new TomlError(text, at);
}

/** The end of the match of a sticky pattern; the same place if it does not match. */
function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
