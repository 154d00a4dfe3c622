import { setImmediate as turn } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { GatewayError } from '../core/errors.ts';
import { bill } from '../core/money.ts';
import type { CallReader, DecidedCall } from '../core/ports.ts';
import { MAX_ID_LEAD_MS, recordIdBeginning, requestTime } from '../core/record-id.ts';
import type { UsageDetail } from '../core/records.ts';
import type { Decision } from '../core/route.ts';
import { type CallRow, readAttempts, readRecord } from './call-rows.ts';
import { BEHIND_ALL, SCANNED_CALLS, type Span } from './call-scan.ts';
import { readPrice } from './price-json.ts';
import { ReportTime } from './report-time.ts';
import type { Schema } from './schema.ts';
import { organizationIds } from './usage.ts';

/** How many decided calls are read in one turn of the event loop: each may be some KB. */
const BATCH = 100;
const REQUEST_ID = /^req_/;
/** Between a request's first byte and the record of its call lie its body, and the wait for a place; in ms. */
const OPENED_WITHIN = 3_600_000;

export type CallReaderParts = {
  db: Kysely<Schema>;
  catchUp(): Promise<void>;
  /** How long one call may be looked for, in ms; `null`: as long as it takes. */
  reportMs: number | null;
};

/** Single calls, whole, and those that followed a route, once the tables have caught up. */
export function createCallReader({ db, catchUp, reportMs }: CallReaderParts): CallReader {
  return {
    async find(organizationId, id) {
      await catchUp();
      const organizations = organizationId === null ? await organizationIds(db) : [organizationId];
      const call =
        (await callOf(db, organizations, id)) ?? (await callOfRequest(db, organizations, id, new ReportTime(reportMs)));
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
        ...(await billingOf(db, call)),
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

/** How a call was billed, by its price as it was kept. */
async function billingOf(
  db: Kysely<Schema>,
  call: CallRow,
): Promise<Pick<UsageDetail, 'priceInferredFrom' | 'unpriced'>> {
  const { price_version: id } = call;
  const row = await db.selectFrom('price_versions').selectAll().where('id', '=', id).executeTakeFirst();
  const price = row === undefined ? null : readPrice(row);
  const { usage, usageSource, cost } = readRecord(call);
  const isKnown = cost !== null || usageSource === 'none';
  return {
    priceInferredFrom: price?.inferredFrom ?? null,
    unpriced: isKnown ? [] : (bill(price, usage).unpriced ?? []),
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
  time: ReportTime,
): Promise<CallRow | undefined> {
  if (!REQUEST_ID.test(requestId)) return undefined;
  for (const span of spansOf(requestId)) {
    for (const organization of organizations) {
      const call = await lookFor(db, organization, { requestId, span, time });
      if (call !== undefined) return call;
    }
  }
  return undefined;
}

/** Where the record of a request can be: a call is opened soon after its request came, unless the clock was set back. */
function spansOf(requestId: string): Span[] {
  const time = requestTime(requestId);
  if (time === null) return [{ start: '', end: BEHIND_ALL }];
  const begin = recordIdBeginning(time);
  return [
    { start: begin, end: recordIdBeginning(time + OPENED_WITHIN) },
    { start: recordIdBeginning(time - MAX_ID_LEAD_MS), end: begin },
  ];
}

type LookFor = { requestId: string; span: Span; time: ReportTime };

/** Looks through settled calls from the oldest on. */
async function lookFor(
  db: Kysely<Schema>,
  organizationId: string,
  { requestId, span: { start, end }, time }: LookFor,
): Promise<CallRow | undefined> {
  const calls = db.selectFrom('calls').where('organization_id', '=', organizationId).where('id', '<', end);
  for (let from: string | null = start; from !== null; ) {
    if (time.isOver) throw tooMany();
    const begin: string = from;
    const ahead = calls.where('id', '>=', begin).orderBy('id');
    const { call, next }: { call: CallRow | undefined; next: string | null } = await time.step(async () => {
      const reached = await ahead.select('id').offset(SCANNED_CALLS).limit(1).executeTakeFirst();
      const part = reached === undefined ? ahead : ahead.where('id', '<', reached.id);
      const found = part.selectAll().where('request_id', '=', requestId).where('status', '<>', 'open');
      return { call: await found.limit(1).executeTakeFirst(), next: reached?.id ?? null };
    });
    if (call !== undefined) return call;
    from = next;
  }
  return undefined;
}

function tooMany(): GatewayError {
  return new GatewayError(
    'invalid_request',
    'The request was not found in the time that a report may take, and there are more records to look through. Ask by the id of its usage record.',
    { param: 'id' },
  );
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
