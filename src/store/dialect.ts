import {
  type Expression,
  expressionBuilder,
  type FunctionNode,
  type OperationNode,
  type RawBuilder,
  RawNode,
  sql,
} from 'kysely';
import type { Schema } from './schema.ts';

/**
 * What engines say differently, as functions that no engine has: the query compiler of each engine writes them in its own
 * words (`compiler.ts` in its folder). Statements outside an engine's folder use these, standard SQL and Kysely.
 */
const FUNCTIONS = [
  'headgate_texts',
  'headgate_unindexed',
  'headgate_member',
  'headgate_integer_member',
  'headgate_indexed_by',
  'headgate_audit_user',
  'headgate_line_break',
] as const;

export type DialectFunction = (typeof FUNCTIONS)[number];

/** A table in a statement that is written as text: each engine says where it is. */
export function table(name: keyof Schema): RawBuilder<unknown> {
  return sql.table(name);
}

/** Any number of texts to compare with (`in`). They are bound as one JSON array, since a statement binds a limited number. */
export function textsOf(values: Iterable<string>): Expression<string> {
  return call('headgate_texts', expressionBuilder().val(JSON.stringify([...values])));
}

/** A value that is compared without an index, because another one finds fewer rows. */
export function unindexed<Value>(value: Expression<Value>): Expression<Value> {
  return call('headgate_unindexed', value);
}

/** A text that a column of JSON has as a member; `null` if it has none. */
export function member(column: string, name: string): Expression<string> {
  return call('headgate_member', sql.ref(column), sql.raw(name));
}

/** The same of a whole number. */
export function integerMember(column: string, name: string): Expression<bigint> {
  return call('headgate_integer_member', sql.ref(column), sql.raw(name));
}

/** Behind the name of a table: the index that is to be used, where an engine must be told. */
export function indexedBy(index: string): Expression<unknown> {
  return call('headgate_indexed_by', sql.raw(index));
}

/** Who was signed in when an entry of the audit log was made, or whose key it was; `null` if nobody. */
export function auditUser(): Expression<string | null> {
  return call('headgate_audit_user', sql.ref('event'));
}

/** A line break, written as in the indexes that have one. */
export function lineBreak(): Expression<string> {
  return call('headgate_line_break', sql.lit(10));
}

function call<Value>(name: DialectFunction, ...values: Expression<unknown>[]): Expression<Value> {
  return expressionBuilder().fn<Value>(name, values);
}

/** The function of a node and what it is of; `null` if an engine has the function itself. */
export function dialectFunction(node: FunctionNode): { name: DialectFunction; of: OperationNode; word: string } | null {
  const name = FUNCTIONS.find((each) => each === node.func);
  if (name === undefined) return null;
  const [of, last = of] = node.arguments;
  return { name, of: of!, word: RawNode.is(last!) ? (last.sqlFragments[0] ?? '') : '' };
}
