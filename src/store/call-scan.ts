import type { Expression, ExpressionBuilder, Kysely, SqlBool } from 'kysely';
import type { CallRow } from './call-rows.ts';
import type { ReportTime } from './report-time.ts';
import type { Schema } from './schema.ts';

/** How many calls one step of a scan looks through. */
export const SCANNED_CALLS = 1_000;

/** What is asked of calls, beside whose they are. */
export type Filter = (call: ExpressionBuilder<Schema, 'calls'>) => Expression<SqlBool>;
/** Where to look: ids from `start` on, up to and without `end`. */
export type Span = { start: string; end: string };

/** Comes behind every id. */
export const BEHIND_ALL = '~';

/** The newest calls, as far as they were found in time. */
export type FoundCalls = { rows: CallRow[]; isCutShort: boolean };

export type Scan = { filter: Filter; span: Span; limit: number; time: ReportTime };

/** Looks through one organization's settled calls, from the newest on, for at most so many that the filter lets through. */
export async function scan(
  db: Kysely<Schema>,
  organizationId: string,
  { filter, span: { start, end }, limit, time }: Scan,
): Promise<FoundCalls> {
  const calls = db.selectFrom('calls').where('organization_id', '=', organizationId).orderBy('id', 'desc');
  const rows: CallRow[] = [];
  for (let before = end; before > start; ) {
    if (time.isOver) return { rows, isCutShort: true };
    const last = await time.step(async () => {
      const ahead = calls.where('id', '>=', start).where('id', '<', before);
      const reached = await ahead
        .select('id')
        .offset(SCANNED_CALLS - 1)
        .limit(1)
        .executeTakeFirst();
      const part = calls
        .selectAll()
        .where('id', '>=', reached?.id ?? start)
        .where('id', '<', before);
      rows.push(
        ...(await part
          .where('status', '<>', 'open')
          .where(filter)
          .limit(limit - rows.length)
          .execute()),
      );
      return reached?.id ?? null;
    });
    if (last === null || rows.length === limit) break;
    before = last;
  }
  return { rows, isCutShort: false };
}
