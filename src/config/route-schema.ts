import * as z from 'zod';
import { UNPRICED } from '../core/route.ts';
import { condition } from './condition-schema.ts';
import { amount, count, dollars, flag, fraction, name, wait, word } from './fields.ts';
import { price } from './model-schema.ts';
import { credentialName, label, modelName, regionName } from './names.ts';
import { ownParameters } from './parameter-schema.ts';

/** The largest number of attempts per call that a file may set. */
export const MAX_ATTEMPTS = 10;

/** Compared with a target's base rates, whatever the length of the prompt. */
const maxPrice = z
  .strictObject({
    input_per_1m: dollars().optional().describe('The highest price of prompts, in dollars per million tokens.'),
    output_per_1m: dollars().optional().describe('The highest price of answers, in dollars per million tokens.'),
  })
  .describe('Targets that cost more are left out.');

const limits = z.strictObject({
  attempts: count(1, MAX_ATTEMPTS).optional().describe('Overrides `retries.attempts`.'),
  total: wait(1).optional().describe('Overrides `timeouts.total`.'),
  first_byte: wait(1).optional().describe('Overrides `timeouts.first_byte` and `timeouts.first_byte_reasoning`.'),
  max_prompt_tokens: count(1).optional().describe('Calls with a longer prompt are refused.'),
  max_output_tokens: count(1).optional().describe('Calls that ask for a longer answer are refused.'),
  max_price: maxPrice.optional(),
});

const target = z.union([
  modelName,
  z.strictObject({
    model: modelName.describe('The model, by its bare name or as provider/model.'),
    weight: count(0, 1_000_000).optional().describe('Its share of the calls with the strategy `weighted`; 0: none.'),
    credential: credentialName.optional().describe('The credential of its provider to use (default: any).'),
  }),
]);

const rule = z.strictObject({
  when: condition.describe('The condition on the call.'),
  use: z
    .array(modelName)
    .min(1, { error: 'must name at least one target' })
    .describe('The targets that come first if the rule holds.'),
  only: flag().optional().describe('True if no other target is used.'),
});

const strategy = z.union([
  word(['priority', 'weighted', 'cheapest', 'fastest', 'smart']),
  z
    .strictObject({
      weighted: z
        .strictObject({ sticky: flag().optional().describe('True if a caller always gets the same target.') })
        .optional()
        .describe('Random, in proportion to the weights.'),
      cheapest: z
        .strictObject({
          within: fraction()
            .optional()
            .describe('Targets whose cost exceeds the lowest by at most this fraction count as equal.'),
        })
        .optional()
        .describe('By the expected cost of the call.'),
      rules: z
        .array(rule)
        .min(1, { error: 'must have at least one rule' })
        .optional()
        .describe('By the call’s properties: the first rule that holds applies.'),
    })
    .refine((entry) => Object.keys(entry).length === 1, { error: 'must be one strategy: weighted, cheapest or rules' }),
]);

const targets = z.array(target);

const shared = {
  name: label.optional().describe('Display name.'),
  brand: label.optional().describe('The brand that offers it.'),
  description: name(/^[^\p{Cc}\p{Cs}]{1,1000}$/u, 'must be a text of 1 to 1000 characters on one line')
    .optional()
    .describe('Its purpose.'),
  strategy: z
    .array(strategy)
    .min(1, { error: 'must name at least one strategy' })
    .optional()
    .describe('How a target is chosen: each strategy breaks the ties of those before it.'),
  targets: targets
    .min(1, { error: 'must name at least one target' })
    .describe('The models that may answer: names, or maps.'),
  fallbacks: targets.optional().describe('Tried in this order if no target could answer.'),
  context_window_fallbacks: targets
    .optional()
    .describe('Tried instead of `fallbacks` if the prompt was too long for a target.'),
  content_policy_fallbacks: targets
    .optional()
    .describe('Tried instead of `fallbacks` if a target refused the content.'),
  limits: limits.optional().describe('Limits of this route, which override those for all calls.'),
  regions: z
    .array(regionName)
    .min(1, { error: 'must name at least one region' })
    .optional()
    .describe('Only providers in these regions are used.'),
  disclose: flag()
    .optional()
    .describe(
      '`false`: response headers and `explain` do not tell callers which provider serves; admin keys still see it.',
    ),
  unpriced: word(UNPRICED)
    .optional()
    .describe(
      'Treatment of targets without a price if a spend limit or hard budget applies: `skip` leaves them out, `serve` uses them, `refuse` refuses the call.',
    ),
  ...ownParameters,
  affinity: flag().optional().describe('True if a conversation stays at the target that has its prompt cached.'),
  quality: fraction().optional().describe('For `smart`: the preference, from 0 (cheapest) to 1 (best).'),
  strong_share: fraction().optional().describe('For `smart`: the share of calls that goes to the strongest target.'),
  max_cost_per_call: amount().optional().describe('For `smart`: the most that a call may cost, in dollars.'),
  explore: fraction()
    .optional()
    .describe('For `smart`: the share of calls with a random target, to learn about all targets.'),
};

export const route = z.strictObject({
  ...shared,
  price: price.optional().describe('The price that callers are charged (default: the price of the model used).'),
});

export const systemRoute = z.strictObject(shared);

const budget = z.strictObject({
  usd: amount().describe('Dollars.'),
  per: word(['month', 'week', 'day', 'life']).describe(
    'The period of the budget: each UTC month, week (from Monday) or day, or forever.',
  ),
});

export const product = z.strictObject({
  name: label.optional().describe('Display name.'),
  routes: z
    .array(modelName)
    .min(1, { error: 'must name at least one route' })
    .optional()
    .describe('The routes that it may call (default: `system`).'),
  budget: budget.optional().describe('The spend limit of all its keys together.'),
});

/** A route as written in a file. The system route has no `price`. */
export type RouteDefinition = z.output<typeof route>;
export type TargetEntry = z.output<typeof target>;
export type StrategyEntry = z.output<typeof strategy>;
export type LimitsEntry = z.output<typeof limits>;
export type ProductEntry = z.output<typeof product>;
