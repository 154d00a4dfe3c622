import { type FunctionNode, SqliteQueryCompiler } from 'kysely';
import { type DialectFunction, dialectFunction } from '../dialect.ts';

/** What SQLite writes before and after the value of each function of `dialect.ts`. */
const WORDS: Readonly<Record<DialectFunction, (word: string) => readonly [before: string, after: string]>> = {
  headgate_texts: () => ['(select value from json_each(', '))'],
  headgate_unindexed: () => ['+(', ')'],
  headgate_member: memberNamed,
  headgate_integer_member: memberNamed,
  headgate_indexed_by: () => ['indexed by ', ''],
  // What is no JSON was changed by somebody: it may be kept, so that a check of the log finds it.
  headgate_audit_user: () => ['case when json_valid(event) then json_extract(', ", '$.actor.userId') end"],
  headgate_line_break: () => ['char(', ')'],
};

/** Must be written as in the indexes of the schema, or those are not used. */
function memberNamed(name: string): readonly [before: string, after: string] {
  return ['json_extract(', `, '$.${name}')`];
}

/** Writes statements in SQLite's words. */
export class SqliteCompiler extends SqliteQueryCompiler {
  protected override visitFunction(node: FunctionNode): void {
    const found = dialectFunction(node);
    if (found === null) return super.visitFunction(node);
    const [before, after] = WORDS[found.name](found.word);
    this.append(before);
    this.visitNode(found.of);
    this.append(after);
  }
}
