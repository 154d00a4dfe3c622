import * as z from 'zod';
import { UNPRICED } from '../core/route.ts';
import { condition } from './condition-schema.ts';
import { amount, count, dollars, flag, fraction, name, wait, word } from './fields.ts';
import { price } from './model-schema.ts';
import { credentialName, label, modelName, regionName } from './names.ts';
import { ownParameters } from './parameter-schema.ts';

/** How often targets may be asked for one call, whatever a file says. */
export const MAX_ATTEMPTS = 10;

/** Compared with a target's base rates, for prompts of any length. */
const maxPrice = z
  .strictObject({
    input_per_1m: dollars().optional().describe('Of the prompt, in dollars per million tokens.'),
    output_per_1m: dollars().optional().describe('Of the answer, in dollars per million tokens.'),
  })
  .describe('Targets that cost more are left out.');

const limits = z.strictObject({
  attempts: count(1, MAX_ATTEMPTS).optional().describe('In place of `retries.attempts`.'),
  total: wait(1).optional().describe('In place of `timeouts.total`.'),
  first_byte: wait(1).optional().describe('In place of `timeouts.first_byte` and `timeouts.first_byte_reasoning`.'),
  max_prompt_tokens: count(1).optional().describe('A call whose prompt is longer is refused.'),
  max_output_tokens: count(1).optional().describe('A call that asks for a longer answer is refused.'),
  max_price: maxPrice.optional(),
});

const target = z.union([
  modelName,
  z.strictObject({
    model: modelName.describe('A model, by its bare name or as provider/model.'),
    weight: count(0, 1_000_000).optional().describe('Its share of the calls, where weights decide; 0: none.'),
    credential: credentialName.optional().describe('The one credential of its provider that is used; left out, any.'),
  }),
]);

const rule = z.strictObject({
  when: condition.describe('What the call must be.'),
  use: z
    .array(modelName)
    .min(1, { error: 'must name at least one target' })
    .describe('The targets that then come first.'),
  only: flag().optional().describe('No other target is used then.'),
});

const strategy = z.union([
  word(['priority', 'weighted', 'cheapest', 'fastest', 'smart']),
  z
    .strictObject({
      weighted: z
        .strictObject({ sticky: flag().optional().describe('The same caller is given the same target.') })
        .optional()
        .describe('By chance, in proportion to the weights.'),
      cheapest: z
        .strictObject({
          within: fraction().optional().describe('Targets that cost by this part more than the lowest count as equal.'),
        })
        .optional()
        .describe('By what this call is expected to cost.'),
      rules: z
        .array(rule)
        .min(1, { error: 'must have at least one rule' })
        .optional()
        .describe('By what the call is: the first rule that holds counts.'),
    })
    .refine((entry) => Object.keys(entry).length === 1, { error: 'must be one strategy: weighted, cheapest or rules' }),
]);

const targets = z.array(target);

const shared = {
  name: label.optional().describe('Display name.'),
  brand: label.optional().describe('Who offers it.'),
  description: name(/^[^\p{Cc}\p{Cs}]{1,1000}$/u, 'must be a text of 1 to 1000 characters on one line')
    .optional()
    .describe('What it is for.'),
  strategy: z
    .array(strategy)
    .min(1, { error: 'must name at least one strategy' })
    .optional()
    .describe('How a target is chosen: each orders what those before it left equal.'),
  targets: targets
    .min(1, { error: 'must name at least one target' })
    .describe('The models that may answer: names, or maps.'),
  fallbacks: targets.optional().describe('Tried in this order once no target could answer.'),
  context_window_fallbacks: targets
    .optional()
    .describe('Tried in place of `fallbacks` where the prompt was too long for a target.'),
  content_policy_fallbacks: targets
    .optional()
    .describe('Tried in place of `fallbacks` where a target refused the content.'),
  limits: limits.optional().describe('What holds for this route in place of what holds for all calls.'),
  regions: z
    .array(regionName)
    .min(1, { error: 'must name at least one region' })
    .optional()
    .describe('Only providers in these regions are used.'),
  disclose: flag()
    .optional()
    .describe('`false`: headers of answers and `explain` do not tell callers who serves; administrators’ keys see it.'),
  unpriced: word(UNPRICED)
    .optional()
    .describe(
      'Targets without a price, where a spend limit or hard budget holds: `skip` leaves them out, `serve` uses them, `refuse` refuses the call.',
    ),
  ...ownParameters,
  affinity: flag().optional().describe('A conversation stays where its cache is warm.'),
  quality: fraction().optional().describe('For `smart`: 0 is the cheapest, 1 the best.'),
  strong_share: fraction().optional().describe('For `smart`: the part of the calls that goes to the strongest target.'),
  max_cost_per_call: amount().optional().describe('For `smart`: the dollars that a call may cost.'),
  explore: fraction().optional().describe('For `smart`: the part of the calls whose target is drawn, to learn of all.'),
};

export const route = z.strictObject({
  ...shared,
  price: price.optional().describe('What callers are charged; left out, what was used costs what its model costs.'),
});

export const systemRoute = z.strictObject(shared);

const budget = z.strictObject({
  usd: amount().describe('Dollars.'),
  per: word(['month', 'week', 'day', 'life']).describe(
    'The period they are for: each UTC month, week (from Monday on) or day, or without end.',
  ),
});

export const product = z.strictObject({
  name: label.optional().describe('Display name.'),
  routes: z
    .array(modelName)
    .min(1, { error: 'must name at least one route' })
    .optional()
    .describe('What it may call; left out, `system`.'),
  budget: budget.optional().describe('What all its keys may spend together.'),
});

/** A route as a file says it. `price` is not for the system route. */
export type RouteDefinition = z.output<typeof route>;
export type TargetEntry = z.output<typeof target>;
export type StrategyEntry = z.output<typeof strategy>;
export type LimitsEntry = z.output<typeof limits>;
export type ProductEntry = z.output<typeof product>;
