import type { ReasoningWish } from '../core/call.ts';
import type { Losses } from '../core/losses.ts';

/** Every effort that has a name, the least first. */
const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];

/** The smallest thinking budgets, in tokens, that count as an effort. */
const HIGH_BUDGET = 10_000;
const MEDIUM_BUDGET = 5_000;

/** `o3`, `openai/o4-mini-2025-04-16`. */
const O_SERIES = /^(?:.*\/)?o[134](?=$|[-:@])/;
/** `gpt-5`, `gpt-5-2025-08-07`, `openai/gpt-5.1-codex-max`: the minor version, and the kind. */
const GPT_5 = /^(?:.*\/)?gpt-5(?:\.(\d{1,2}))?(?:-(chat|pro|codex-max|codex))?(?=$|[-:@])/;

/** The effort that was asked for; a thinking budget in tokens is converted to one. */
export function effortOf(wish: ReasoningWish | undefined): string | undefined {
  const { effort, budgetTokens } = wish ?? {};
  if (effort !== undefined || budgetTokens === undefined) return effort;
  if (budgetTokens >= HIGH_BUDGET) return 'high';
  return budgetTokens >= MEDIUM_BUDGET ? 'medium' : 'low';
}

/**
 * The effort to write to the model with this vendor's name. OpenAI refuses the whole call for one that the model does not
 * take, so the nearest is written instead, of two the higher, and told as lost.
 */
export function effortFor(model: string, asked: string, losses: Losses): string {
  const taken = effortsOf(model.toLowerCase());
  const place = EFFORTS.indexOf(asked);
  if (taken === null || taken.includes(asked) || place < 0) return asked;
  losses.add('reasoning_effort');
  const distance = (effort: string) => Math.abs(EFFORTS.indexOf(effort) - place);
  return taken.reduce((best, effort) => (distance(effort) <= distance(best) ? effort : best));
}

/** What a model of OpenAI's takes; `null` if its name is not known. https://platform.openai.com/docs/guides/reasoning */
function effortsOf(name: string): readonly string[] | null {
  if (O_SERIES.test(name)) return between('low', 'high');
  const found = GPT_5.exec(name);
  return found === null ? null : effortsOfFive(Number(found[1] ?? 0), found[2]);
}

function effortsOfFive(minor: number, kind: string | undefined): readonly string[] | null {
  switch (kind) {
    case 'chat':
      // The first of them does not reason.
      return minor === 0 ? null : ['medium'];
    case 'pro':
      return minor === 0 ? ['high'] : between('medium', 'xhigh');
    case 'codex-max':
      return between('low', 'xhigh');
    case 'codex':
      return between('low', minor < 2 ? 'high' : 'xhigh');
    default:
      if (minor === 0) return between('minimal', 'high');
      return ['none', ...between('low', mostOf(minor))];
  }
}

function mostOf(minor: number): string {
  if (minor >= 6) return 'max';
  return minor === 1 ? 'high' : 'xhigh';
}

function between(least: string, most: string): readonly string[] {
  return EFFORTS.slice(EFFORTS.indexOf(least), EFFORTS.indexOf(most) + 1);
}
