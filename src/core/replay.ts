import type { ErrorKind, GatewayError } from './errors.ts';
import type { CallReader } from './ports.ts';
import type { Decision, DecisionCandidate } from './route.ts';

type ReplayedTarget = Pick<DecisionCandidate, 'model' | 'provider' | 'upstreamModel' | 'expectedCost' | 'chance'>;

/** How a draft would have changed a call: its first target before and after. `null`: none, and `refusal` says why. */
export type ReplayedCall = {
  before: ReplayedTarget | null;
  after: ReplayedTarget | null;
  moved: boolean;
  refusal: GatewayError | null;
};

/** Who serves; `null`: nobody. */
export type ReplayServing = Pick<DecisionCandidate, 'provider' | 'upstreamModel'> | null;
export type ReplayMove = { from: ReplayServing; to: ReplayServing; calls: number };

/** Sums of something before and after, over the calls of which both are known. */
export type BeforeAndAfter = { calls: number; before: number; after: number };

/** What a draft would change, over any number of calls: only sums are kept. Costs in nano-dollars. */
export type ReplayResult = {
  calls: number;
  moved: number;
  /** Those of most calls first. */
  moves: readonly ReplayMove[];
  /** Calls that nobody would serve, by the kind of the error. */
  unserved: ReadonlyMap<ErrorKind, number>;
  cost: BeforeAndAfter;
  chance: BeforeAndAfter;
  /** Whether no call was left out for the number or the time. */
  isComplete: boolean;
};

export class ReplaySums {
  calls = 0;
  #moved = 0;
  readonly #moves = new Map<string, ReplayMove>();
  readonly #unserved = new Map<ErrorKind, number>();
  readonly #cost: BeforeAndAfter = { calls: 0, before: 0, after: 0 };
  readonly #chance: BeforeAndAfter = { calls: 0, before: 0, after: 0 };

  add({ before, after, moved, refusal }: ReplayedCall): void {
    this.calls += 1;
    if (moved) this.#moved += 1;
    if (refusal !== null) this.#unserved.set(refusal.kind, (this.#unserved.get(refusal.kind) ?? 0) + 1);
    const [from, to] = [servingOf(before), servingOf(after)];
    const name = JSON.stringify([from, to]);
    const move = this.#moves.get(name) ?? { from, to, calls: 0 };
    move.calls += 1;
    this.#moves.set(name, move);
    addTo(this.#cost, before?.expectedCost ?? null, after?.expectedCost ?? null);
    addTo(this.#chance, before?.chance ?? null, after?.chance ?? null);
  }

  result(isComplete = true): ReplayResult {
    return {
      calls: this.calls,
      moved: this.#moved,
      moves: [...this.#moves.values()].sort((one, other) => other.calls - one.calls),
      unserved: this.#unserved,
      cost: this.#cost,
      chance: this.#chance,
      isComplete,
    };
  }
}

/** Which calls of a route are decided anew: those from a time on (Unix ms), so many at most, until `isOver`. */
export type ReplaySpan = { routeId: string; from: number; limit: number; isOver(): boolean };

/** Decides past calls of a route anew, the oldest first. */
export async function replayCalls(
  calls: Pick<CallReader, 'decisions'>,
  { routeId, from, limit, isOver }: ReplaySpan,
  change: (decision: Decision) => ReplayedCall,
): Promise<ReplayResult> {
  const sums = new ReplaySums();
  for await (const batch of calls.decisions(routeId, from)) {
    for (const { decision } of batch) {
      if (sums.calls === limit || isOver()) return sums.result(false);
      sums.add(change(decision));
    }
  }
  return sums.result();
}

const NANO = 1e9;

/** As programs read it: amounts in dollars, over the calls of which both are known; `null` where there are none. */
export function replayJson({ calls, moved, moves, unserved, cost, chance, isComplete }: ReplayResult) {
  return {
    calls,
    complete: isComplete,
    moved,
    moves: moves.map(({ from, to, calls: moving }) => ({
      from: servingJson(from),
      to: servingJson(to),
      calls: moving,
    })),
    expected_cost:
      cost.calls === 0 ? null : { calls: cost.calls, before_usd: cost.before / NANO, after_usd: cost.after / NANO },
    expected_quality:
      chance.calls === 0
        ? null
        : { calls: chance.calls, before: chance.before / chance.calls, after: chance.after / chance.calls },
    unserved: {
      calls: [...unserved.values()].reduce((sum, count) => sum + count, 0),
      errors: Object.fromEntries(unserved),
    },
  };
}

function servingOf(target: ReplayedCall['before']): ReplayServing {
  return target === null ? null : { provider: target.provider, upstreamModel: target.upstreamModel };
}

function servingJson(serving: ReplayServing): { provider: string; model: string } | null {
  return serving === null ? null : { provider: serving.provider, model: serving.upstreamModel };
}

function addTo(pair: BeforeAndAfter, before: number | null, after: number | null): void {
  if (before === null || after === null) return;
  pair.calls += 1;
  pair.before += before;
  pair.after += after;
}
