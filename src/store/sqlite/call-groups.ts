import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { GroupedCall } from '../usage-groups.ts';

/** How many rows one statement inserts. */
const ROWS = 32;

/** Puts calls into their groups. `numberOf`, `put` and `finish` belong inside one transaction. */
export class CallGroups {
  readonly #insertGroup: StatementSync;
  readonly #findGroup: StatementSync;
  readonly #insertCall: StatementSync;
  readonly #insertCalls: StatementSync;
  #calls: (readonly [group: number, id: string])[] = [];

  constructor(database: DatabaseSync) {
    this.#insertGroup = database.prepare(
      `insert into call_groups (organization_id, key_id, source, product, tool_name, model, requested_model, status)
       values (?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing`,
    );
    this.#findGroup = database.prepare(
      `select number from call_groups where organization_id = ? and key_id = ? and source = ? and product = ?
       and tool_name = ? and model = ? and requested_model = ? and status = ?`,
    );
    const insert = (rows: number) =>
      database.prepare(
        `insert into grouped_calls (group_number, call_id) values ${Array(rows).fill('(?, ?)')} on conflict do nothing`,
      );
    this.#insertCall = insert(1);
    this.#insertCalls = insert(ROWS);
  }

  /** The number of a group, which is made where there is none. */
  numberOf(call: GroupedCall): number {
    const { organizationId, keyId, source, product, tool, model, requestedModel, status } = call;
    const values = [organizationId, keyId, source, product ?? '', tool ?? '', model, requestedModel, status];
    const found = this.#findGroup.get(...values);
    if (found !== undefined) return Number(found.number);
    return Number(this.#insertGroup.run(...values).lastInsertRowid);
  }

  /** Notes that a call is in a group; it is written in `finish`. */
  put(group: number, id: string): void {
    this.#calls.push([group, id]);
  }

  /** Writes what was put, group by group: neighbours in the table are written one after the other. */
  finish(): void {
    const calls = this.#calls;
    if (calls.length === 0) return;
    this.#calls = [];
    calls.sort(([one], [other]) => one - other);
    let at = 0;
    for (; at + ROWS <= calls.length; at += ROWS) this.#insertCalls.run(...calls.slice(at, at + ROWS).flat());
    for (; at < calls.length; at += 1) this.#insertCall.run(...calls[at]!);
  }

  rolledBack(): void {
    this.#calls = [];
  }
}
