import type { ErrorKind, GatewayError } from './errors.ts';
import type { CallReader } from './ports.ts';
import type { Decision, DecisionCandidate } from './route.ts';

type ReplayedTarget = Pick<DecisionCandidate, 'model' | 'provider' | 'upstreamModel' | 'expectedCost' | 'chance'>;

/** A call's first target before and after a draft. `null`: none; `refusal` says why. */
export type ReplayedCall = {
  before: ReplayedTarget | null;
  after: ReplayedTarget | null;
  moved: boolean;
  refusal: GatewayError | null;
};

/** The serving target; `null`: none. */
export type ReplayServing = Pick<DecisionCandidate, 'provider' | 'upstreamModel'> | null;
export type ReplayMove = { from: ReplayServing; to: ReplayServing; calls: number };

/** Sums before and after, over the calls with both values. */
export type BeforeAndAfter = { calls: number; before: number; after: number };

/** The changes that a draft would make, as sums over calls. Costs in nano-dollars. */
export type ReplayResult = {
  calls: number;
  moved: number;
  /** Most calls first. */
  moves: readonly ReplayMove[];
  /** Calls that no target would serve, by error kind. */
  unserved: ReadonlyMap<ErrorKind, number>;
  cost: BeforeAndAfter;
  chance: BeforeAndAfter;
  /** True if no call was left out because of the limits of number or time. */
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

/** The calls of a route to replay: since `from` (Unix ms), at most `limit`, until `isOver`. */
export type ReplaySpan = { routeId: string; from: number; limit: number; isOver(): boolean };

/** Replays past calls of a route, oldest first. */
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

/** The JSON form: amounts in dollars, over the calls with both values; `null` without such calls. */
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
