import type { CallLook, Route } from '../../core/route.ts';
import { smartTextOf } from '../../routing/smart/features.ts';
import { decidingWords } from '../../routing/smart/model.ts';
import type { LiveModel } from './live-models.ts';

/** How many features are told for each target. */
const TOLD = 10;

/** `weight`: how much a feature changed the logit of the target's chance. The strongest first. */
export type DecidedBy = { target: string; features: readonly { name: string; weight: number }[] };

/** What of a call spoke for or against each target of a route; `null` where it asks no model, or has learned nothing yet. */
export function decidedBy(
  { model }: LiveModel,
  { smart, targets }: Route,
  look: CallLook,
  promptTokens: number,
): DecidedBy[] | null {
  if (smart === null || model === null) return null;
  const text = smartTextOf(look, promptTokens);
  const names = [...new Set(targets.map((target) => target.model))];
  return names.map((target) => ({
    target,
    features: decidingWords(model, text, target, TOLD).map(({ feature, weight }) => ({ name: feature, weight })),
  }));
}
