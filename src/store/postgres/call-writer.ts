import { isWorker } from '../../core/leases.ts';
import type { Price } from '../../core/money.ts';
import type { EndedCall, Settlement } from '../../core/records.ts';
import {
  ATTEMPT,
  type EarlierAttempt,
  HELD,
  MORE_OPENED,
  MORE_SETTLED,
  OPENED,
  type OpenedCall,
  SETTLED,
  type SettledCall,
} from '../call-columns.ts';
import type { SettlementRecord } from '../journal/record-json.ts';
import type { IntentRecord, TakeOverStep } from '../journal/steps.ts';
import { KEPT_BATCHES } from '../kept-batches.ts';
import { writeRates, writeTiers } from '../price-json.ts';
import { priceVersionId } from '../price-version-ids.ts';
import {
  earlierAttemptsOf,
  endedCallOf,
  endOf,
  type FoundCall,
  rememberedUtcDay,
  summedUsageOf,
} from '../settled-parts.ts';
import { SpentByDay } from '../spent-by-day.ts';
import { boundArrays, boundRows, unnested, valuesOf } from './arrays.ts';
import { type Columns, inOrder, insertArrays, insertRows, type RowValues } from './bulk.ts';
import type { RunQuery } from './pool.ts';
import { table } from './reading.ts';
import { BatchDays } from './usage-days.ts';

/** Nobody looks for the instance of a call that is over. */
const NO_INSTANCE = '';
/** How many price versions are known to be stored; past it all are forgotten, and stored again. */
const MAX_REMEMBERED = 20_000;

/** What became of the steps that were written. */
export type WrittenCalls = {
  ended: EndedCall[];
  /** Settlements of calls that were never opened. */
  unknown: SettlementRecord[];
};

/**
 * The statements of the ledger, each for all calls of a batch. `write` belongs inside a transaction, behind `begin`; `committed` or
 * `rolledBack` follows. Rows that many write come last, in an order that is the same for all.
 */
export class BatchWriter {
  readonly #days = new BatchDays();
  readonly #stored = new Set<string>();
  /** The versions that the present transaction has stored. */
  #uncommitted: string[] = [];
  #untold: string[] = [];

  /** @param generation - of groups, as of `BatchDays` */
  begin(generation: unknown): void {
    this.#days.begin(generation);
  }

  async write(query: RunQuery, steps: readonly TakeOverStep[], instanceId: string): Promise<WrittenCalls> {
    const prices = new Map<string, RowValues>();
    const priced = steps.map((step) => ({ step, priceVersion: this.#versionOf(step, prices) }));
    await insertRows(query, 'price_versions', {
      columns: PRICE,
      rows: inOrder([...prices.values()]),
      tail: 'on conflict do nothing',
    });
    await openCalls(query, priced, instanceId);
    const found = await findCalls(query, steps);
    const unknown: SettlementRecord[] = [];
    const ends: End[] = [];
    const seen = new Set<string>();
    for (const { step, priceVersion } of priced) {
      if (step.settlement === null) continue;
      const { settlement } = step.settlement;
      if (step.intent !== null) {
        const { intent } = step.intent;
        ends.push({ settlement, priceVersion, intent, call: { ...intent, tool: intent.tool?.name ?? null } });
        continue;
      }
      const call = found.get(settlement.id);
      if (call === undefined) unknown.push(step.settlement);
      // That it was open is what counts it once: all that follows happens only then.
      else if (call.status === 'open' && !seen.has(settlement.id)) {
        seen.add(settlement.id);
        ends.push({ settlement, priceVersion, intent: null, call });
      }
    }
    await this.#end(query, ends, instanceId);
    return { ended: ends.map(({ call, settlement }) => endedCallOf(call, settlement)), unknown };
  }

  committed(): void {
    this.#days.committed();
    this.#untold.push(...this.#uncommitted);
    this.#uncommitted = [];
  }

  rolledBack(): void {
    this.#days.rolledBack();
    for (const id of this.#uncommitted) this.#stored.delete(id);
    this.#uncommitted = [];
  }

  /** The ids of price versions that were stored since this was asked last. */
  newPrices(): string[] {
    const ids = this.#untold;
    this.#untold = [];
    return ids;
  }

  /** The version of the price that the caller is charged by, which is stored where it is not known to be. */
  #versionOf({ intent, settlement }: TakeOverStep, prices: Map<string, RowValues>): string | null {
    const routed = settlement?.settlement.routed ?? null;
    if (settlement !== null && (intent === null || routed !== null)) {
      if (routed === null || routed.price === null) return settlement.priceVersion;
      return this.#use(prices, { ...routed, price: routed.price });
    }
    const { price, provider, upstreamModel } = intent!.intent;
    return price === null ? intent!.priceVersion : this.#use(prices, { price, provider, upstreamModel });
  }

  #use(prices: Map<string, RowValues>, { price, provider, upstreamModel }: Priced): string {
    const id = priceVersionId(price, provider, upstreamModel);
    if (this.#stored.has(id)) return id;
    prices.set(id, [id, provider, upstreamModel, writeRates(price.rates), writeTiers(price), price.source, price.date]);
    // Dated names have versions of their own: whoever invents such fills no memory.
    if (this.#stored.size >= MAX_REMEMBERED) this.#stored.clear();
    this.#stored.add(id);
    this.#uncommitted.push(id);
    return id;
  }

  async #end(query: RunQuery, ends: readonly End[], instanceId: string): Promise<void> {
    if (ends.length === 0) return;
    const summed = ends.map(({ settlement, call }) => {
      const { id, organizationId, keyId, createdAt, routed, status } = settlement;
      return { ...call, id, organizationId, keyId, createdAt, provider: routed?.provider ?? call.provider, status };
    });
    await this.#days.learn(query, summed);
    const spent = new SpentByDay();
    const batches = new Map<string, string[]>();
    const attempts: EarlierAttempt[] = [];
    const decisions: RowValues[] = [];
    const rows = ends.map((end, index): EndRow => {
      const { settlement, call, intent, priceVersion } = end;
      const { id, organizationId, keyId, counted, createdAt, routed } = settlement;
      const group = this.#days.add(summed[index]!, summedUsageOf(settlement));
      const ids = batches.get(organizationId);
      if (ids === undefined) batches.set(organizationId, [id]);
      else ids.push(id);
      attempts.push(...earlierAttemptsOf(settlement));
      const decision = routed?.decision ?? null;
      if (decision !== null) {
        const { route, routeVersion } = decision;
        decisions.push([organizationId, id, route, routeVersion, createdAt, JSON.stringify(decision)]);
      }
      const budgets = settlement.budgets ?? call.budgets;
      if (counted !== 0n) spent.add(keyId, budgets, rememberedUtcDay(createdAt), counted);
      const opened = intent && { intent, priceVersion, served: routed ?? intent, instanceId: NO_INSTANCE };
      return { opened, priceVersion, end: endOf(settlement, group) };
    });
    await addCalls(query, rows);
    await settleCalls(query, rows);
    if (attempts.length > 0) await insertArrays(query, 'earlier_attempts', boundArrays(ATTEMPT, attempts));
    await insertRows(query, 'decisions', { columns: DECISION, rows: decisions });
    await this.#days.finish(query);
    await addSpent(query, [...spent.all()], instanceId);
    await noteBatch(
      query,
      [...batches].map(([organizationId, ids]) => [organizationId, ids.join()]),
    );
  }
}

type Priced = { price: Price; provider: string; upstreamModel: string };
type PricedStep = { step: TakeOverStep; priceVersion: string | null };
/** A call that ends in this batch; `intent`: that it begins in it, too. */
type End = {
  settlement: Settlement;
  priceVersion: string | null;
  intent: IntentRecord['intent'] | null;
  call: Omit<FoundCall, 'status'>;
};
type EndRow = { opened: OpenedCall | null; priceVersion: string | null; end: SettledCall };

const PRICE = texts('id', 'provider', 'upstream_model', 'rates', 'tiers', 'source', 'date');
const DECISION: Columns = [
  ...texts('organization_id', 'call_id', 'route_id', 'route_version'),
  ['created_at', 'integer'],
  ['json', 'text'],
];
const SPENT: Columns = [...texts('key_id', 'utc_day'), ['amount_nano', 'integer']];

function texts(...names: string[]): Columns {
  return names.map((name) => [name, 'text']);
}

async function openCalls(query: RunQuery, priced: readonly PricedStep[], instanceId: string): Promise<void> {
  const opened = priced.flatMap(({ step: { intent, settlement }, priceVersion }): OpenedCall[] =>
    intent === null || settlement !== null
      ? []
      : [{ intent: intent.intent, priceVersion, served: intent.intent, instanceId }],
  );
  if (opened.length === 0) return;
  const arrays = boundArrays<OpenedCall>(
    [...OPENED, ...MORE_OPENED, ...HELD, ['status', 'text', () => 'open']],
    opened,
  );
  await insertArrays(query, 'calls', arrays);
}

/** What is known of the calls that these steps only settle, by id; others who settle them wait. */
async function findCalls(query: RunQuery, steps: readonly TakeOverStep[]): Promise<Map<string, FoundCall>> {
  const alone = steps.flatMap(({ intent, settlement }) => (intent === null ? [settlement.settlement] : []));
  if (alone.length === 0) return new Map();
  const rows = inOrder(alone.map(({ organizationId, id }) => [organizationId, id]));
  const arrays = boundRows(texts('organization_id', 'id'), rows);
  const found = await query<FoundCall & { id: string }>(
    `select found.* from ${unnested(arrays)} as wanted (organization_id, id) cross join lateral (
       select id, status, request_id as "requestId", source, product, tool_name as tool, model,
         requested_model as "requestedModel", route, provider, upstream_model as "upstreamModel", budgets
       from ${table('calls')} as calls where calls.organization_id = wanted.organization_id and calls.id = wanted.id for update
     ) as found`,
    valuesOf(arrays),
  );
  return new Map(found.rows.map((row) => [row.id, row]));
}

/** Calls that begin and end in one batch are written once, at a third of the cost. */
async function addCalls(query: RunQuery, rows: readonly EndRow[]): Promise<void> {
  const added = rows.flatMap(({ opened, end }) => (opened === null ? [] : [{ opened, end }]));
  if (added.length === 0) return;
  const arrays = [
    ...boundArrays(
      [...OPENED, ...MORE_OPENED],
      added.map(({ opened }) => opened),
    ),
    ...boundArrays(
      [...SETTLED, ...MORE_SETTLED],
      added.map(({ end }) => end),
    ),
  ];
  await insertArrays(query, 'calls', arrays);
}

/** What was not told before of an open call is told now; who served it only where a route has decided that. */
async function settleCalls(query: RunQuery, rows: readonly EndRow[]): Promise<void> {
  const settled = rows.filter(({ opened }) => opened === null);
  if (settled.length === 0) return;
  const columns = [...SETTLED, ...MORE_SETTLED];
  const ends = boundArrays(
    columns,
    settled.map(({ end }) => end),
  );
  const [organization, id, ...route] = boundRows(
    [...texts('of_organization', 'of_call', 'new_provider', 'new_model', 'new_price'), ['is_routed', 'integer']],
    settled.map(({ end: { settlement }, priceVersion }) => {
      const { organizationId, routed } = settlement;
      const served = [routed?.provider ?? null, routed?.upstreamModel ?? null];
      return [organizationId, settlement.id, ...served, priceVersion, routed === null ? 0 : 1];
    }),
  );
  const told = ends.filter(({ array }) => array !== null);
  const arrays = [organization!, id!, ...route, ...told];
  await query(
    `update ${table('calls')} as calls set
       provider = coalesce(new_provider, calls.provider), upstream_model = coalesce(new_model, calls.upstream_model),
       price_version = case when is_routed = 1 then new_price else calls.price_version end,
       ${told.map(({ name }) => `${name} = ended.${name}`).join(', ')}
     from ${unnested(arrays)} as ended (${arrays.map(({ name }) => name).join(', ')})
     where calls.organization_id = of_organization and calls.id = of_call`,
    valuesOf(arrays),
  );
}

async function addSpent(query: RunQuery, spent: readonly RowValues[], instanceId: string): Promise<void> {
  const rows = inOrder(spent);
  await insertRows(query, 'key_spend', {
    columns: SPENT,
    rows,
    tail: 'on conflict (key_id, utc_day) do update set amount_nano = key_spend.amount_nano + excluded.amount_nano',
  });
  if (!isWorker(instanceId)) return;
  await insertRows(query, 'worker_spend', {
    columns: [['instance_id', 'text'], ...SPENT],
    rows: rows.map((row) => [instanceId, ...row]),
    tail: `on conflict (instance_id, key_id, utc_day)
      do update set amount_nano = worker_spend.amount_nano + excluded.amount_nano`,
  });
}

/**
 * Batches are numbered by their transactions, since a sequence does not commit in its order: whoever has read all below the oldest
 * transaction that is under way has missed none.
 */
async function noteBatch(query: RunQuery, rows: readonly RowValues[]): Promise<void> {
  const arrays = boundRows(texts('organization_id', 'call_ids'), inOrder(rows));
  await query(
    `insert into ${table('settled_batches')} as batches (number, organization_id, call_ids)
     select pg_current_xact_id()::text::bigint, * from ${unnested(arrays)}
     on conflict (number, organization_id) do update set call_ids = batches.call_ids || ',' || excluded.call_ids`,
    valuesOf(arrays),
  );
  await query(
    `delete from ${table('settled_batches')} where number in (
       select number from ${table('settled_batches')} where number < (
         select number from ${table('settled_batches')} order by number desc offset ${KEPT_BATCHES} limit 1
       ) for update skip locked
     )`,
  );
}
