import { type FunctionNode, SqliteQueryCompiler } from 'kysely';
import { type DialectFunction, dialectFunction } from '../dialect.ts';

/** What SQLite writes before and after the argument of each function of `dialect.ts`. */
const WORDS: Readonly<Record<DialectFunction, readonly [before: string, after: string]>> = {
  headgate_texts: ['(select value from json_each(', '))'],
  headgate_unindexed: ['+', ''],
};

/** Writes statements in SQLite's words. */
export class SqliteCompiler extends SqliteQueryCompiler {
  protected override visitFunction(node: FunctionNode): void {
    const found = dialectFunction(node);
    if (found === null) return super.visitFunction(node);
    const [before, after] = WORDS[found.name];
    this.append(before);
    this.visitNode(found.argument);
    this.append(after);
  }
}
