import { type FunctionNode, PostgresQueryCompiler, type SchemableIdentifierNode, ValueNode } from 'kysely';
import { type DialectFunction, dialectFunction } from '../dialect.ts';
import { storable } from '../journal/record-json.ts';
import { FIRST_SCHEMA, SCHEMA } from './schema/schema.ts';

/** Whatever is named as one of them is one: nothing in a statement is called like a table. */
const TABLES = new Set([...FIRST_SCHEMA.matchAll(/create (?:table|view) (\w+)/g)].map(([, name]) => name));

/** What Postgres writes before and after the value of each function of `dialect.ts`; `null`: nothing, and no value either. */
const WORDS: Readonly<Record<DialectFunction, ((word: string) => readonly [before: string, after: string]) | null>> = {
  headgate_texts: () => ['(select json_array_elements_text((', ')::json))'],
  headgate_unindexed: () => ['', ''],
  // Must be written as in the indexes of the schema, or those are not used.
  headgate_member: (name) => ['((', `)::json ->> '${name}')`],
  headgate_integer_member: (name) => ['((', `)::json ->> '${name}')::bigint`],
  headgate_indexed_by: null,
  headgate_audit_user: () => ['((', ")::json #>> '{actor,userId}')"],
  headgate_line_break: () => ['chr(', ')'],
};

/** Writes statements in Postgres's words. Tables are named with their schema: through a transaction pooler there is no search path. */
export class PostgresCompiler extends PostgresQueryCompiler {
  protected override visitFunction(node: FunctionNode): void {
    const found = dialectFunction(node);
    if (found === null) return super.visitFunction(node);
    const words = WORDS[found.name];
    if (words === null) return;
    const [before, after] = words(found.word);
    this.append(before);
    this.visitNode(found.name === 'headgate_texts' && ValueNode.is(found.of) ? withStorable(found.of) : found.of);
    this.append(after);
  }

  protected override visitSchemableIdentifier(node: SchemableIdentifierNode): void {
    if (node.schema === undefined && TABLES.has(node.identifier.name)) this.append(`${SCHEMA}.`);
    super.visitSchemableIdentifier(node);
  }
}

/** Postgres refuses JSON with texts that it could not store. */
function withStorable({ value }: ValueNode): ValueNode {
  return ValueNode.create(storable(value as string));
}
