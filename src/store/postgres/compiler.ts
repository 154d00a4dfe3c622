import { type FunctionNode, PostgresQueryCompiler } from 'kysely';
import { type DialectFunction, dialectFunction } from '../dialect.ts';

/** What Postgres writes before and after the argument of each function of `dialect.ts`. */
const WORDS: Readonly<Record<DialectFunction, readonly [before: string, after: string]>> = {
  headgate_texts: ['(select json_array_elements_text((', ')::json))'],
  headgate_unindexed: ['(', " || '')"],
};

/** Writes statements in Postgres's words. */
export class PostgresCompiler extends PostgresQueryCompiler {
  protected override visitFunction(node: FunctionNode): void {
    const found = dialectFunction(node);
    if (found === null) return super.visitFunction(node);
    const [before, after] = WORDS[found.name];
    this.append(before);
    this.visitNode(found.argument);
    this.append(after);
  }
}
