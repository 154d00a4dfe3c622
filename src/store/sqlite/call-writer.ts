import type { DatabaseSync } from 'node:sqlite';
import { DEFAULT_CREDENTIAL } from '../../core/provider.ts';
import type { EndedCall, Intent, Settlement } from '../../core/records.ts';
import {
  ATTEMPT,
  type BoundColumn,
  binderOf,
  HELD,
  MORE_OPENED,
  MORE_SETTLED,
  namesOf,
  OPENED,
  SETTLED,
  type SettledCall,
} from '../call-columns.ts';
import {
  earlierAttemptsOf,
  endedCallOf,
  endOf,
  type FoundCall,
  rememberedUtcDay,
  type ServedCall,
  summedUsageOf,
} from '../settled-parts.ts';
import type { SummedCall } from '../usage-groups.ts';
import { moreOf } from '../usage-json.ts';
import { SettledBatches } from './settled-batches.ts';
import { SpentSums } from './spent-sums.ts';
import { UsageDays } from './usage-days.ts';

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

const bindOpened = binderOf(OPENED);
const bindMoreOpened = binderOf(MORE_OPENED);
const bindHeld = binderOf(HELD);
const bindSettled = binderOf(SETTLED);
const bindMoreSettled = binderOf(MORE_SETTLED);
const bindAttempt = binderOf(ATTEMPT);

/** Nobody looks for the instance of a call that is over. */
const NO_INSTANCE = '';

/**
 * /!\ Hot path: prepared once, bound by position. What a plain call does not have is not even bound.
 *
 * @param onEnded told of the calls that a transaction has settled, once it is committed
 */
export function createCallWriter(database: DatabaseSync, onEnded?: (calls: readonly EndedCall[]) => void): CallWriter {
  const openCall = (...lists: readonly (readonly BoundColumn<never>[])[]) =>
    database.prepare(`insert into calls (${namesOf(...lists)}, status) values (${placeholders(...lists)}, 'open')`);
  const openPlain = openCall(OPENED);
  const openWhole = openCall(OPENED, MORE_OPENED, HELD);
  const addCall = (...lists: readonly (readonly BoundColumn<never>[])[]) =>
    database.prepare(`insert into calls (${namesOf(...lists)}) values (${placeholders(...lists)})`);
  const addPlain = addCall(OPENED, SETTLED);
  const addWhole = addCall(OPENED, SETTLED, MORE_OPENED, MORE_SETTLED);
  const settleAs = (columns: readonly BoundColumn<never>[]) =>
    database.prepare(
      `update calls set (${namesOf(columns)}) = (${placeholders(columns)}) where organization_id = ? and id = ?`,
    );
  const settleCall = settleAs(SETTLED);
  const settleMore = settleAs(MORE_SETTLED);
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
    `insert into earlier_attempts (${namesOf(ATTEMPT)}) values (${placeholders(ATTEMPT)})`,
  );
  const keyName = database.prepare('select name from api_keys where id = ?');
  const usageDays = new UsageDays(database);
  const batches = new SettledBatches(database);
  const spent = new SpentSums(database);
  let isTogether = true;
  /** Of the present transaction; the names of its keys are looked up when it is committed. */
  let ended: EndedCall[] = [];

  function noteEnd(served: ServedCall, settlement: Settlement): void {
    if (onEnded === undefined) return;
    ended.push(endedCallOf(served, settlement));
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
    const { id, organizationId, keyId, counted, createdAt, routed } = settlement;
    if (!isTogether) usageDays.finish();
    batches.add(organizationId, id);
    for (const attempt of earlierAttemptsOf(settlement)) insertAttempt.run(...bindAttempt(attempt));
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
    return usageDays.add(call, summedUsageOf(settlement));
  }

  function tellMore(call: SettledCall, priceVersion: string | null): void {
    const { organizationId, id, routed } = call.settlement;
    settleMore.run(...bindMoreSettled(call), organizationId, id);
    if (routed !== null) reroute.run(routed.provider, routed.upstreamModel, priceVersion, organizationId, id);
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
      const call = { intent, priceVersion, served: intent, instanceId };
      const values = bindOpened(call);
      if (isPlainCaller(intent) && intent.held === null && intent.budgets === '') openPlain.run(...values);
      else openWhole.run(...values, ...bindMoreOpened(call), ...bindHeld(call));
    },

    add(intent, priceVersion, settlement) {
      const { routed } = settlement;
      const opened = { intent, priceVersion, served: routed ?? intent, instanceId: NO_INSTANCE };
      const { provider } = opened.served;
      const group = sum({ ...intent, tool: intent.tool?.name ?? null, provider }, settlement);
      const end = endOf(settlement, group);
      const values = [...bindOpened(opened), ...bindSettled(end)];
      if (isPlainCaller(intent) && isPlainEnd(settlement)) addPlain.run(...values);
      else addWhole.run(...values, ...bindMoreOpened(opened), ...bindMoreSettled(end));
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
      const end = endOf(settlement, group);
      settleCall.run(...bindSettled(end), organizationId, id);
      if (!isPlainEnd(settlement)) tellMore(end, priceVersion);
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

function isPlainCaller({ product, tool, route }: Intent): boolean {
  return product === null && tool === null && route === null;
}

function isPlainEnd({ attempts, routed, cost, counted, reported, usage }: Settlement): boolean {
  const last = attempts.at(-1);
  if (routed !== null || counted !== (cost ?? 0n) || reported !== null || moreOf(usage) !== null) return false;
  if (last === undefined) return true;
  return last.credential === DEFAULT_CREDENTIAL && !last.possiblyBilled && last.errorCode === null;
}

export function placeholders(...lists: readonly (readonly BoundColumn<never>[])[]): string {
  return lists.flatMap((columns) => columns.map(() => '?')).join(', ');
}
