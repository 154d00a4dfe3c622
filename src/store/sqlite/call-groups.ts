import type { DatabaseSync } from 'node:sqlite';
import type { Intent } from '../../core/records.ts';

/** How many groups are remembered by their number; past it all are forgotten, and looked up again. */
const MAX_REMEMBERED = 20_000;

/** What a call is grouped by. */
type Grouped = Pick<
  Intent,
  'id' | 'organizationId' | 'keyId' | 'source' | 'product' | 'tool' | 'model' | 'requestedModel'
>;

/** Puts calls into their groups. `add` belongs inside a transaction, and `committed` or `rolledBack` right after it. */
export type CallGroups = { add(call: Grouped): void; committed(): void; rolledBack(): void };

/** /!\ Hot path: one row a call, beside the call itself. */
export function createCallGroups(database: DatabaseSync): CallGroups {
  const insertGroup = database.prepare(
    `insert into call_groups (organization_id, key_id, source, product, tool_name, model, requested_model)
     values (?, ?, ?, ?, ?, ?, ?) on conflict do nothing`,
  );
  const findGroup = database.prepare(
    `select number from call_groups where organization_id = ? and key_id = ? and source = ? and product = ?
     and tool_name = ? and model = ? and requested_model = ?`,
  );
  const insertCall = database.prepare('insert into grouped_calls values (?, ?) on conflict do nothing');
  const numbers = new Map<string, number>();
  let uncommitted: string[] = [];

  function numberOf({ organizationId, keyId, source, product, tool, model, requestedModel }: Grouped): number {
    const values = [organizationId, keyId, source, product ?? '', tool?.name ?? '', model, requestedModel];
    const name = JSON.stringify(values);
    const known = numbers.get(name);
    if (known !== undefined) return known;
    insertGroup.run(...values);
    const number = Number(findGroup.get(...values)!.number);
    if (numbers.size >= MAX_REMEMBERED) numbers.clear();
    numbers.set(name, number);
    uncommitted.push(name);
    return number;
  }

  return {
    add(call) {
      insertCall.run(numberOf(call), call.id);
    },
    committed() {
      if (uncommitted.length > 0) uncommitted = [];
    },
    rolledBack() {
      for (const name of uncommitted) numbers.delete(name);
      uncommitted = [];
    },
  };
}
