import { applyEdits, type Edit, type Node, type ParseError, parseTree, stripComments } from 'jsonc-parser';
import { lineEnd } from './splice.ts';

/** The reason why an edit is not possible, as the end of a sentence. */
export class JsonConflict extends Error {
  override readonly name = 'JsonConflict';
}

const USUAL_INDENT = '  ';

/**
 * Sets the member at a path and creates the objects on the way. Everything else stays byte for byte, with comments,
 * order and blanks. (`modify` of jsonc-parser would reformat neighbouring lines, misplace comments, and change the
 * first of duplicate names, although readers use the last.) Throws a `JsonConflict` if the text is not JSON (comments
 * and trailing commas are allowed), or if the path leads through a value that is not an object.
 */
export function setJsonMember(text: string, path: readonly string[], value: unknown): string {
  let inner: Node = rootOf(text);
  for (const [depth, name] of path.entries()) {
    if (inner.type !== 'object') throw new JsonConflict(`“${path.slice(0, depth).join('.')}” is not an object in it`);
    const member = memberOf(inner, name);
    if (member === undefined) {
      const added = path.slice(depth + 1).reduceRight((inside, each) => ({ [each]: inside }), value);
      return applyEdits(
        text,
        addMember(text, inner, depth, `${JSON.stringify(name)}: ${written(added, text, depth + 1)}`),
      );
    }
    if (depth === path.length - 1) {
      const { offset, length } = member;
      return applyEdits(text, [{ offset, length, content: written(value, text, depth + 1) }]);
    }
    inner = member;
  }
  throw new Error('A path has at least one name.');
}

function rootOf(text: string): Node {
  const errors: ParseError[] = [];
  const withoutByteOrderMark = text.replace(/^\uFEFF/, ' ');
  const root = parseTree(withoutByteOrderMark, errors, { allowTrailingComma: true });
  if (root === undefined || errors.length > 0) throw new JsonConflict('it is not JSON');
  if (root.type !== 'object') throw new JsonConflict('it is not a JSON object');
  return root;
}

function memberOf({ children = [] }: Node, name: string): Node | undefined {
  return children.findLast((property) => property.children?.[0]?.value === name)?.children?.[1];
}

/** On its own line after the last member or comment of the object. */
function addMember(text: string, object: Node, depth: number, member: string): Edit[] {
  const indent = indentOf(text);
  const start = object.offset + 1;
  const close = object.offset + object.length - 1;
  const place = start + text.slice(start, close).trimEnd().length;
  const closesOnItsOwnLine = text.slice(place, close).includes('\n');
  const line: Edit = {
    offset: place,
    length: closesOnItsOwnLine ? 0 : close - place,
    content:
      lineEnd(text) +
      indent.repeat(depth + 1) +
      member +
      (closesOnItsOwnLine ? '' : lineEnd(text) + indent.repeat(depth)),
  };
  const last = object.children?.at(-1);
  if (last === undefined) return [line];
  const end = last.offset + last.length;
  const hasComma = stripComments(text.slice(end, close)).includes(',');
  return hasComma ? [line] : [{ offset: end, length: 0, content: ',' }, line];
}

/** A value formatted for `depth` levels of nesting in this text. */
function written(value: unknown, text: string, depth: number): string {
  const indent = indentOf(text);
  return JSON.stringify(value, null, indent).replaceAll('\n', lineEnd(text) + indent.repeat(depth));
}

/** The indentation of the first indented line. */
function indentOf(text: string): string {
  return /^([ \t]+)"/m.exec(text)?.[1] ?? USUAL_INDENT;
}
