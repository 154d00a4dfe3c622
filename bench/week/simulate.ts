import { GatewayError } from '../../src/core/errors.ts';
import type { Target } from '../../src/core/provider.ts';
import type { Route } from '../../src/core/route.ts';
import { Affinity } from '../../src/routing/affinity.ts';
import { candidatesOf } from '../../src/routing/candidates.ts';
import { type Decided, decide } from '../../src/routing/decide.ts';
import { costRates, ratesAt } from '../../src/routing/expected-cost.ts';
import { Health } from '../../src/routing/health/health.ts';
import type { Ticket } from '../../src/routing/health/ticket.ts';
import type { Scorer } from '../../src/routing/policies/smart.ts';
import { seeded } from '../../src/testing/seeded.ts';
import { Agenda } from './agenda.ts';
import { type Call, traffic } from './traffic.ts';
import { directoryAt, type Fate, fateOf, PRICE_CHANGES } from './vendors.ts';

const DIALECTS = ['openai-chat'] as const;
/** Whose calls they are: all of one product. */
const KEY_ID = 'key_1';
const MAX_ATTEMPTS = 3;
/** Failed attempts that the vendor may have worked on, and charge for, behind which there is another. */
const MAX_WORKED = 1;
/** Output tokens a second, once an answer has begun. */
const TOKENS_PER_SECOND = 80;
/** How long vendors keep a prompt. */
const CACHE_MS = 300_000;
const CACHED_FROM_TOKENS = 1024;

/** `quality`: the mean chance that an answer was good. Times to the first token, in ms; costs in dollars per 1,000 calls. */
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

/** The chance of a good answer, as it is. */
export function chanceOf(name: string, difficulty: number): number {
  return name.startsWith('large') ? 0.97 - 0.12 * difficulty : 0.97 - 0.65 * difficulty;
}

/**
 * Lives through the week with one route: real decisions, real health, and the rules of repeating. At most three attempts,
 * and none behind the second that may have been worked on. `survives` off: the first target alone, asked once, whatever became of
 * the calls before.
 */
export function simulate(route: Route, scorer: Scorer, calls: number, seed: number, survives = true): Week {
  const began = process.hrtime.bigint();
  const chances = seeded(seed + 1);
  const agenda = new Agenda<() => void>();
  let now = 0;
  const clock = { now: () => now, monotonic: () => now };
  const health = new Health(clock, chances);
  const affinity = new Affinity();
  /** Which prompts are cached where. */
  const caches = new Map<string, { tokens: number; at: number }>();
  const latencies = new Float32Array(calls);
  const total = { answered: 0, cost: 0, attempts: 0, quality: 0 };
  let directory = directoryAt(0);
  let changes = 1;

  const attempt = (one: UnderWay): void => {
    const { targets } = one.decided;
    while (one.next < targets.length && one.attempts < MAX_ATTEMPTS) {
      const target = targets[one.next]!;
      one.next += 1;
      const ticket = survives ? health.admit(target, KEY_ID, one.next === targets.length) : null;
      if (survives && ticket === null) continue;
      one.attempts += 1;
      total.attempts += 1;
      const fate = fateOf(target, now, chances);
      agenda.put(now + fate.ms, () =>
        fate.error === null ? serve(one, target, ticket, fate) : fail(one, ticket, fate),
      );
      return;
    }
  };

  const fail = (one: UnderWay, ticket: Ticket | null, { error, sent }: Fate): void => {
    ticket?.failed(error!, KEY_ID);
    if (sent) one.worked += 1;
    if (survives && one.worked <= MAX_WORKED) attempt(one);
  };

  const serve = ({ call }: UnderWay, target: Target, ticket: Ticket | null, { ms }: Fate): void => {
    ticket?.answered(ms);
    latencies[total.answered] = now - call.at;
    total.answered += 1;
    total.quality += chanceOf(target.model.id, call.difficulty);
    total.cost += cost(call, target);
    affinity.note(call.traits.conversation!, target, call.traits.promptTokens, now);
    agenda.put(now + (call.outputTokens * 1000) / TOKENS_PER_SECOND, () => ticket?.succeeded({ firstTokenMs: ms }));
  };

  const cost = ({ traits, outputTokens }: Call, { provider, model }: Target): number => {
    const place = `${traits.conversation} ${provider.id} ${provider.credentialName}`;
    const seen = caches.get(place);
    const { promptTokens } = traits;
    const cached =
      seen !== undefined && now - seen.at < CACHE_MS && seen.tokens >= CACHED_FROM_TOKENS ? seen.tokens : 0;
    caches.set(place, { tokens: promptTokens, at: now });
    const rate = ratesAt(costRates(model.price), promptTokens)!;
    return (promptTokens - cached) * rate.input! + cached * rate.cacheRead! + outputTokens * rate.output!;
  };

  const arrive = (call: Call): void => {
    const { traits } = call;
    const warm = survives ? affinity.find(traits, now) : null;
    const known = warm === null || warm.cachedTokens < CACHED_FROM_TOKENS ? null : warm;
    const candidates = candidatesOf(route, directory, DIALECTS);
    try {
      const decided = decide({
        route,
        candidates,
        traits,
        health: (target) => health.of(target, KEY_ID),
        scorer,
        seed: Math.floor(chances() * 2 ** 32),
        warm: known,
      });
      attempt({ call, decided, next: 0, attempts: 0, worked: 0 });
    } catch (error) {
      // Nobody could be asked: the call is one that failed.
      if (!(error instanceof GatewayError)) throw error;
    }
  };

  for (const call of traffic(calls, seeded(seed))) {
    for (let due = agenda.take(call.at); due !== null; due = agenda.take(call.at)) {
      now = due.at;
      due.what();
    }
    now = call.at;
    if (PRICE_CHANGES[changes] !== undefined && now >= PRICE_CHANGES[changes]!) {
      directory = directoryAt(now);
      changes += 1;
      caches.clear();
    }
    arrive(call);
  }
  for (let due = agenda.take(Number.POSITIVE_INFINITY); due !== null; due = agenda.take(Number.POSITIVE_INFINITY)) {
    now = due.at;
    due.what();
  }
  const times = latencies.subarray(0, total.answered).sort();
  const at = (part: number) => times[Math.min(times.length - 1, Math.floor(part * times.length))] ?? 0;
  return {
    answered: total.answered / calls,
    cost: total.cost / 1e9 / (total.answered / 1000),
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    attempts: total.attempts / calls,
    quality: total.quality / total.answered,
    seconds: Number(process.hrtime.bigint() - began) / 1e9,
  };
}
