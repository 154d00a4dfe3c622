import type { DecisionCandidate } from '../../core/route.ts';
import { type Column, table } from '../table.ts';
import type { ReplayedCall } from '../toolbox.ts';
import { moneyText } from '../words.ts';

const NANO = 1e9;

/** Sums of something before and after, over the calls of which both are known. */
type BeforeAndAfter = { calls: number; before: number; after: number };

type Move = { from: ServingTarget; to: ServingTarget; calls: number };
type ServingTarget = Pick<DecisionCandidate, 'provider' | 'upstreamModel'> | null;

/** What a draft would change, over any number of calls: only sums are kept. */
export class ReplaySummary {
  calls = 0;
  #moved = 0;
  readonly #moves = new Map<string, Move>();
  /** Calls that nobody would serve, by the kind of the error. */
  readonly #unserved = new Map<string, number>();
  readonly #cost: BeforeAndAfter = { calls: 0, before: 0, after: 0 };
  readonly #chance: BeforeAndAfter = { calls: 0, before: 0, after: 0 };

  add({ before, after, moved, refusal }: ReplayedCall): void {
    this.calls += 1;
    if (moved) this.#moved += 1;
    if (refusal !== null) this.#unserved.set(refusal.kind, (this.#unserved.get(refusal.kind) ?? 0) + 1);
    const [from, to] = [targetOf(before), targetOf(after)];
    const name = JSON.stringify([from, to]);
    const move = this.#moves.get(name) ?? { from, to, calls: 0 };
    move.calls += 1;
    this.#moves.set(name, move);
    addTo(this.#cost, before?.expectedCost ?? null, after?.expectedCost ?? null);
    addTo(this.#chance, before?.chance ?? null, after?.chance ?? null);
  }

  text(): string {
    const { calls } = this;
    const parts = [
      table(COLUMNS, this.#sorted()),
      `${this.#moved} of ${calls} would go to another target (${percent(this.#moved, calls)}).`,
      costText(this.#cost),
      chanceText(this.#chance),
      ...(this.#unserved.size === 0 ? [] : [unservedText(this.#unserved)]),
    ];
    return `${parts[0]}\n\n${parts.slice(1).join('\n')}`;
  }

  /** Amounts in dollars, over the calls of which both are known; `null` where there are none. */
  json(): Record<string, unknown> {
    const { calls: priced, before, after } = this.#cost;
    const { calls: judged } = this.#chance;
    return {
      calls: this.calls,
      moved: this.#moved,
      moves: this.#sorted().map(({ from, to, calls }) => ({ from: targetJson(from), to: targetJson(to), calls })),
      expected_cost: priced === 0 ? null : { calls: priced, before_usd: before / NANO, after_usd: after / NANO },
      expected_quality:
        judged === 0
          ? null
          : { calls: judged, before: this.#chance.before / judged, after: this.#chance.after / judged },
      unserved: {
        calls: [...this.#unserved.values()].reduce((sum, count) => sum + count, 0),
        errors: Object.fromEntries(this.#unserved),
      },
    };
  }

  #sorted(): Move[] {
    return [...this.#moves.values()].sort((one, other) => other.calls - one.calls);
  }
}

const COLUMNS: readonly Column<Move>[] = [
  { title: 'FROM', of: ({ from }) => targetText(from) },
  { title: 'TO', of: ({ from, to }) => (isSame(from, to) ? 'the same' : targetText(to)) },
  { title: 'CALLS', of: ({ calls }) => `${calls}`, align: 'right' },
];

function targetOf(outcome: ReplayedCall['before']): ServingTarget {
  return outcome === null ? null : { provider: outcome.provider, upstreamModel: outcome.upstreamModel };
}

function targetText(target: ServingTarget): string {
  return target === null ? 'nobody' : `${target.upstreamModel} of ${target.provider}`;
}

function targetJson(target: ServingTarget): Record<string, unknown> | null {
  return target === null ? null : { provider: target.provider, model: target.upstreamModel };
}

function isSame(one: ServingTarget, other: ServingTarget): boolean {
  return one?.provider === other?.provider && one?.upstreamModel === other?.upstreamModel;
}

function addTo(pair: BeforeAndAfter, before: number | null, after: number | null): void {
  if (before === null || after === null) return;
  pair.calls += 1;
  pair.before += before;
  pair.after += after;
}

function costText({ calls, before, after }: BeforeAndAfter): string {
  if (calls === 0) return 'No call has a price both before and after.';
  const change = before === 0 ? '' : ` (${signedPercent((after - before) / before)})`;
  return `Expected cost of ${calls}: ${nanoText(before)} before, ${nanoText(after)} after${change}.`;
}

function chanceText({ calls, before, after }: BeforeAndAfter): string {
  if (calls === 0) return 'No call has an expected quality both before and after.';
  return `Expected quality of ${calls}: ${(before / calls).toFixed(3)} before, ${(after / calls).toFixed(3)} after.`;
}

function unservedText(unserved: ReadonlyMap<string, number>): string {
  const kinds = [...unserved].map(([kind, count]) => `${kind} (${count})`).join(', ');
  return `Nobody would serve some: ${kinds}.`;
}

function nanoText(nano: number): string {
  return moneyText(BigInt(Math.round(nano)));
}

function percent(part: number, whole: number): string {
  return `${Math.round((part / whole) * 100)} %`;
}

function signedPercent(part: number): string {
  return `${part < 0 ? '-' : '+'}${Math.round(Math.abs(part) * 100)} %`;
}
