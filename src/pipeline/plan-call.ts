import type { CatalogEntry, Target } from '../core/provider.ts';
import type { Decision, Route } from '../core/route.ts';
import type { WalkPlan } from '../routing/walk.ts';

/** Where a call may go. */
export type CallPlan = WalkPlan & {
  entry: CatalogEntry;
  /** `null` where the caller named a vendor's model. */
  route: Route | null;
  targets: readonly [Target, ...Target[]];
  decision: Decision | null;
};

export const NO_TARGETS: readonly Target[] = [];
