import { setImmediate as turn } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { GatewayError } from '../core/errors.ts';
import { bill, PRODUCT_PRICE, type Price } from '../core/money.ts';
import type { CallReader } from '../core/ports.ts';
import { MAX_ID_LEAD_MS, recordIdBeginning, requestTime } from '../core/record-id.ts';
import type { CallsOf, DecidedCall, UsageDetail } from '../core/records.ts';
import type { Decision } from '../core/route.ts';
import { type CallRow, readAttempts, readRecord } from './call-rows.ts';
import { BEHIND_ALL, SCANNED_CALLS, type Span } from './call-scan.ts';
import { keyNamesOf, organizationIds } from './names.ts';
import { type LineItemJson, readLineItems, readPrice } from './price-json.ts';
import { ReportTime } from './report-time.ts';
import type { Schema } from './schema.ts';

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
    async find(organizationId, id, of = {}) {
      await catchUp();
      const organizations = organizationId === null ? await organizationIds(db) : [organizationId];
      const call =
        (await callOf(db, organizations, id)) ?? (await callOfRequest(db, organizations, id, new ReportTime(reportMs)));
      return call === undefined || !(await isOf(db, call, of)) ? null : (await detailsOf(db, [call]))[0]!;
    },

    async findAll(organizationId, ids) {
      if (ids.length === 0) return [];
      const settled = db.selectFrom('calls').selectAll().where('status', '<>', 'open');
      const found = await settled.where('organization_id', '=', organizationId).where('id', 'in', ids).execute();
      return found.length === 0 ? [] : detailsOf(db, found);
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

async function isOf(db: Kysely<Schema>, call: CallRow, { keyId, projectId }: CallsOf): Promise<boolean> {
  if (keyId !== undefined && call.key_id !== keyId) return false;
  if (projectId === undefined) return true;
  const key = db.selectFrom('api_keys').select('id').where('id', '=', call.key_id).where('project_id', '=', projectId);
  return (await key.executeTakeFirst()) !== undefined;
}

/** All that was kept of calls, of which there is at least one. */
async function detailsOf(db: Kysely<Schema>, calls: readonly CallRow[]): Promise<UsageDetail[]> {
  const ids = calls.map(({ id }) => id);
  const earlier = await db
    .selectFrom('earlier_attempts')
    .selectAll()
    .where('call_id', 'in', ids)
    .orderBy('call_id')
    .orderBy('number')
    .execute();
  const decided = await db
    .selectFrom('decisions')
    .select(['call_id', 'json'])
    .where('organization_id', 'in', [...new Set(calls.map((call) => call.organization_id))])
    .where('call_id', 'in', ids)
    .execute();
  const priceIds = [...new Set(calls.flatMap((call) => call.price_version ?? []))];
  const prices =
    priceIds.length === 0
      ? []
      : await db.selectFrom('price_versions').selectAll().where('id', 'in', priceIds).execute();
  const priceOf = new Map(prices.map((row) => [row.id, readPrice(row)]));
  const decisionOf = new Map(decided.map(({ call_id: id, json }) => [id, readDecision(json)]));
  const keyNames = await keyNamesOf(db, [...new Set(calls.map((call) => call.key_id))]);
  return calls.map((call) => ({
    record: readRecord(call),
    keyName: keyNames[call.key_id] ?? null,
    ...billingOf(call, priceOf.get(call.price_version ?? '') ?? null),
    attempts: readAttempts(
      call,
      earlier.filter((attempt) => attempt.call_id === call.id),
    ),
    decision: decisionOf.get(call.id) ?? null,
  }));
}

/** How a call was billed, by its price as it was kept. */
function billingOf(
  call: CallRow,
  price: Price | null,
): Pick<UsageDetail, 'lineItems' | 'isRoutePrice' | 'priceInferredFrom' | 'unpriced'> {
  const { usage, usageSource, cost } = readRecord(call);
  const isKnown = cost !== null || usageSource === 'none';
  return {
    lineItems: readLineItems(JSON.parse(call.line_items) as LineItemJson[]),
    isRoutePrice: price?.source.startsWith(PRODUCT_PRICE) === true,
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
