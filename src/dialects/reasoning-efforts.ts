import type { ReasoningWish } from '../core/call.ts';
import { Losses } from '../core/losses.ts';
import type { Quirks, ThinkingRow } from '../core/quirks.ts';

/** All named efforts, lowest first. */
const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];

/** The smallest thinking budgets, in tokens, that count as an effort. */
const HIGH_BUDGET = 10_000;
const MEDIUM_BUDGET = 5_000;

/** The effort that was asked for; a thinking budget in tokens is converted to one. */
export function effortOf(wish: ReasoningWish | undefined): string | undefined {
  const { effort, budgetTokens } = wish ?? {};
  if (effort !== undefined || budgetTokens === undefined) return effort;
  if (budgetTokens >= HIGH_BUDGET) return 'high';
  return budgetTokens >= MEDIUM_BUDGET ? 'medium' : 'low';
}

/**
 * A thinking budget in tokens as a wish: 0 turns thinking off, and below 0 the model decides, as for Gemini
 * (https://ai.google.dev/gemini-api/docs/thinking). Callers send this to every model.
 */
export function wishOfBudget(tokens: number): ReasoningWish {
  if (tokens === 0) return { effort: 'none' };
  return tokens < 0 ? { adaptive: true } : { budgetTokens: tokens };
}

/** How the model is told to think; `undefined` if that is unknown: it is then sent what the caller asked for. */
export function thinkingOf(model: string, { thinking = [] }: Quirks): ThinkingRow | undefined {
  const name = model.toLowerCase();
  return thinking.find(({ models }) => models.test(name));
}

/**
 * The effort to write; `undefined` for none. Vendors refuse the whole call for an effort that the model does not take,
 * so the nearest one (of two, the higher) is written and reported. Thinking that is wanted is never turned off.
 */
export function effortFor(model: string, asked: string, quirks: Quirks, losses: Losses): string | undefined {
  const known = thinkingOf(model, quirks);
  return known === undefined ? asked : nearest(known, asked, losses);
}

/**
 * The effort for a model that is to decide itself how much it thinks. It is the nearest to `medium` if the model would
 * not think unasked, as models with the effort `none` do; `undefined` for models that always think, and for unknown
 * ones.
 */
export function adaptiveEffort(model: string, quirks: Quirks): string | undefined {
  const known = thinkingOf(model, quirks);
  const mayNotThink = known?.switch === 'type' || known?.efforts.includes('none') === true;
  const isTaken = known?.efforts.some((effort) => effort !== 'none') === true;
  return mayNotThink && isTaken ? nearest(known!, 'medium', new Losses()) : undefined;
}

function nearest({ efforts, switch: way }: ThinkingRow, asked: string, losses: Losses): string | undefined {
  if (efforts.includes(asked)) return asked;
  // Without thinking nothing is to be turned off.
  if (way === 'never' && asked === 'none') return undefined;
  const place = EFFORTS.indexOf(asked);
  const taken = efforts.filter((effort) => effort !== 'none');
  if (place < 0 && taken.length > 0) return asked;
  losses.add('reasoning_effort');
  const distance = (effort: string) => Math.abs(EFFORTS.indexOf(effort) - place);
  return taken.reduce<string | undefined>(
    (best, effort) => (best === undefined || distance(effort) <= distance(best) ? effort : best),
    undefined,
  );
}

/** Members of chat completions that control thinking, at vendors with switches of their own. */
export type ChatThinking = {
  reasoning_effort?: string;
  thinking?: { type: 'enabled' | 'disabled' };
  enable_thinking?: boolean;
  thinking_budget?: number;
};

/** The members that tell a model how to think in chat completions, in its vendor's form. */
export function thinkingFields(
  wish: ReasoningWish,
  { upstreamModel, quirks, stream }: { upstreamModel: string; quirks: Quirks; stream: boolean },
  losses: Losses,
): ChatThinking {
  const known = thinkingOf(upstreamModel, quirks);
  const asked = effortOf(wish);
  if (known?.switch === 'enable') return byEnabling(wish, known, stream, losses);
  if (asked === undefined) return wish.adaptive === true ? adaptively(upstreamModel, quirks) : {};
  if (known === undefined) return { reasoning_effort: asked };
  const off = asked === 'none';
  if (known.switch === 'type' && off) return { thinking: { type: 'disabled' } };
  const effort = nearest(known, asked, losses);
  return {
    ...(known.switch === 'type' && { thinking: { type: 'enabled' as const } }),
    ...(effort !== undefined && { reasoning_effort: effort }),
  };
}

function adaptively(model: string, quirks: Quirks): ChatThinking {
  const effort = adaptiveEffort(model, quirks);
  return {
    ...(thinkingOf(model, quirks)?.switch === 'type' && { thinking: { type: 'enabled' as const } }),
    ...(effort !== undefined && { reasoning_effort: effort }),
  };
}

function byEnabling(wish: ReasoningWish, row: ThinkingRow, stream: boolean, losses: Losses): ChatThinking {
  const { budgetTokens, effort, adaptive } = wish;
  if (effort === 'none') return { enable_thinking: false };
  if (effort === undefined && budgetTokens === undefined && adaptive !== true) return {};
  if (row.streamedOnly === true && !stream) {
    losses.add('reasoning_effort');
    return { enable_thinking: false };
  }
  if (effort !== undefined) losses.add('reasoning_effort');
  const budget = row.budget === true && effort === undefined ? budgetTokens : undefined;
  return { enable_thinking: true, ...(budget !== undefined && { thinking_budget: budget }) };
}
