import type { Unpriced } from './route.ts';

/** The targets of a route that serve no call under a hard budget or spend limit, because they have no price. */
export type UnpricedTargets = {
  route: string;
  /** The route's names for them. */
  models: readonly string[];
  /** The route's setting for them. */
  unpriced: Exclude<Unpriced, 'serve'>;
  /** True if no target of the route has a price. */
  isAll: boolean;
};

/** The consequence as a sentence for the operator. */
export function unpricedSentence({ route, models, unpriced, isAll }: UnpricedTargets): string {
  const have = models.length === 1 ? 'has' : 'have';
  const served =
    unpriced === 'refuse' || isAll ? 'is refused' : 'is served by the other targets of the route, whatever they cost';
  return (
    `Route ${route}: ${models.join(', ')} ${have} no price, so a call under a budget or spend limit ${served} ` +
    `(unpriced: ${unpriced}). Set a price (headgate prices set), or choose with \`unpriced\` of the route.`
  );
}
