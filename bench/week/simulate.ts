import { GatewayError } from '../../src/core/errors.ts';
import type { Target } from '../../src/core/provider.ts';
import type { Route } from '../../src/core/route.ts';
import { Health } from '../../src/health/health.ts';
import type { WatchedAttempt } from '../../src/health/watched-attempt.ts';
import type { Scorer } from '../../src/learning/scorer.ts';
import { Affinity } from '../../src/routing/affinity.ts';
import { candidatesOf } from '../../src/routing/candidates.ts';
import { type Decided, decide } from '../../src/routing/decide.ts';
import { costRates, ratesAt } from '../../src/routing/expected-cost.ts';
import { seeded } from '../../src/testing/seeded.ts';
import { Agenda } from './agenda.ts';
import { type Call, traffic } from './traffic.ts';
import { directoryAt, type Fate, fateOf, PRICE_CHANGES } from './vendors.ts';

const DIALECTS = ['openai-chat'] as const;
/** The key of the calls, which all belong to one product. */
const KEY_ID = 'key_1';
const MAX_ATTEMPTS = 3;
/** The most failed attempts for which the vendor may have worked and charged, before the call fails. */
const MAX_WORKED = 1;
/** Output tokens per second after the first token. */
const TOKENS_PER_SECOND = 80;
/** How long vendors cache a prompt. */
const CACHE_MS = 300_000;
const CACHED_FROM_TOKENS = 1024;

/**
 * `quality`: the mean probability of a good answer. Times to the first token are ms; costs are dollars per 1,000 calls.
 */
export type Week = {
  answered: number;
  cost: number;
  p50: number;
  p95: number;
  p99: number;
  attempts: number;
  quality: number;
  seconds: number;
};

type UnderWay = { call: Call; decided: Decided; next: number; attempts: number; worked: number };

/** The true probability of a good answer. */
export function chanceOf(name: string, difficulty: number): number {
  return name.startsWith('large') ? 0.97 - 0.12 * difficulty : 0.97 - 0.65 * difficulty;
}

/**
 * Simulates the week with one route: real decisions, real health, and the rules for further attempts. At most three
 * attempts, and none after the second that a vendor may have worked on. Without `survives`, only the first target is
 * tried, once, whatever the results of earlier calls.
 */
export function simulate(plan: WeekPlan): Week {
  return new Simulation(plan).run();
}

/** `survives`: true if other targets are tried after a failure, and failing targets are skipped for a while. */
export type WeekPlan = { route: Route; scorer: Scorer; calls: number; seed: number; survives: boolean };

class Simulation {
  readonly #plan: WeekPlan;
  readonly #chances: () => number;
  readonly #agenda = new Agenda<() => void>();
  #now = 0;
  readonly #health: Health;
  readonly #affinity = new Affinity();
  /** The cached prompts by target. */
  readonly #caches = new Map<string, { tokens: number; at: number }>();
  readonly #latencies: Float32Array;
  readonly #total = { answered: 0, cost: 0, attempts: 0, quality: 0 };
  #directory = directoryAt(0);

  constructor(plan: WeekPlan) {
    this.#plan = plan;
    this.#chances = seeded(plan.seed + 1);
    this.#health = new Health({ now: () => this.#now, monotonic: () => this.#now }, this.#chances);
    this.#latencies = new Float32Array(plan.calls);
  }

  run(): Week {
    const began = process.hrtime.bigint();
    let changes = 1;
    for (const call of traffic(this.#plan.calls, seeded(this.#plan.seed))) {
      for (let due = this.#agenda.take(call.at); due !== null; due = this.#agenda.take(call.at)) {
        this.#now = due.at;
        due.what();
      }
      this.#now = call.at;
      if (PRICE_CHANGES[changes] !== undefined && this.#now >= PRICE_CHANGES[changes]!) {
        this.#directory = directoryAt(this.#now);
        changes += 1;
        this.#caches.clear();
      }
      this.#arrive(call);
    }
    for (
      let due = this.#agenda.take(Number.POSITIVE_INFINITY);
      due !== null;
      due = this.#agenda.take(Number.POSITIVE_INFINITY)
    ) {
      this.#now = due.at;
      due.what();
    }
    const times = this.#latencies.subarray(0, this.#total.answered).sort();
    const at = (part: number) => times[Math.min(times.length - 1, Math.floor(part * times.length))] ?? 0;
    return {
      answered: this.#total.answered / this.#plan.calls,
      cost: this.#total.cost / 1e9 / (this.#total.answered / 1000),
      p50: at(0.5),
      p95: at(0.95),
      p99: at(0.99),
      attempts: this.#total.attempts / this.#plan.calls,
      quality: this.#total.quality / this.#total.answered,
      seconds: Number(process.hrtime.bigint() - began) / 1e9,
    };
  }

  #attempt(one: UnderWay): void {
    const { targets } = one.decided;
    while (one.next < targets.length && one.attempts < MAX_ATTEMPTS) {
      const target = targets[one.next]!;
      one.next += 1;
      const watched = this.#plan.survives ? this.#health.admit(target, KEY_ID, one.next === targets.length) : null;
      if (this.#plan.survives && watched === null) continue;
      one.attempts += 1;
      this.#total.attempts += 1;
      const fate = fateOf(target, this.#now, this.#chances);
      this.#agenda.put(this.#now + fate.ms, () =>
        fate.error === null ? this.#serve(one, target, watched, fate) : this.#fail(one, watched, fate),
      );
      return;
    }
  }

  #fail(one: UnderWay, watched: WatchedAttempt | null, { error, sent }: Fate): void {
    watched?.failed(error!, KEY_ID);
    if (sent) one.worked += 1;
    if (this.#plan.survives && one.worked <= MAX_WORKED) this.#attempt(one);
  }

  #serve({ call }: UnderWay, target: Target, watched: WatchedAttempt | null, { ms }: Fate): void {
    watched?.answered(ms);
    this.#latencies[this.#total.answered] = this.#now - call.at;
    this.#total.answered += 1;
    this.#total.quality += chanceOf(target.model.id, call.difficulty);
    this.#total.cost += this.#cost(call, target);
    this.#affinity.note(call.traits.conversation!, target, call.traits.promptTokens, this.#now);
    this.#agenda.put(this.#now + (call.outputTokens * 1000) / TOKENS_PER_SECOND, () =>
      watched?.succeeded({ firstTokenMs: ms }),
    );
  }

  #cost({ traits, outputTokens }: Call, { provider, model }: Target): number {
    const place = `${traits.conversation} ${provider.id} ${provider.credentialName}`;
    const seen = this.#caches.get(place);
    const { promptTokens } = traits;
    const cached =
      seen !== undefined && this.#now - seen.at < CACHE_MS && seen.tokens >= CACHED_FROM_TOKENS ? seen.tokens : 0;
    this.#caches.set(place, { tokens: promptTokens, at: this.#now });
    const rate = ratesAt(costRates(model.price), promptTokens)!;
    return (promptTokens - cached) * rate.input! + cached * rate.cacheRead! + outputTokens * rate.output!;
  }

  #arrive(call: Call): void {
    const { traits } = call;
    const warm = this.#plan.survives ? this.#affinity.find(traits, this.#now) : null;
    const known = warm === null || warm.cachedTokens < CACHED_FROM_TOKENS ? null : warm;
    const candidates = candidatesOf(this.#plan.route, this.#directory, DIALECTS);
    try {
      const decided = decide({
        route: this.#plan.route,
        candidates,
        traits,
        health: (target) => this.#health.of(target, KEY_ID),
        scorer: this.#plan.scorer,
        seed: Math.floor(this.#chances() * 2 ** 32),
        warm: known,
      });
      this.#attempt({ call, decided, next: 0, attempts: 0, worked: 0 });
    } catch (error) {
      // If no target is left, the call has failed.
      if (!(error instanceof GatewayError)) throw error;
    }
  }
}
