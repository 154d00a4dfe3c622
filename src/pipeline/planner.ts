import { type CalledModel, isBanned } from '../core/access.ts';
import { type CallBudgets, demandsPrice } from '../core/budget.ts';
import { GatewayError } from '../core/errors.ts';
import type { CatalogEntry, DialectId, Directory, RouteEntry, Target, VendorEntry } from '../core/provider.ts';
import type { ApiKey } from '../core/records.ts';
import type { CallSummary, Decision, Route } from '../core/route.ts';
import type { Usage } from '../core/usage.ts';
import type { Dialect, Envelope, Thread } from '../dialects/dialect.ts';
import { featuresOf, smartTextOf, writeFeatures } from '../learning/features.ts';
import { candidatesOf } from '../routing/candidates.ts';
import { type DecideInput, decide } from '../routing/decide.ts';
import type { TargetRules } from '../routing/eligible.ts';
import type { FailoverPlan } from '../routing/failover.ts';
import { findEntry, type RequestedModel, targetsOf, wrongSurface } from '../routing/plan.ts';
import { hashed, inShares } from '../routing/random.ts';
import { traitsOf } from '../routing/traits.ts';
import { withFunctionsServed } from './function-calls.ts';
import { demandNamedModels } from './named-models.ts';
import type { CallRequest, PipelineParts } from './parts.ts';
import { mayContinue, threadNotFound } from './threads.ts';
import { envelopeWith } from './translation/own-parameters.ts';

/** The parts of a call that decide where it may go. */
export type PlanRequest = Pick<CallRequest, 'asked' | 'caller' | 'sent'>;

/** A call to a route, with its summary. */
export type RoutedCall = {
  entry: RouteEntry;
  call: PlanRequest;
  envelope: Envelope;
  directory: Directory;
  summary: CallSummary;
};

/** The targets of a call. */
export type CallPlan = FailoverPlan & {
  entry: CatalogEntry;
  /** `null` if the caller named a vendor's model. */
  route: Route | null;
  targets: readonly [Target, ...Target[]];
  decision: Decision | null;
};

const NO_TARGETS: readonly Target[] = [];

const TWO_32 = 2 ** 32;

/** Plans which targets each call may go to. */
export class Planner {
  readonly #parts: PipelineParts;
  /** For each dialect, the dialects that its calls can be sent in, its own first. */
  readonly #choices: ReadonlyMap<Dialect, readonly DialectId[]>;
  /** Plans for models with one credential, by the dialects that can be used; `null` if the model speaks none of them. */
  readonly #plans = new WeakMap<VendorEntry, Map<readonly DialectId[], CallPlan | null>>();

  constructor(parts: PipelineParts) {
    this.#parts = parts;
    this.#choices = new Map(parts.dialects.map((dialect) => [dialect, choicesOf(dialect, parts.dialects)]));
  }

  /** Throws `GatewayError`: 404, 403 or 400 if the call cannot be served here, 503 if it cannot be served now. */
  plan(call: PlanRequest, envelope: Envelope, directory: Directory): CallPlan {
    const plan = this.#planned(call, envelope, directory);
    demandNamedModels({ key: call.caller.key, envelope, find: directory.find }, plan);
    return this.spoken(plan, call.asked, envelope);
  }

  /** A plan with each target in the dialect that it is called in. */
  spoken<Plan extends FailoverPlan & { route: Route | null }>(plan: Plan, asked: Dialect, envelope: Envelope): Plan {
    if (asked.inbound.callsFunctions === undefined) return plan;
    return withFunctionsServed(plan, asked, envelope, this.dialectsOf(asked));
  }

  #planned(call: PlanRequest, envelope: Envelope, directory: Directory): CallPlan {
    const { asked, caller } = call;
    const dialects = this.dialectsOf(asked);
    const wanted = { model: envelope.model, label: asked.label, key: caller.key };
    const entry = findEntry(wanted, directory);
    if (entry.origin !== 'vendor') {
      const summary = asked.inbound.summarize(envelope);
      const routed = this.versionFor({ entry, call, envelope, directory, summary });
      return { entry: routed.entry, route: routed.input.route, ...decided(routed.input, envelope) };
    }
    const plan = this.#direct(entry, dialects) ?? this.#shared(entry, asked, wanted);
    return envelope.thread?.kind === 'continue' ? inThread(plan, asked, envelope.thread) : plan;
  }

  /** /!\ Hot path: a model whose provider has one credential has one plan, made once per configuration snapshot. */
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

  #shared(entry: VendorEntry, asked: Dialect, wanted: RequestedModel): CallPlan {
    const [first, ...others] = this.drawTargets(entry, asked);
    if (first === undefined) throw wrongSurface(wanted);
    return directPlan(entry, [first, ...others]);
  }

  /**
   * The version of a route that a call goes by, with all inputs of its decision. A conversation stays with one for as long as the
   * versions and the share are the same.
   */
  versionFor(call: RoutedCall): { entry: RouteEntry; input: DecideInput } {
    const { entry } = call;
    const input = this.#decideInput(call);
    const { canary } = entry;
    if (canary === undefined) return { entry, input };
    const { conversation } = input.traits;
    const drawnBy = conversation === null ? input.seed : hashed(`${canary.entry.route.version} ${conversation}`);
    if (drawnBy / TWO_32 >= canary.share) return { entry, input };
    return { entry: canary.entry, input: this.#decideInput({ ...call, entry: canary.entry }) };
  }

  /** All inputs of a route's decision on this call. */
  #decideInput({ entry, call, envelope, directory, summary }: RoutedCall): DecideInput {
    const { asked, caller } = call;
    const { route } = entry;
    const { health, affinity, clock, random } = this.#parts;
    const called = { entry, sent: envelope.model, find: directory.find };
    const budgets = this.#parts.budgetsOf(caller.key, called);
    const traits = traitsOf({
      summary,
      surface: asked.id,
      stream: envelope.stream,
      promptTokens: envelope.estimatedInputTokens,
      maxOutputTokens: envelopeWith(asked, envelope, route.parameters ?? null).maxOutputTokens,
      key: caller.key,
      hasBudget: demandsPrice(caller.key, budgets),
      routeId: route.id,
      headerPrefix: this.#parts.current().settings.headerPrefix,
      header: (name) => call.sent.header(name),
      now: clock.now(),
      features: route.smart === null ? null : featuresIn(summary, envelope.estimatedInputTokens),
    });
    return {
      route,
      candidates: candidatesOf(route, directory, this.dialectsOf(asked)),
      traits,
      health: (target) => health.of(target, caller.key.id),
      scorer: this.#parts.scorerOf(route),
      seed: Math.floor(random() * TWO_32),
      warm: affinity.find(traits, clock.monotonic()),
      rules: this.#rulesOf({ asked, key: caller.key, thread: envelope.thread }, called, budgets),
    };
  }

  /** Rules for single targets; `null` if there are none. */
  #rulesOf(
    { asked, key, thread }: { asked: Dialect; key: ApiKey; thread: Envelope['thread'] },
    called: CalledModel & Pick<Directory, 'find'>,
    budgets: CallBudgets,
  ): TargetRules | null {
    const models = key.inForce?.models ?? null;
    if (models?.mode !== 'deny_list' && budgets.hasMore !== true && thread?.kind !== 'continue') return null;
    return {
      mayContinue: (target) => mayContinue(thread, asked.id, target, true),
      isBanned: (target) => isBanned(models, target, called.find),
      demandsPrice: (target) => demandsPrice(key, this.#parts.budgetsOf(key, called, [target])),
    };
  }

  /** Notes that a target answered, so that its prompt cache is warm for the conversation. */
  noteAnswer({ decision }: CallPlan, target: Target, usage: Usage): void {
    if (decision === null) return;
    const { affinity, clock } = this.#parts;
    const { conversation } = decision.traits;
    if (conversation !== null) affinity.note(conversation, target, cachedTokens(target, usage), clock.monotonic());
  }

  /** The dialects that calls in this one can be sent in. */
  dialectsOf(asked: Dialect): readonly DialectId[] {
    return this.#choices.get(asked) ?? [asked.id];
  }

  /** The targets of a model that is named directly. Of several credentials each comes first for its share of the calls. */
  drawTargets(entry: VendorEntry, asked: Dialect): readonly Target[] {
    const targets = targetsOf(entry, this.dialectsOf(asked));
    if (targets.length < 2) return targets;
    const { accesses } = entry;
    const weightOf = (target: Target) => accesses.find(({ provider }) => provider === target.provider)?.weight ?? 0;
    return inShares(targets, weightOf, Math.floor(this.#parts.random() * TWO_32));
  }
}

/**
 * Shortest prompt, in tokens, that vendors with automatic caching cache.
 * https://platform.openai.com/docs/guides/prompt-caching
 */
const LEAST_CACHED = 1024;

/**
 * How many tokens of the next prompt a vendor probably has cached: those that it reported; or the whole prompt if it
 * caches automatically, which shows in a price for reading the cache but none for writing.
 */
function cachedTokens({ model }: Target, usage: Usage): number {
  const said = usage.cacheReadTokens + usage.cacheWriteTokens;
  const { cache_read: reading, cache_write: writing } = model.price?.rates ?? {};
  const keepsAll = reading !== undefined && writing === undefined && usage.inputTokens >= LEAST_CACHED;
  return keepsAll ? usage.inputTokens : said;
}

/**
 * What the route decides. If the call continues a thread whose keeper cannot serve now, the client is asked to send the
 * whole conversation.
 */
function decided(input: DecideInput, { thread }: Envelope): ReturnType<typeof decide> {
  try {
    return decide(input);
  } catch (error) {
    const isLost =
      error instanceof GatewayError && (error.kind === 'thread_not_found' || error.kind === 'no_target_available');
    throw thread?.kind === 'continue' && isLost ? threadNotFound() : error;
  }
}

function inThread(plan: CallPlan, asked: Dialect, thread: Thread): CallPlan {
  const [first, ...others] = plan.targets.filter((target) => mayContinue(thread, asked.id, target));
  if (first === undefined) throw threadNotFound();
  return { ...plan, targets: [first, ...others] };
}

function directPlan(entry: VendorEntry, targets: CallPlan['targets']): CallPlan {
  return { entry, route: null, targets, contextTargets: NO_TARGETS, policyTargets: NO_TARGETS, decision: null };
}

/** The features that a smart route predicts and later learns from. The prompt itself is not kept. */
function featuresIn(summary: CallSummary, promptTokens: number): string {
  return writeFeatures(featuresOf(smartTextOf(summary, promptTokens)));
}

/** The dialects that a call can be sent in: first its own, in which its bytes pass, then others, richest first. */
export function choicesOf(asked: Dialect, dialects: readonly Dialect[]): readonly DialectId[] {
  const others = asked.translation === undefined ? [] : dialects.filter(({ translation }) => translation !== undefined);
  return [...new Set([asked.id, ...others.map(({ id }) => id)])];
}
