import { type Expression, expressionBuilder, type FunctionNode, type OperationNode, sql } from 'kysely';

/**
 * What engines say differently, as functions that no engine has: the query compiler of each engine writes them in its own
 * words (`sqlite/compiler.ts`). Statements outside an engine's folder use these, standard SQL and Kysely.
 */
const FUNCTIONS = ['headgate_texts', 'headgate_unindexed'] as const;

export type DialectFunction = (typeof FUNCTIONS)[number];

/** Any number of texts to compare with (`in`). They are bound as one JSON array, since a statement binds a limited number. */
export function textsOf(values: Iterable<string>): Expression<string> {
  const { fn, val } = expressionBuilder();
  return fn<string>('headgate_texts' satisfies DialectFunction, [val(JSON.stringify([...values]))]);
}

/** A column that is compared without an index, because another one finds fewer rows. */
export function unindexed(column: string): Expression<string> {
  return expressionBuilder().fn<string>('headgate_unindexed' satisfies DialectFunction, [sql.ref(column)]);
}

/** The function of a node and its only argument; `null` if an engine has the function itself. */
export function dialectFunction(node: FunctionNode): { name: DialectFunction; argument: OperationNode } | null {
  const name = FUNCTIONS.find((each) => each === node.func);
  return name === undefined ? null : { name, argument: node.arguments[0]! };
}
