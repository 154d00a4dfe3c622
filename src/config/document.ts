import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  stringify,
  type YAMLError,
} from 'yaml';
import type { Path } from './problems.ts';

/** Limits of a file: bytes, values (each use of an anchor counts again) and nesting levels. */
export const MAX_FILE_BYTES = 1024 ** 2;
export const MAX_VALUES = 100_000;
export const MAX_DEPTH = 20;

/** One YAML mistake causes others further down, so only the first faults are reported. */
const MAX_FAULTS = 10;

export type FilePosition = { line: number; column: number };

const START: FilePosition = { line: 1, column: 1 };

/** A file as plain values, with the position of each. */
export type ConfigDocument = {
  tree: unknown;
  /** The position of a setting or list item; for a missing one, the position of its parent. */
  place(path: Path): FilePosition;
  /** The line of the value at this path; `null` without a value. */
  lineOf(path: Path): number | null;
};

/** A fault that makes the file unreadable. */
export type FileFault = FilePosition & { path: Path; message: string };

/**
 * Parses YAML 1.2 into plain values. Never throws; returns the faults instead. The tree has no cycles and no shared
 * parts: anchors are copied where they are used, within `MAX_VALUES` and `MAX_DEPTH`.
 */
export function readDocument(text: string): ConfigDocument | { faults: FileFault[] } {
  if (Buffer.byteLength(text) > MAX_FILE_BYTES) {
    return { faults: [{ ...START, path: [], message: 'the file is larger than 1 MB' }] };
  }
  const lines = new LineCounter();
  // The parser's check for duplicate keys takes quadratic time; `entries` checks them in one pass.
  const options = { lineCounter: lines, prettyErrors: false, stringKeys: true, uniqueKeys: false };
  const document = parseDocument(text, options);
  const placeAt = (offset: number): FilePosition => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const faults = syntaxFaults([...document.errors, ...document.warnings]);
  if (faults.length > 0) {
    const placed = faults.map(({ offset, message }) => ({ ...placeAt(offset), path: [], message }));
    return { faults: withBareReferences(placed, text) };
  }
  try {
    const { tree, places } = plainValues(document.contents, placeAt);
    return {
      tree,
      place: (path) => nearestPlace(places, path),
      lineOf: (path) => places.get(JSON.stringify(path))?.line ?? null,
    };
  } catch (error) {
    if (error instanceof DocumentRefusal) return { faults: [error.fault] };
    throw error;
  }
}

/** Throws a `Refusal` at the first unsupported value. Positions are keyed by the JSON of the path. */
function plainValues(root: Node | null, placeAt: (offset: number) => FilePosition) {
  const places = new Map<string, FilePosition>();
  const anchors = new Map<string, Node>();
  let values = 0;

  const refuse = (path: Path, offset: number, message: string): never => {
    throw new DocumentRefusal({ ...placeAt(offset), path, message });
  };

  const visit = (node: Node | null, path: Path, offset: number): unknown => {
    places.set(JSON.stringify(path), placeAt(offset));
    values += 1;
    if (values > MAX_VALUES) refuse([], offset, `the file has more than ${MAX_VALUES} values, with anchors copied out`);
    if (path.length > MAX_DEPTH) refuse(path, offset, `is nested more than ${MAX_DEPTH} levels deep`);
    if (isAlias(node)) {
      const target = anchors.get(node.source);
      if (target === undefined) return refuse(path, offset, 'refers to an anchor that is not defined before it');
      return visit(target, path, offset);
    }
    if (node?.anchor !== undefined) anchors.set(node.anchor, node);
    if (isMap<Node, Node>(node)) return entries(node.items, path, offset);
    if (isSeq<Node>(node)) {
      return node.items.map((item, index) => visit(item, [...path, index], item.range?.[0] ?? offset));
    }
    const value = isScalar(node) ? node.value : null;
    const isPlain = value === null || ['string', 'number', 'boolean'].includes(typeof value);
    return isPlain ? value : refuse(path, offset, 'must be text, a number, true or false');
  };

  const entries = (pairs: readonly Pair<Node, Node | null>[], path: Path, around: number): unknown => {
    const map = new Map<string, unknown>();
    for (const { key, value } of pairs) {
      const offset = key.range?.[0] ?? around;
      const name = isScalar(key) ? String(key.value) : '';
      if (name === '' || name === '__proto__') refuse(path, offset, 'has a key that is not allowed');
      if (map.has(name)) refuse([...path, name], offset, 'is a duplicate key');
      map.set(name, visit(value, [...path, name], offset));
    }
    return Object.fromEntries(map);
  };

  return { tree: visit(root, [], 0), places };
}

class DocumentRefusal extends Error {
  readonly fault: FileFault;

  constructor(fault: FileFault) {
    super(fault.message);
    this.fault = fault;
  }
}

function nearestPlace(places: ReadonlyMap<string, FilePosition>, path: Path): FilePosition {
  const place = places.get(JSON.stringify(path));
  if (place !== undefined) return place;
  return path.length === 0 ? START : nearestPlace(places, path.slice(0, -1));
}

/** The parser's errors. Excessive nesting fails once per level, and is reported as one fault. */
function syntaxFaults(errors: readonly YAMLError[]): { offset: number; message: string }[] {
  const exhausted = errors.find((error) => error.code === 'RESOURCE_EXHAUSTION');
  const told = exhausted === undefined ? errors.slice(0, MAX_FAULTS) : [exhausted];
  return told.map((error) => ({ offset: error.pos[0], message: syntaxSentence(error) }));
}

/** `${NAME}` where YAML reads its braces: behind a brace, bracket or comma, without quotes around it. */
const BARE_REFERENCE = /[{[,][^"'#]*?(\$\{[A-Za-z_][A-Za-z0-9_]*\})/;
const QUOTES_NEEDED = `\${NAME} must be in quotes within braces or brackets: { api_key: "\${NAME}" }`;

/** A reference without quotes within braces makes several faults of YAML, of which none names it: they become one that does. */
function withBareReferences(faults: readonly FileFault[], text: string): FileFault[] {
  const lines = text.split('\n');
  const told = new Map<number, FileFault>();
  const others: FileFault[] = [];
  for (const fault of faults) {
    const bare = BARE_REFERENCE.exec(lines[fault.line - 1] ?? '');
    if (bare === null) others.push(fault);
    else
      told.set(fault.line, {
        ...fault,
        column: bare.index + bare[0].length - bare[1]!.length + 1,
        message: QUOTES_NEEDED,
      });
  }
  // What follows may be a fault of YAML for that alone.
  return told.size > 0 ? [...told.values()] : others;
}

/** The parser's message, unless it quotes the file: a quote may contain a secret. */
function syntaxSentence(error: YAMLError): string {
  switch (error.code) {
    case 'MULTIPLE_DOCS':
      return 'a second document begins here; the file may hold only one';
    case 'RESOURCE_EXHAUSTION':
      return 'is nested too deep';
    case 'NON_STRING_KEY':
      return 'a key must be plain text';
    case 'UNEXPECTED_TOKEN':
    case 'BAD_SCALAR_START':
    case 'BAD_DQ_ESCAPE':
      return 'this is not valid YAML';
    default:
      return `this is not valid YAML: ${error.message}`;
  }
}

/** Writes plain values as YAML, with each string on one line. */
export function writeDocument(value: unknown): string {
  return stringify(value, { lineWidth: 0 });
}
