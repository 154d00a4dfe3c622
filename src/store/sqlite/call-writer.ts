import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { DEFAULT_CREDENTIAL } from '../../core/provider.ts';
import type { AttemptRecord, EndedCall, Intent, Routed, Settlement } from '../../core/records.ts';
import { utcDay, utcDayNumber } from '../../core/utc-day.ts';
import { writeLineItems } from '../price-json.ts';
import { moreOf, writeUsage, writtenForAnHour } from '../usage-json.ts';
import { SettledBatches } from './settled-batches.ts';
import { SpentSums } from './spent-sums.ts';
import { type SummedCall, UsageDays } from './usage-days.ts';

/**
 * The statements of the ledger. They belong inside a transaction, which is rolled back if one throws, between `begin`
 * and `finish`; `committed` or `rolledBack` follows.
 */
export type CallWriter = {
  /**
   * @param together whether sums are written once for all calls, in `finish`, or with each call
   * @param instanceId who made the calls
   */
  begin(together: boolean, instanceId: string): void;
  /** Opens a call of this instance. Throws where the id is taken. */
  open(intent: Intent, priceVersion: string | null, instanceId: string): void;
  /**
   * Opens and settles a call at once, at half the cost.
   *
   * @param priceVersion of the price that the caller is charged by, as in `settle`
   */
  add(intent: Intent, priceVersion: string | null, settlement: Settlement): void;
  /**
   * Does nothing for a call that is settled already; throws for one that was never opened.
   *
   * @param priceVersion of `settlement.routed`; any other price is the intent's, and is there already
   */
  settle(settlement: Settlement, priceVersion: string | null): void;
  finish(): void;
  committed(): void;
  rolledBack(): void;
};

const OPENED = `organization_id, id, request_id, client_request_id, key_id, source, dialect, model, requested_model,
       provider, upstream_model, streamed, created_at, estimated_input_tokens, price_version, instance_id`;
const SETTLED = `status, http_status, error_kind, input_tokens, cache_read_tokens, cache_write_tokens,
       cache_write_1h_tokens, output_tokens, reasoning_tokens, audio_input_tokens, audio_output_tokens, service_tier,
       usage_source, line_items, cost_nano, settled_at, time_to_first_token_ms, dropped, attempts, upstream_status,
       upstream_request_id, attempted_at, usage_group`;
/** What few calls have to tell. */
const MORE_OPENED = 'product, tool_name, tool_version, route';
const MORE_SETTLED =
  'credential, possibly_billed, charged_otherwise, vendor_cost_nano, counted_nano, reported_usage, more_usage, error_code';
/** Of a call that is settled already nobody asks what was held for it, nor against which budgets. */
const HELD = 'held_nano, budgets';

/** Nobody looks for the instance of a call that is over. */
const NO_INSTANCE = '';

/**
 * /!\ Hot path: prepared once, bound by position. What a plain call does not have is not even bound.
 *
 * @param onEnded told of the calls that a transaction has settled, once it is committed
 */
export function createCallWriter(database: DatabaseSync, onEnded?: (calls: readonly EndedCall[]) => void): CallWriter {
  const openCall = (...names: string[]) =>
    database.prepare(`insert into calls (${names.join(', ')}, status) values (${placeholders(names)}, 'open')`);
  const openPlain = openCall(OPENED);
  const openWhole = openCall(OPENED, MORE_OPENED, HELD);
  const addCall = (...names: string[]) =>
    database.prepare(`insert into calls (${names.join(', ')}) values (${placeholders(names)})`);
  const addPlain = addCall(OPENED, SETTLED);
  const addWhole = addCall(OPENED, SETTLED, MORE_OPENED, MORE_SETTLED);
  const settleCall = database.prepare(
    `update calls set (${SETTLED}) = (${placeholders([SETTLED])})
     where organization_id = ? and id = ?`,
  );
  const settleMore = database.prepare(
    `update calls set (${MORE_SETTLED}) = (${placeholders([MORE_SETTLED])}) where organization_id = ? and id = ?`,
  );
  const reroute = database.prepare(
    'update calls set (provider, upstream_model, price_version) = (?, ?, ?) where organization_id = ? and id = ?',
  );
  const addDecision = database.prepare(
    `insert into decisions (organization_id, call_id, route_id, route_version, created_at, json)
     values (?, ?, ?, ?, ?, ?)`,
  );
  const findCall = database.prepare(
    `select status, request_id as requestId, source, product, tool_name as tool, model, requested_model as requestedModel,
       route, provider, upstream_model as upstreamModel, budgets
     from calls
     where organization_id = ? and id = ?`,
  );
  const insertAttempt = database.prepare(
    `insert into earlier_attempts (
       call_id, number, provider, upstream_model, status, http_status, error_kind, upstream_request_id,
       started_at, ended_at, usage_source, credential, possibly_billed, error_code
     ) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const keyName = database.prepare('select name from api_keys where id = ?');
  const usageDays = new UsageDays(database);
  const batches = new SettledBatches(database);
  const spent = new SpentSums(database);
  let isTogether = true;
  /** Of the present transaction; the names of its keys are looked up when it is committed. */
  let ended: EndedCall[] = [];

  function noteEnd({ requestId, model, provider, upstreamModel }: ServedCall, settlement: Settlement): void {
    if (onEnded === undefined) return;
    const { routed } = settlement;
    const served = { provider: routed?.provider ?? provider, upstreamModel: routed?.upstreamModel ?? upstreamModel };
    ended.push({ requestId, keyName: null, model, ...served, settlement });
  }

  function tellEnded(): void {
    if (ended.length === 0) return;
    const names = new Map<string, string | null>();
    for (const call of ended) {
      const { keyId } = call.settlement;
      let name = names.get(keyId);
      if (name === undefined) {
        name = (keyName.get(keyId)?.name as string | undefined) ?? null;
        names.set(keyId, name);
      }
      call.keyName = name;
    }
    onEnded?.(ended);
  }

  function addWhatFollows(settlement: Settlement, budgets: string | null): void {
    const { id, organizationId, keyId, counted, createdAt, attempts, routed } = settlement;
    if (!isTogether) usageDays.finish();
    batches.add(organizationId, id);
    const rows = isToldByItsCall(settlement) ? attempts.length - 1 : attempts.length;
    for (let index = 0; index < rows; index += 1) addEarlierAttempt(id, index + 1, attempts[index]!);
    const decision = routed?.decision ?? null;
    if (decision !== null) {
      const { route, routeVersion } = decision;
      addDecision.run(organizationId, id, route, routeVersion, createdAt, JSON.stringify(decision));
    }
    if (counted === 0n) return;
    spent.add(keyId, budgets, rememberedUtcDay(createdAt), counted);
  }

  /** Adds a settled call up, and tells its group. */
  function sum(call: SummedCall, settlement: Settlement): number {
    const { status, usage, usageSource, cost, routed, timeToFirstTokenMs } = settlement;
    const vendorCost = routed === null ? cost : routed.vendorCost;
    const attempts = settlement.attempts.length;
    return usageDays.add(call, { status, usage, usageSource, cost, vendorCost, timeToFirstTokenMs, attempts });
  }

  function tellMore(settlement: Settlement, priceVersion: string | null): void {
    const { organizationId, id, routed } = settlement;
    settleMore.run(...moreSettled(settlement), organizationId, id);
    if (routed !== null) reroute.run(routed.provider, routed.upstreamModel, priceVersion, organizationId, id);
  }

  function addEarlierAttempt(callId: string, number: number, attempt: AttemptRecord): void {
    insertAttempt.run(
      callId,
      number,
      attempt.provider,
      attempt.upstreamModel,
      attempt.status,
      attempt.httpStatus,
      attempt.errorKind,
      attempt.upstreamRequestId,
      attempt.startedAt,
      attempt.endedAt,
      attempt.usageSource,
      toldCredential(attempt),
      toldBilling(attempt),
      attempt.errorCode,
    );
  }

  return {
    begin(together, instanceId) {
      isTogether = together;
      spent.begin(together, instanceId);
      usageDays.begin();
      batches.begin();
      ended = [];
    },

    open(intent, priceVersion, instanceId) {
      const values = opened(intent, priceVersion, intent, instanceId);
      if (isPlainCaller(intent) && intent.held === null && intent.budgets === '') openPlain.run(...values);
      else openWhole.run(...values, ...moreOpened(intent), intent.held, intent.budgets === '' ? null : intent.budgets);
    },

    add(intent, priceVersion, settlement) {
      const { routed } = settlement;
      const values = opened(intent, priceVersion, routed ?? intent, NO_INSTANCE);
      const { provider } = routed ?? intent;
      const group = sum({ ...intent, tool: intent.tool?.name ?? null, provider }, settlement);
      const end = settled(settlement, group);
      if (isPlainCaller(intent) && isPlainEnd(settlement)) addPlain.run(...values, ...end);
      else addWhole.run(...values, ...end, ...moreOpened(intent), ...moreSettled(settlement));
      addWhatFollows(settlement, settlement.budgets ?? intent.budgets);
      noteEnd(intent, settlement);
    },

    settle(settlement, priceVersion) {
      const { organizationId, id, keyId, createdAt, routed } = settlement;
      const found = findCall.get(organizationId, id) as FoundCall | undefined;
      if (found === undefined) throw new Error(`The call ${id} was never opened.`);
      // That it was open is what counts it once: all that follows happens only then.
      if (found.status !== 'open') return;
      const provider = routed?.provider ?? found.provider;
      const group = sum({ ...found, id, organizationId, keyId, createdAt, provider }, settlement);
      settleCall.run(...settled(settlement, group), organizationId, id);
      if (!isPlainEnd(settlement)) tellMore(settlement, priceVersion);
      addWhatFollows(settlement, settlement.budgets ?? found.budgets);
      noteEnd(found, settlement);
    },

    finish() {
      spent.finish();
      usageDays.finish();
      batches.finish();
    },

    committed() {
      usageDays.committed();
      tellEnded();
    },
    rolledBack: () => usageDays.rolledBack(),
  };
}

/** What of an open call's row its group is found by, and against which budgets it is held. */
type FoundCall = Omit<SummedCall, 'id' | 'organizationId' | 'keyId' | 'createdAt'> &
  ServedCall & {
    status: string;
    budgets: string | null;
  };

/** What a log tells of a call, beside how it ended. */
type ServedCall = Pick<Intent, 'requestId' | 'model' | 'provider' | 'upstreamModel'>;

/** One for each name; a text may hold several names. */
function placeholders(names: readonly string[]): string {
  return names
    .join()
    .split(',')
    .map(() => '?')
    .join(', ');
}

function isPlainCaller({ product, tool, route }: Intent): boolean {
  return product === null && tool === null && route === null;
}

/**
 * Whether the last attempt ended as its call did, so that the call's own row tells of it. One that failed before its caller
 * left does not, nor one that came behind the refusal that its caller was told.
 */
function isToldByItsCall({ attempts, status, errorKind, usageSource, routed }: Settlement): boolean {
  const last = attempts.at(-1);
  if (last === undefined) return true;
  if (last.status !== status || last.errorKind !== errorKind || last.usageSource !== usageSource) return false;
  return routed === null || (last.provider === routed.provider && last.upstreamModel === routed.upstreamModel);
}

function isPlainEnd({ attempts, routed, cost, counted, reported, usage }: Settlement): boolean {
  const last = attempts.at(-1);
  if (routed !== null || counted !== (cost ?? 0n) || reported !== null || moreOf(usage) !== null) return false;
  if (last === undefined) return true;
  return last.credential === DEFAULT_CREDENTIAL && !last.possiblyBilled && last.errorCode === null;
}

function moreOpened({ product, tool, route }: Intent): SQLInputValue[] {
  return [product, tool?.name ?? null, tool?.version ?? null, route];
}

function moreSettled({ attempts, routed, cost, counted, reported, usage }: Settlement): SQLInputValue[] {
  const more = moreOf(usage);
  const last = attempts.at(-1);
  const attempt = last === undefined ? [null, null] : [toldCredential(last), toldBilling(last)];
  const isOtherwise = routed !== null && routed.vendorCost !== cost;
  return [
    ...attempt,
    isOtherwise ? 1 : null,
    isOtherwise ? routed.vendorCost : null,
    counted === (cost ?? 0n) ? null : counted,
    reported === null ? null : JSON.stringify(writeUsage(reported)),
    more === null ? null : JSON.stringify(more),
    last?.errorCode ?? null,
  ];
}

function toldCredential({ credential }: AttemptRecord): string | null {
  return credential === DEFAULT_CREDENTIAL ? null : credential;
}

function toldBilling({ possiblyBilled }: AttemptRecord): 1 | null {
  return possiblyBilled ? 1 : null;
}

function opened(
  intent: Intent,
  priceVersion: string | null,
  { provider, upstreamModel }: Pick<Routed, 'provider' | 'upstreamModel'>,
  instanceId: string,
): SQLInputValue[] {
  return [
    intent.organizationId,
    intent.id,
    intent.requestId,
    intent.clientRequestId,
    intent.keyId,
    intent.source,
    intent.dialect,
    intent.model,
    intent.requestedModel,
    provider,
    upstreamModel,
    intent.streamed ? 1 : 0,
    intent.createdAt,
    intent.estimatedInputTokens,
    priceVersion,
    instanceId,
  ];
}

function settled(settlement: Settlement, usageGroup: number): SQLInputValue[] {
  const { usage, attempts } = settlement;
  const last = attempts.at(-1);
  return [
    settlement.status,
    settlement.httpStatus,
    settlement.errorKind,
    usage.inputTokens,
    usage.cacheReadTokens,
    usage.cacheWriteTokens,
    writtenForAnHour(usage),
    usage.outputTokens,
    usage.reasoningTokens,
    usage.audioInputTokens,
    usage.audioOutputTokens,
    usage.serviceTier ?? null,
    settlement.usageSource,
    JSON.stringify(writeLineItems(settlement.lineItems)),
    settlement.cost,
    settlement.settledAt,
    settlement.timeToFirstTokenMs,
    settlement.dropped.length === 0 ? null : JSON.stringify(settlement.dropped),
    attempts.length,
    last?.httpStatus ?? null,
    last?.upstreamRequestId ?? null,
    last?.startedAt ?? null,
    usageGroup,
  ];
}

/** The day of the last call is nearly always that of the next. */
let knownDay = { number: 0, text: '1970-01-01' };

function rememberedUtcDay(at: number): string {
  const number = utcDayNumber(at);
  if (number !== knownDay.number) knownDay = { number, text: utcDay(at) };
  return knownDay.text;
}
