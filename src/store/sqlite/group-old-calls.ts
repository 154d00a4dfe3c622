import type { DatabaseSync } from 'node:sqlite';
import type { CallStatus, Source } from '../../core/records.ts';
import { CallGroups } from './call-groups.ts';

/** How many calls one transaction puts into their groups. */
const BATCH = 200;

type UngroupedCall = {
  id: string;
  key_id: string;
  source: Source;
  product: string | null;
  tool_name: string | null;
  model: string;
  requested_model: string;
  status: 'open' | CallStatus;
};

/** Whether calls of before groups are still in none. */
export function hasUngrouped(database: DatabaseSync): boolean {
  return database.prepare('select 1 from ungrouped_calls limit 1').get() !== undefined;
}

/**
 * Makes the step that puts a batch of calls of before groups into them, newest first, and tells how many there were; `null`
 * once all are. A step that failed has done nothing, so whoever begins again goes on where the last step ended.
 */
export function createOldCallGrouping(database: DatabaseSync): () => number | null {
  const groups = new CallGroups(database);
  const next = database.prepare('select organization_id as organization, up_to as upTo from ungrouped_calls limit 1');
  const batch = database.prepare(
    `select id, key_id, source, product, tool_name, model, requested_model, status from calls
     where organization_id = ? and id <= ? order by id desc limit ${BATCH + 1}`,
  );
  const advance = database.prepare('update ungrouped_calls set up_to = ? where organization_id = ?');
  const finish = database.prepare('delete from ungrouped_calls where organization_id = ?');

  return () => {
    database.exec('begin immediate');
    try {
      const found = next.get() as { organization: string; upTo: string } | undefined;
      const calls = found === undefined ? [] : (batch.all(found.organization, found.upTo) as UngroupedCall[]);
      for (const call of calls.slice(0, BATCH)) {
        // An open call is put into its group once it is settled.
        if (call.status !== 'open')
          groups.put(groups.numberOf(grouped(call, call.status, found!.organization)), call.id);
      }
      groups.finish();
      const rest = calls.at(BATCH);
      if (found !== undefined && rest !== undefined) advance.run(rest.id, found.organization);
      else if (found !== undefined) finish.run(found.organization);
      database.exec('commit');
      return found === undefined ? null : Math.min(calls.length, BATCH);
    } catch (error) {
      groups.rolledBack();
      if (database.isTransaction) database.exec('rollback');
      throw error;
    }
  };
}

function grouped(row: UngroupedCall, status: CallStatus, organizationId: string) {
  return {
    organizationId,
    keyId: row.key_id,
    source: row.source,
    product: row.product,
    tool: row.tool_name,
    model: row.model,
    requestedModel: row.requested_model,
    status,
  };
}
