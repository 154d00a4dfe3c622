import type { DialectId, Directory, Target } from '../core/provider.ts';
import type { Usage } from '../core/usage.ts';
import type { Dialect, Envelope } from '../dialects/dialect.ts';
import { findEntry, targetsOf, wrongSurface } from '../routing/plan.ts';
import { choicesOf } from './choices.ts';
import type { CallRequest, PipelineParts, PipelineSettings } from './parts.ts';
import { type CallPlan, NO_TARGETS } from './plan-call.ts';

/** Finds out where each call may go. */
export class Planner {
  /** The dialects that a call in each dialect can go out in, its own first. */
  readonly #choices: ReadonlyMap<Dialect, readonly DialectId[]>;

  constructor(parts: PipelineParts) {
    this.#choices = new Map(parts.dialects.map((dialect) => [dialect, choicesOf(dialect, parts.dialects)]));
  }

  plan(request: CallRequest, envelope: Envelope, directory: Directory, _settings: PipelineSettings): CallPlan {
    const { asked, caller } = request;
    const dialects = this.#choices.get(asked) ?? [asked.id];
    const wanted = { model: envelope.model, dialects, label: asked.label, key: caller.key };
    const entry = findEntry(wanted, directory);
    const [first, ...others] = entry.origin === 'vendor' ? targetsOf(entry, dialects) : [];
    if (first === undefined) throw wrongSurface(wanted);
    return {
      entry,
      route: null,
      targets: [first, ...others],
      contextTargets: NO_TARGETS,
      policyTargets: NO_TARGETS,
      decision: null,
    };
  }

  /** A target has answered. */
  served(_plan: CallPlan, _target: Target, _usage: Usage): void {}
}
