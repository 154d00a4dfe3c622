import type { DialectId, Directory, RouteEntry, Target, VendorEntry } from '../core/provider.ts';
import type { CallLook } from '../core/route.ts';
import type { Usage } from '../core/usage.ts';
import type { Dialect, Envelope } from '../dialects/dialect.ts';
import { candidatesOf } from '../routing/candidates.ts';
import { type DecideInput, decide } from '../routing/decide.ts';
import { findEntry, targetsOf, type Wanted, wrongSurface } from '../routing/plan.ts';
import { inShares } from '../routing/shares.ts';
import { featuresOf, smartTextOf, writeFeatures } from '../routing/smart/features.ts';
import { traitsOf } from '../routing/traits.ts';
import { choicesOf } from './choices.ts';
import type { CallRequest, PipelineParts } from './parts.ts';
import { type CallPlan, NO_TARGETS } from './plan-call.ts';

/** What of a call decides where it may go. */
export type PlannedCall = Pick<CallRequest, 'asked' | 'caller' | 'sent'>;

const TWO_32 = 2 ** 32;

/** Finds out where each call may go. */
export class Planner {
  readonly #parts: PipelineParts;
  /** The dialects that a call in each dialect can go out in, its own first. */
  readonly #choices: ReadonlyMap<Dialect, readonly DialectId[]>;
  /** Of models with one credential, by the dialects that can be spoken; `null` where they speak none of them. */
  readonly #plans = new WeakMap<VendorEntry, Map<readonly DialectId[], CallPlan | null>>();

  constructor(parts: PipelineParts) {
    this.#parts = parts;
    this.#choices = new Map(parts.dialects.map((dialect) => [dialect, choicesOf(dialect, parts.dialects)]));
  }

  /** Throws `GatewayError`: 404, 403, 400 where the call cannot be served here, or 503 where it cannot be now. */
  plan(call: PlannedCall, envelope: Envelope, directory: Directory): CallPlan {
    const { asked, caller } = call;
    const dialects = this.dialectsOf(asked);
    const wanted = { model: envelope.model, label: asked.label, key: caller.key };
    const entry = findEntry(wanted, directory);
    if (entry.origin !== 'vendor') return this.#routed(entry, this.decideInput(entry, call, envelope, directory));
    return this.#direct(entry, dialects) ?? this.#shared(entry, targetsOf(entry, dialects), wanted);
  }

  /** /!\ Hot path: a model whose provider has one credential has one plan, which is made once for each picture. */
  #direct(entry: VendorEntry, dialects: readonly DialectId[]): CallPlan | null {
    if (entry.accesses.length > 1) return null;
    let plans = this.#plans.get(entry);
    if (plans === undefined) {
      plans = new Map();
      this.#plans.set(entry, plans);
    }
    const known = plans.get(dialects);
    if (known !== undefined) return known;
    const [target] = targetsOf(entry, dialects);
    const plan = target === undefined ? null : directPlan(entry, [target]);
    plans.set(dialects, plan);
    return plan;
  }

  #shared(entry: VendorEntry, targets: readonly Target[], wanted: Wanted): CallPlan {
    const [first, ...others] = this.#inShares(entry, targets);
    if (first === undefined) throw wrongSurface(wanted);
    return directPlan(entry, [first, ...others]);
  }

  /** Everything that a route decides on, for this call and now. `look`: the call's, where it was looked at already. */
  decideInput(
    entry: RouteEntry,
    call: PlannedCall,
    envelope: Envelope,
    directory: Directory,
    look = call.asked.inbound.look(envelope),
  ): DecideInput {
    const { asked, caller } = call;
    const { route } = entry;
    const { health, affinity, clock, random } = this.#parts;
    const traits = traitsOf({
      look,
      surface: asked.id,
      stream: envelope.stream,
      promptTokens: envelope.estimatedInputTokens,
      maxOutputTokens: envelope.maxOutputTokens,
      key: caller.key,
      hasBudget: this.#parts.demandsPrice(caller.key),
      routeId: route.id,
      headerPrefix: this.#parts.current().settings.headerPrefix,
      header: (name) => call.sent.header(name),
      now: clock.now(),
      features: route.smart === null ? null : featuresIn(look, envelope.estimatedInputTokens),
    });
    return {
      route,
      candidates: candidatesOf(route, directory, this.dialectsOf(asked)),
      traits,
      health: (target) => health.of(target, caller.key.id),
      scorer: this.#parts.scorerOf(route),
      seed: Math.floor(random() * TWO_32),
      warm: affinity.find(traits, clock.monotonic()),
    };
  }

  /** A target has answered: its cache is warm for what follows. */
  served({ decision }: CallPlan, target: Target, usage: Usage): void {
    if (decision === null) return;
    const { affinity, clock } = this.#parts;
    const { conversation } = decision.traits;
    if (conversation !== null) affinity.note(conversation, target, cachedTokens(target, usage), clock.monotonic());
  }

  #routed(entry: RouteEntry, input: DecideInput): CallPlan {
    return { entry, route: entry.route, ...decide(input) };
  }

  /** Those that a call in this one can go out in. */
  dialectsOf(asked: Dialect): readonly DialectId[] {
    return this.#choices.get(asked) ?? [asked.id];
  }

  /** Several credentials of one provider, each first with its share of the calls. */
  #inShares({ accesses }: VendorEntry, targets: readonly Target[]): readonly Target[] {
    if (targets.length < 2) return targets;
    const weightOf = (target: Target) => accesses.find(({ provider }) => provider === target.provider)?.weight ?? 0;
    return inShares(targets, weightOf, Math.floor(this.#parts.random() * TWO_32));
  }
}

/** Vendors that keep prompts by themselves do so from this length on. https://platform.openai.com/docs/guides/prompt-caching */
const LEAST_CACHED = 1024;

/**
 * How much of the next prompt a vendor is expected to have: what it says that it keeps; and all of this one where it keeps
 * prompts without being asked, which is where reading them has a price and writing none.
 */
function cachedTokens({ model }: Target, usage: Usage): number {
  const said = usage.cacheReadTokens + usage.cacheWriteTokens;
  const { cache_read: reading, cache_write: writing } = model.price?.rates ?? {};
  const keepsAll = reading !== undefined && writing === undefined && usage.inputTokens >= LEAST_CACHED;
  return keepsAll ? usage.inputTokens : said;
}

function directPlan(entry: VendorEntry, targets: CallPlan['targets']): CallPlan {
  return { entry, route: null, targets, contextTargets: NO_TARGETS, policyTargets: NO_TARGETS, decision: null };
}

/** What a smart route predicts from, and learns from later: the prompt itself is not kept. */
function featuresIn(look: CallLook, promptTokens: number): string {
  return writeFeatures(featuresOf(smartTextOf(look, promptTokens)));
}
