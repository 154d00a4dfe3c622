import type { CompiledQuery, OperationNode } from 'kysely';
import type { Schema } from './schema.ts';

/** The counters that processes poll to learn of each other's changes. */
export type ChangeCounter = 'changes' | 'route_changes';

/**
 * The tables whose changes are counted, by every engine and in the change's own transaction. The rule is here, and not where
 * statements are made, so that no writer can forget it.
 */
const COUNTED: { readonly [Table in keyof Schema]?: ChangeCounter } = {
  organizations: 'changes',
  api_keys: 'changes',
  settings: 'changes',
  routes: 'route_changes',
  live_route_models: 'route_changes',
};

/** The counter that a statement moves if it changes a row; `null` for most. */
export function counterOf({ query, sql }: CompiledQuery): ChangeCounter | null {
  switch (query.kind) {
    case 'InsertQueryNode':
      return COUNTED[tableOf(query.into) as keyof Schema] ?? null;
    case 'UpdateQueryNode':
      return COUNTED[tableOf(query.table) as keyof Schema] ?? null;
    case 'DeleteQueryNode': {
      const table = tableOf(query.from.froms[0]);
      // Of sessions only the end matters: whoever was let in by one is checked again.
      return table === 'sessions' ? 'changes' : (COUNTED[table as keyof Schema] ?? null);
    }
    case 'RawNode':
      if (!isRead(sql)) throw new Error('A raw statement may only read.');
      return null;
    default:
      return null;
  }
}

/** A `with` may begin a statement that writes, so such words are looked for anywhere but in text; `replace(` is a function. */
function isRead(sql: string): boolean {
  const withoutText = sql.replace(/'[^']*'|"[^"]*"/g, "''");
  return (
    /^\s*(?:select|with)\b/i.test(withoutText) && !/\b(?:insert|update|delete|replace(?!\s*\())\b/i.test(withoutText)
  );
}

function tableOf(node: OperationNode | undefined): string | null {
  const { table } = (node ?? {}) as { table?: { identifier?: { name?: string } } };
  return table?.identifier?.name ?? null;
}
