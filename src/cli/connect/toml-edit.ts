import { lineEnd, type Splice, splice } from './splice.ts';
import { readToml, type TomlStatement, tomlStart } from './toml.ts';

/** Names and their new values, in TOML. */
export type TomlValues = Readonly<Record<string, string>>;

/** The reason why an edit is not possible, as the end of a sentence. */
export class TomlConflict extends Error {
  override readonly name = 'TomlConflict';
}

/**
 * Sets names outside of any table. Existing values are replaced in place; every other byte stays. Throws a `TomlError`
 * if the text is not TOML, and a `TomlConflict` if a name is a table.
 */
export function setTomlRoot(text: string, values: TomlValues): string {
  const statements = readToml(text);
  const taken = statements.find(
    (each) =>
      Object.hasOwn(values, each.path[0]!) &&
      (each.kind !== 'pair' || (each.path.length > 1 && isRoot(statements, each))),
  );
  if (taken !== undefined) throw new TomlConflict(`“${taken.path[0]}” is a table in it`);
  const root = statements.filter((each) => each.kind === 'pair' && isRoot(statements, each));
  const last = root.at(-1);
  const eol = lineEnd(text);
  const missing = missingLines(root, values, eol);
  const start = tomlStart(text);
  const place = last === undefined ? start : last.end;
  const gap = last === undefined && missing !== '' && text.length > start ? eol : '';
  return splice(text, [
    ...replacements(root, values),
    insertion(text, place, missing === '' ? '' : missing + gap, eol),
  ]);
}

/**
 * Sets names in one table and removes conflicting ones (`drop`). Everything else stays byte for byte. Throws a
 * `TomlError` if the text is not TOML, and a `TomlConflict` if the table's syntax does not allow added lines.
 */
export function setTomlTable(
  text: string,
  table: readonly string[],
  values: TomlValues,
  drop: readonly string[],
): string {
  const statements = readToml(text);
  refuseOtherForms(statements, table);
  const eol = lineEnd(text);
  const header = statements.findIndex((each) => each.kind === 'table' && isSame(each.path, table));
  if (header === -1) {
    const cleaned = splice(text, removals(statements, table, [...drop, ...Object.keys(values)]));
    const lines = `[${table.join('.')}]${eol}${missingLines([], values, eol)}`;
    const gap = cleaned.length > tomlStart(cleaned) ? eol : '';
    return splice(cleaned, [insertion(cleaned, cleaned.length, gap + lines, eol)]);
  }
  const own = bodyOf(statements, header);
  const kept = own.filter(({ path }) => path.length === 1);
  const place = (own.at(-1) ?? statements[header]!).end;
  return splice(text, [
    ...replacements(kept, values),
    ...own.filter(({ path }) => drop.includes(path[0]!)).map(removal),
    ...own.filter(({ path }) => path.length > 1 && Object.hasOwn(values, path[0]!)).map(removal),
    ...removals(statements, table, [...drop, ...Object.keys(values)]),
    insertion(text, place, missingLines(kept, values, eol), eol),
  ]);
}

/** The statements of the table with the header at this index. */
function bodyOf(statements: readonly TomlStatement[], header: number): TomlStatement[] {
  const behind = statements.slice(header + 1);
  const end = behind.findIndex(({ kind }) => kind !== 'pair');
  return end === -1 ? behind : behind.slice(0, end);
}

/** The tables below `table` with one of these names, and their contents. */
function removals(statements: readonly TomlStatement[], table: readonly string[], names: readonly string[]): Splice[] {
  return statements.flatMap((statement, index) => {
    const { kind, path } = statement;
    const isBelow = kind !== 'pair' && path.length > table.length && isSame(path.slice(0, table.length), table);
    if (!isBelow || !names.includes(path[table.length]!)) return [];
    return [removal({ start: statement.start, end: (bodyOf(statements, index).at(-1) ?? statement).end })];
  });
}

/** A table can also be written without a header. */
function refuseOtherForms(statements: readonly TomlStatement[], table: readonly string[]): void {
  let current: readonly string[] = [];
  for (const { kind, path } of statements) {
    if (kind !== 'pair') current = path;
    const whole = kind === 'pair' ? [...current, ...path] : path;
    const shared = Math.min(whole.length, table.length);
    if (!isSame(whole.slice(0, shared), table.slice(0, shared))) continue;
    const isOtherForm =
      kind === 'pair' ? current.length < table.length : kind === 'element' && path.length <= table.length;
    if (isOtherForm) {
      throw new TomlConflict(`“${table.join('.')}” is not written as a table [${table.join('.')}] in it`);
    }
  }
}

function replacements(pairs: readonly TomlStatement[], values: TomlValues): Splice[] {
  return pairs.flatMap(({ path, value }) => {
    const text = path.length === 1 && Object.hasOwn(values, path[0]!) ? values[path[0]!] : undefined;
    return text === undefined ? [] : [{ ...value, text }];
  });
}

function missingLines(pairs: readonly TomlStatement[], values: TomlValues, eol: string): string {
  const there = new Set(pairs.map(({ path }) => path.join('.')));
  const missing = Object.entries(values).filter(([name]) => !there.has(name));
  return missing.map(([name, value]) => `${name} = ${value}${eol}`).join('');
}

/** Starts on a new line: an unfinished last line is ended first. */
function insertion(text: string, at: number, lines: string, eol: string): Splice {
  const isInLine = lines !== '' && at > tomlStart(text) && text[at - 1] !== '\n';
  return { start: at, end: at, text: isInLine ? eol + lines : lines };
}

function removal({ start, end }: Pick<TomlStatement, 'start' | 'end'>): Splice {
  return { start, end, text: '' };
}

/** Whether a statement precedes all tables. */
function isRoot(statements: readonly TomlStatement[], statement: TomlStatement): boolean {
  const firstHeader = statements.find(({ kind }) => kind !== 'pair');
  return firstHeader === undefined || statement.start < firstHeader.start;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((part, index) => part === other[index]);
}
