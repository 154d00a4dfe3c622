import type { ReasoningWish } from '../../core/call.ts';
import type { Fields } from '../fields.ts';
import { wishOfBudget } from '../reasoning-efforts.ts';
import { defined, objectOf } from '../unchecked-json.ts';

/**
 * Members beside `reasoning_effort` with which callers control thinking: `reasoning` of OpenRouter
 * (https://openrouter.ai/docs/use-cases/reasoning-tokens), `thinking` of DeepSeek, Moonshot and Z.ai
 * (https://api-docs.deepseek.com/guides/thinking_mode), `enable_thinking` and `thinking_budget` of Alibaba
 * (https://www.alibabacloud.com/help/en/model-studio/deep-thinking), and `chat_template_kwargs` of vLLM
 * (https://github.com/vllm-project/vllm/blob/main/docs/features/reasoning_outputs.md, read on 2026-11-27), SGLang and others
 * (https://featherless.ai/docs/chat-template-kwargs, read on 2026-11-27).
 */
const READERS: Readonly<Record<string, (value: unknown) => ReasoningWish | null>> = {
  reasoning: readReasoning,
  thinking: readThinkingType,
  enable_thinking: readSwitch,
  thinking_budget: (value) => (typeof value === 'number' ? wishOfBudget(value) : null),
  chat_template_kwargs: readTemplate,
};

/** What a call asks of thinking, and the members beside `reasoning_effort` that ask for it. */
export type ReadThinking = { wish: ReasoningWish | undefined; members: ReadonlySet<string> };

/**
 * If members contradict each other, an effort takes precedence over a switch, and a switch that turns thinking off over
 * a budget.
 */
export function readThinking(body: Fields): ReadThinking {
  const effort = body.text('reasoning_effort');
  const members = new Set<string>();
  const wish: ReasoningWish = defined({ effort });
  for (const [name, read] of Object.entries(READERS)) {
    const value = body.raw(name);
    const told = value === undefined ? null : read(value);
    if (told === null) continue;
    members.add(name);
    for (const [member, wished] of Object.entries(told))
      Object.assign(wish, { [member]: wish[member as keyof ReasoningWish] ?? wished });
  }
  if (members.size > 0) {
    const fields = Object.fromEntries([...members].map((name) => [name, body.raw(name)]));
    wish.own = { dialect: 'openai-chat', fields: { ...defined({ reasoning_effort: effort }), ...fields } };
  }
  return { wish: Object.keys(wish).length === 0 ? undefined : wish, members };
}

function readReasoning(value: unknown): ReasoningWish | null {
  const { effort, max_tokens: budget, enabled, exclude, summary } = objectOf(value);
  const wish: ReasoningWish = {
    ...(typeof budget === 'number' && wishOfBudget(budget)),
    ...(readSwitch(enabled) ?? {}),
    ...(typeof effort === 'string' && { effort }),
    ...(exclude === true ? { summary: 'none' } : typeof summary === 'string' && { summary }),
  };
  return orNothing(wish);
}

function readThinkingType(value: unknown): ReasoningWish | null {
  const { type, budget_tokens: budget } = objectOf(value);
  if (type === 'disabled') return { effort: 'none' };
  if (type !== 'enabled' && type !== 'adaptive' && type !== 'auto') return null;
  return type === 'enabled' && typeof budget === 'number' ? wishOfBudget(budget) : { adaptive: true };
}

/** The switches of the chat templates of Qwen and GLM, DeepSeek, and gpt-oss. */
function readTemplate(value: unknown): ReasoningWish | null {
  const { enable_thinking: enabled, thinking, reasoning_effort: effort, ...others } = objectOf(value);
  // Other formats have no equivalent of further template members, so the member is reported.
  if (Object.keys(others).length > 0) return null;
  const wish = { ...(readSwitch(enabled ?? thinking) ?? {}), ...(typeof effort === 'string' && { effort }) };
  return orNothing(wish);
}

function readSwitch(value: unknown): ReasoningWish | null {
  if (typeof value !== 'boolean') return null;
  return value ? { adaptive: true } : { effort: 'none' };
}

function orNothing(wish: ReasoningWish): ReasoningWish | null {
  return Object.keys(wish).length === 0 ? null : wish;
}
