import type { ReasoningWish, ToolChoice } from '../../core/call.ts';
import type { Losses } from '../../core/losses.ts';
import { effortOf } from '../reasoning-efforts.ts';
import { requiresTool } from '../tool-choice.ts';
import { defined } from '../unchecked-json.ts';
import type { ModelTraits } from './models.ts';
import { lacksThinking } from './thinking-turn.ts';
import type { WireMessage } from './wire.ts';

type Thinking =
  | { type: 'enabled'; budget_tokens: number }
  | { type: 'adaptive'; display?: 'summarized' | 'omitted' }
  | { type: 'disabled' | 'between_tools' };

export type ThinkingFields = { maxTokens: number; thinking?: Thinking | undefined; effort?: string | undefined };

type Asked = {
  wish: ReasoningWish | undefined;
  choice: ToolChoice | undefined;
  messages: readonly WireMessage[];
  maxTokens: number;
  /** The model's output limit, in tokens. */
  most: number;
};

/** Thinking budgets in tokens for each effort, for models that take a budget. */
const BUDGETS = new Map([
  ['minimal', 1024],
  ['low', 2048],
  ['medium', 5120],
  ['high', 10_240],
  ['xhigh', 20_480],
  ['max', 32_000],
]);
const MIN_BUDGET = 1024;

/** The thinking budget of an effort in tokens; 0 if there is no effort or it is unknown. */
export function budgetOf(effort: string | undefined): number {
  return BUDGETS.get(effort ?? '') ?? 0;
}

/** Writes how much the model should think, in the form that it accepts. */
export function writeThinking(asked: Asked, traits: ModelTraits, reasons: boolean, losses: Losses): ThinkingFields {
  const { wish, maxTokens } = asked;
  if (wish === undefined || isEmptyWish(wish)) return { maxTokens };
  if (traits.thinks === 'never' || !reasons) {
    if (wish.effort !== 'none') losses.add('reasoning_effort');
    return { maxTokens };
  }
  if (wish.effort === 'none') return { maxTokens, ...withoutThinking(traits) };
  return traits.thinks === 'budget' ? withBudget(asked, wish, losses) : adaptively(asked, wish, traits, losses);
}

/** Whether the caller set only how to show the thinking, or nothing. */
function isEmptyWish({ effort, budgetTokens, adaptive, summary }: ReasoningWish): boolean {
  return effort === undefined && budgetTokens === undefined && adaptive !== true && summary === undefined;
}

function withoutThinking({ thinksNot }: ModelTraits): Omit<ThinkingFields, 'maxTokens'> {
  switch (thinksNot) {
    case 'unsaid':
      return {};
    case 'disabled':
    case 'between_tools':
      return { thinking: { type: thinksNot } };
    case 'low':
      return { effort: 'low' };
    default:
      return thinksNot satisfies never;
  }
}

function withBudget(asked: Asked, wish: ReasoningWish, losses: Losses): ThinkingFields {
  const { maxTokens, most, messages } = asked;
  if (wish.summary === 'none') losses.add('reasoning_summary');
  const wanted = wish.budgetTokens ?? BUDGETS.get(wish.effort ?? (wish.adaptive ? 'medium' : '')) ?? 0;
  if (wanted === 0) return { maxTokens };
  const budget = Math.max(MIN_BUDGET, wanted);
  // The budget must be smaller than `max_tokens`, so the limit is raised to leave the caller's `maxTokens` for the
  // answer.
  const room = maxTokens > budget ? maxTokens : Math.min(most, maxTokens + budget);
  const fits = Math.min(budget, maxTokens > budget ? room - 1 : Math.max(room - maxTokens, Math.floor(room / 2)));
  if (fits < MIN_BUDGET || requiresTool(asked.choice) || lacksThinking(messages)) {
    losses.add('reasoning_effort');
    return { maxTokens };
  }
  return { maxTokens: room, thinking: { type: 'enabled', budget_tokens: fits } };
}

function adaptively(asked: Asked, wish: ReasoningWish, traits: ModelTraits, losses: Losses): ThinkingFields {
  const { maxTokens, choice } = asked;
  const effort = knownEffort(wish, traits);
  if (requiresTool(choice) && traits.forcedTools === 'unthinking') {
    losses.add('reasoning_effort');
    return { maxTokens, effort };
  }
  return { maxTokens, effort, thinking: { type: 'adaptive', ...defined({ display: displayOf(wish.summary) }) } };
}

function knownEffort(wish: ReasoningWish, { efforts }: ModelTraits): string | undefined {
  const effort = effortOf(wish);
  switch (effort) {
    case undefined:
      return undefined;
    case 'minimal':
      return 'low';
    case 'low':
    case 'medium':
    case 'high':
      return effort;
    default:
      return efforts.includes(effort) ? effort : 'high';
  }
}

function displayOf(summary: string | undefined): 'summarized' | 'omitted' | undefined {
  if (summary === undefined) return undefined;
  return summary === 'none' ? 'omitted' : 'summarized';
}
