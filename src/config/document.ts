import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  type YAMLError,
} from 'yaml';
import type { Path } from './problems.ts';

/** Bytes of a file, values in it (each use of an anchor counts anew), and levels: more is refused. */
export const MAX_FILE_BYTES = 1024 ** 2;
export const MAX_VALUES = 100_000;
export const MAX_DEPTH = 20;

/** Broken YAML breaks again further down: this many faults are told. */
const MAX_FAULTS = 10;

export type Place = { line: number; column: number };

/** A file as plain maps, lists, strings, numbers, booleans and nulls, and where each of them stands. */
export type ConfigDocument = {
  tree: unknown;
  /** The key of a setting, the item of a list; of what is not there, the nearest thing around it. */
  place(path: Path): Place;
};

/** Something that cannot be read at all. */
export type Fault = Place & { path: Path; message: string };

/**
 * Reads YAML 1.2 into plain values. Never throws: gives the faults instead. The tree holds no cycle and no shared
 * part, because anchors are copied where they are used, which `MAX_VALUES` and `MAX_DEPTH` bound.
 */
export function readDocument(text: string): ConfigDocument | { faults: Fault[] } {
  const start = { line: 1, column: 1 };
  if (Buffer.byteLength(text) > MAX_FILE_BYTES) {
    return { faults: [{ ...start, path: [], message: 'the file is larger than 1 MB' }] };
  }
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, stringKeys: true });
  const placeAt = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const faults = syntaxFaults([...document.errors, ...document.warnings]);
  if (faults.length > 0)
    return { faults: faults.map(({ offset, message }) => ({ ...placeAt(offset), path: [], message })) };

  const places = new Map<string, Place>();
  const anchors = new Map<string, Node>();
  let values = 0;

  const visit = (node: Node | null, path: Path, offset: number): unknown => {
    const refuse = (message: string): never => {
      throw new Refusal({ ...placeAt(offset), path, message });
    };
    places.set(JSON.stringify(path), placeAt(offset));
    values += 1;
    if (values > MAX_VALUES)
      refuse(`the file has more than ${MAX_VALUES} values, anchors counted wherever they are used`);
    if (path.length > MAX_DEPTH) refuse(`is nested more than ${MAX_DEPTH} levels deep`);
    if (isAlias(node)) {
      const target = anchors.get(node.source);
      return target === undefined ? refuse('names an anchor that is not set before it') : visit(target, path, offset);
    }
    if (node?.anchor !== undefined) anchors.set(node.anchor, node);
    if (isSeq<Node>(node))
      return node.items.map((item, index) => visit(item, [...path, index], item.range?.[0] ?? offset));
    if (isMap<Node, Node>(node)) return Object.fromEntries(node.items.map((pair) => entry(pair, path, offset)));
    const value = isScalar(node) ? node.value : null;
    const isPlain = value === null || ['string', 'number', 'boolean'].includes(typeof value);
    return isPlain ? value : refuse('must be text, a number, true or false');
  };

  const entry = ({ key, value }: Pair<Node, Node>, path: Path, around: number): [string, unknown] => {
    const offset = key.range?.[0] ?? around;
    const name = isScalar(key) ? String(key.value) : '';
    const at = [...path, name];
    if (name === '' || name === '__proto__') {
      throw new Refusal({ ...placeAt(offset), path, message: 'has a key that is not a usable name' });
    }
    return [name, visit(value, at, offset)];
  };

  try {
    const tree = visit(document.contents, [], 0);
    return { tree, place: (path) => nearestPlace(places, path) ?? start };
  } catch (error) {
    if (error instanceof Refusal) return { faults: [error.fault] };
    throw error;
  }
}

class Refusal extends Error {
  readonly fault: Fault;

  constructor(fault: Fault) {
    super(fault.message);
    this.fault = fault;
  }
}

function nearestPlace(places: ReadonlyMap<string, Place>, path: Path): Place | undefined {
  const steps = path.map((_, index) => path.slice(0, path.length - index));
  return steps.map((each) => places.get(JSON.stringify(each))).find((place) => place !== undefined);
}

/** What the parser found. A file that is nested too deep fails once on each level, which is one fault. */
function syntaxFaults(errors: readonly YAMLError[]): { offset: number; message: string }[] {
  const exhausted = errors.find((error) => error.code === 'RESOURCE_EXHAUSTION');
  const told = exhausted === undefined ? errors.slice(0, MAX_FAULTS) : [exhausted];
  return told.map((error) => ({ offset: error.pos[0], message: syntaxSentence(error) }));
}

/** The parser's words, but for those that quote the file: what they quote may be a secret. */
function syntaxSentence(error: YAMLError): string {
  switch (error.code) {
    case 'DUPLICATE_KEY':
      return 'this key stands twice in the same map';
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
