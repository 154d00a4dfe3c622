import type { UsageQuery } from '../core/records.ts';
import type { Filter } from './call-scan.ts';

/** What a query asks for that groups tell: any of some columns is to be a value. */
type AskedColumns = {
  columns: readonly ('model' | 'requested_model' | 'source' | 'product' | 'tool_name' | 'key_id' | 'status')[];
  value: string;
};

/** What is asked for, without how much of it. */
type AskedOf = Omit<UsageQuery, 'limit'>;

/** What a query asks for that groups tell. */
export function conditionsOf({ model, source, product, tool, keyId, status }: AskedOf): AskedColumns[] {
  const wanted: [AskedColumns['columns'], string | undefined][] = [
    [['model', 'requested_model'], model],
    [['source'], source],
    [['product'], product],
    [['tool_name'], tool],
    [['key_id'], keyId],
    [['status'], status],
  ];
  return wanted.flatMap(([columns, value]) => (value === undefined ? [] : [{ columns, value }]));
}

/** Whether a query asks for something that groups tell. */
export function isGrouped(query: AskedOf): boolean {
  return query.projectId !== undefined || conditionsOf(query).length > 0;
}

/** What is asked for beside times, of calls. */
export function filterOf(query: AskedOf): Filter {
  const conditions = conditionsOf(query);
  const { projectId } = query;
  return (call) => {
    const wanted = conditions.map(({ columns, value }) => call.or(columns.map((column) => call(column, '=', value))));
    if (projectId === undefined) return call.and(wanted);
    const key = call.selectFrom('api_keys').select('id').whereRef('api_keys.id', '=', 'calls.key_id');
    return call.and([...wanted, call.exists(key.where('project_id', '=', projectId))]);
  };
}

/** All that is asked of calls, beside whose they are; `null` where nothing is. */
export function filterOfCalls(query: Omit<UsageQuery, 'limit'>): Filter | null {
  const { from, until } = query;
  const wanted: Filter[] = isGrouped(query) ? [filterOf(query)] : [];
  if (from !== undefined) wanted.push((call) => call('created_at', '>=', BigInt(from)));
  if (until !== undefined) wanted.push((call) => call('created_at', '<', BigInt(until)));
  return wanted.length === 0 ? null : (call) => call.and(wanted.map((each) => each(call)));
}
