import { setImmediate as turn } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { CallReader, DecidedCall } from '../core/ports.ts';
import { MAX_ID_LEAD_MS, recordIdBeginning, requestTime } from '../core/record-id.ts';
import type { Decision } from '../core/route.ts';
import { type CallRow, readAttempts, readRecord } from './call-rows.ts';
import type { Schema } from './schema.ts';
import { organizationIds, SCANNED_CALLS, type Span } from './usage.ts';

/** How many decided calls are read in one turn of the event loop: each may be some KB. */
const BATCH = 100;
const REQUEST_ID = /^req_/;
/** Between a request's first byte and the record of its call lie its body, and the wait for a place; in ms. */
const OPENED_WITHIN = 3_600_000;

/** Single calls, whole, and those that followed a route, once the tables have caught up. */
export function createCallReader(db: Kysely<Schema>, catchUp: () => Promise<void>): CallReader {
  return {
    async find(organizationId, id) {
      await catchUp();
      const organizations = organizationId === null ? await organizationIds(db) : [organizationId];
      const call = (await callOf(db, organizations, id)) ?? (await callOfRequest(db, organizations, id));
      if (call === undefined) return null;
      const earlier = db.selectFrom('earlier_attempts').selectAll().where('call_id', '=', call.id).orderBy('number');
      const decided = db
        .selectFrom('decisions')
        .select('json')
        .where('organization_id', '=', call.organization_id)
        .where('call_id', '=', call.id);
      const decision = await decided.executeTakeFirst();
      return {
        record: readRecord(call),
        attempts: readAttempts(call, await earlier.execute()),
        decision: decision === undefined ? null : readDecision(decision.json),
      };
    },

    async *decisions(routeId, from) {
      await catchUp();
      let after = { created_at: BigInt(from), number: -1n };
      for (;;) {
        const rows = await decidedAfter(db, routeId, after);
        const last = rows.at(-1);
        if (last === undefined) return;
        yield rows.map(readDecided);
        after = { created_at: last.created_at, number: last.number };
        await turn();
      }
    },
  };
}

function callOf(db: Kysely<Schema>, organizations: readonly string[], id: string): Promise<CallRow | undefined> {
  return db
    .selectFrom('calls')
    .selectAll()
    .where('organization_id', 'in', organizations)
    .where('id', '=', id)
    .where('status', '<>', 'open')
    .executeTakeFirst();
}

async function callOfRequest(
  db: Kysely<Schema>,
  organizations: readonly string[],
  requestId: string,
): Promise<CallRow | undefined> {
  if (!REQUEST_ID.test(requestId)) return undefined;
  for (const span of spansOf(requestId)) {
    for (const organization of organizations) {
      const call = await lookFor(db, organization, requestId, span);
      if (call !== undefined) return call;
    }
  }
  return undefined;
}

/** Where the record of a request can be: a call is opened soon after its request came, unless the clock was set back. */
function spansOf(requestId: string): Span[] {
  const time = requestTime(requestId);
  if (time === null) return [{ start: '', end: undefined }];
  const begin = recordIdBeginning(time);
  return [
    { start: begin, end: recordIdBeginning(time + OPENED_WITHIN) },
    { start: recordIdBeginning(time - MAX_ID_LEAD_MS), end: begin },
  ];
}

/** Looks through settled calls from the oldest on, as far in one turn of the event loop as `scan` does. */
async function lookFor(
  db: Kysely<Schema>,
  organizationId: string,
  requestId: string,
  { start, end }: Span,
): Promise<CallRow | undefined> {
  const all = db.selectFrom('calls').where('organization_id', '=', organizationId).orderBy('id');
  const calls = end === undefined ? all : all.where('id', '<', end);
  for (let from = start; ; await turn()) {
    const ahead = calls.where('id', '>=', from);
    const next = await ahead.select('id').offset(SCANNED_CALLS).limit(1).executeTakeFirst();
    const part = next === undefined ? ahead : ahead.where('id', '<', next.id);
    const found = part.selectAll().where('request_id', '=', requestId).where('status', '<>', 'open');
    const call = await found.limit(1).executeTakeFirst();
    if (call !== undefined || next === undefined) return call;
    from = next.id;
  }
}

type DecidedRow = CallRow & { number: bigint; json: string };

function decidedAfter(
  db: Kysely<Schema>,
  routeId: string,
  after: { created_at: bigint; number: bigint },
): Promise<DecidedRow[]> {
  return db
    .selectFrom('decisions')
    .innerJoin('calls', (join) =>
      join.onRef('calls.organization_id', '=', 'decisions.organization_id').onRef('calls.id', '=', 'decisions.call_id'),
    )
    .selectAll('calls')
    .select(['decisions.number', 'decisions.json'])
    .where('decisions.route_id', '=', routeId)
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple('decisions.created_at', 'decisions.number'), '>', tuple(after.created_at, after.number)),
    )
    .orderBy('decisions.created_at')
    .orderBy('decisions.number')
    .limit(BATCH)
    .execute();
}

function readDecided(row: DecidedRow): DecidedCall {
  return { record: readRecord(row), decision: readDecision(row.json) };
}

function readDecision(json: string): Decision {
  return JSON.parse(json) as Decision;
}
