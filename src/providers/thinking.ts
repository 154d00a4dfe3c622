import type { ThinkingRow } from '../core/quirks.ts';

/**
 * How thinking is switched, by vendors' names of models (in lower case). The first row that matches is used. A row that
 * matches every name describes the vendor's newest models, and applies to future ones.
 */

const ALL = ['minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
const UP_TO_HIGH = ['low', 'medium', 'high'] as const;
const UP_TO_XHIGH = [...UP_TO_HIGH, 'xhigh'] as const;
const UP_TO_MAX = [...UP_TO_XHIGH, 'max'] as const;

const OPENAI_GUIDE = 'https://platform.openai.com/docs/guides/reasoning';
const GPT_6 = 'https://github.com/BerriAI/litellm/blob/main/model_prices_and_context_window.json';

/** Models that many vendors serve under the same names. They apply to all vendors, after the vendor's own rows. */
export const EVERYWHERE: readonly ThinkingRow[] = [
  row(/^(?:.*\/)?o(?:1|3|4)(?=$|[-:@])/, UP_TO_HIGH, OPENAI_GUIDE),
  { ...row(/^(?:.*\/)?gpt-5-chat(?=$|[-:@])/, [], OPENAI_GUIDE), switch: 'never' },
  row(/^(?:.*\/)?gpt-5\.\d{1,2}-chat(?=$|[-:@])/, ['medium'], OPENAI_GUIDE),
  row(/^(?:.*\/)?gpt-5-pro(?=$|[-:@])/, ['high'], OPENAI_GUIDE),
  row(/^(?:.*\/)?gpt-5\.\d{1,2}-pro(?=$|[-:@])/, ['medium', 'high', 'xhigh'], OPENAI_GUIDE),
  row(/^(?:.*\/)?gpt-5\.\d{1,2}-codex-max(?=$|[-:@])/, UP_TO_XHIGH, OPENAI_GUIDE),
  row(/^(?:.*\/)?gpt-5(?:\.1)?-codex(?=$|[-:@])/, UP_TO_HIGH, OPENAI_GUIDE),
  row(/^(?:.*\/)?gpt-5\.\d{1,2}-codex(?=$|[-:@])/, UP_TO_XHIGH, OPENAI_GUIDE),
  row(/^(?:.*\/)?gpt-5(?=$|[-:@])/, ['minimal', ...UP_TO_HIGH], OPENAI_GUIDE),
  row(/^(?:.*\/)?gpt-5\.1(?=$|[-:@])/, ['none', ...UP_TO_HIGH], OPENAI_GUIDE),
  row(/^(?:.*\/)?gpt-5\.(?:2|3|4|5)(?=$|[-:@])/, ['none', ...UP_TO_XHIGH], OPENAI_GUIDE),
  row(/^(?:.*\/)?gpt-5\.\d{1,2}(?=$|[-:@])/, ['none', ...UP_TO_MAX], OPENAI_GUIDE),
  row(/^(?:.*[/.])?gpt-6(?:-astra|-rosalind|\.1-sol|\.2-(?:astra|sol))(?=$|[-:@])/, UP_TO_MAX, GPT_6),
  row(/^(?:.*[/.])?gpt-6(?:\.\d{1,2})?-(?:sol|luna|terra)(?=$|[-:@])/, ['none', ...UP_TO_MAX], GPT_6),
  row(/^(?:.*\/)?gpt-oss-/, UP_TO_HIGH, 'https://cookbook.openai.com/articles/openai-harmony'),
];

/** Azure’s deployments accept less than OpenAI’s own models. */
export const AZURE_THINKING: readonly ThinkingRow[] = [
  row(/gpt-6-astra/, UP_TO_XHIGH, GPT_6),
  row(/gpt-6\.1-/, UP_TO_MAX, GPT_6),
];

const DEEPSEEK_GUIDE = 'https://api-docs.deepseek.com/guides/thinking_mode';

export const DEEPSEEK_THINKING: readonly ThinkingRow[] = [
  { ...row(/^deepseek-reasoner/, [], DEEPSEEK_GUIDE), switch: 'always' },
  { ...row(/^deepseek-chat/, [], DEEPSEEK_GUIDE), switch: 'type' },
  { ...row(/./, ['low', 'high', 'max'], DEEPSEEK_GUIDE), switch: 'type' },
];

const KIMI_GUIDE = 'https://platform.moonshot.ai/docs/guide/use-kimi-k2-thinking-model';

export const MOONSHOT_THINKING: readonly ThinkingRow[] = [
  row(/^kimi-k3/, ['low', 'high', 'max'], 'https://platform.kimi.ai/docs/guide/use-thinking-effort'),
  { ...row(/^kimi-k2(?:\.7-code|-thinking)/, [], KIMI_GUIDE), switch: 'always' },
  { ...row(/^(?:kimi-k2-|kimi-latest|moonshot-v1)/, [], KIMI_GUIDE), switch: 'never' },
  { ...row(/./, [], KIMI_GUIDE), switch: 'type' },
];

const ZAI_GUIDE = 'https://docs.z.ai/guides/capabilities/thinking-mode';

export const ZAI_THINKING: readonly ThinkingRow[] = [
  row(/^glm-5\.3/, ['low', 'medium', 'high', 'max'], 'https://docs.together.ai/docs/glm-5.3-quickstart'),
  { ...row(/^glm-5\.2/, ALL, ZAI_GUIDE), switch: 'type' },
  { ...row(/^glm-(?:4$|4-|4v|z1|3)/, [], ZAI_GUIDE), switch: 'never' },
  { ...row(/./, [], ZAI_GUIDE), switch: 'type' },
];

const ALIBABA_GUIDE = 'https://www.alibabacloud.com/help/en/model-studio/deep-thinking';

export const ALIBABA_THINKING: readonly ThinkingRow[] = [
  { ...row(/-thinking|^qwq|^qvq|deepseek-r1/, [], ALIBABA_GUIDE), switch: 'always' },
  { ...row(/-instruct|coder|^qwen2|^qwen-(?:long|math|mt)|^deepseek-v3(?:$|-)/, [], ALIBABA_GUIDE), switch: 'never' },
  { ...row(/^qwen3-\d/, [], ALIBABA_GUIDE), switch: 'enable', budget: true, streamedOnly: true },
  { ...row(/./, [], ALIBABA_GUIDE), switch: 'enable', budget: true },
];

const XAI_GUIDE = 'https://docs.x.ai/developers/model-capabilities/text/reasoning';

export const XAI_THINKING: readonly ThinkingRow[] = [
  { ...row(/non-reasoning|^grok-(?:2|3(?!-mini)|beta)/, [], XAI_GUIDE), switch: 'never' },
  row(/^grok-3-mini/, ['low', 'high'], XAI_GUIDE),
  row(/^grok-(?:4\.3|latest)/, ['none', ...UP_TO_HIGH], XAI_GUIDE),
  row(/^grok-4\.(?:5|6)(?!\d)/, UP_TO_HIGH, XAI_GUIDE),
  row(/^grok-4\.7|multi-agent/, UP_TO_XHIGH, XAI_GUIDE),
  { ...row(/./, [], 'https://github.com/NousResearch/hermes-agent/issues/23435'), switch: 'always' },
];

const GEMINI_GUIDE = 'https://ai.google.dev/gemini-api/docs/openai#thinking';

/** Reports to Google that its staff confirmed or did not refute. */
const GEMINI_FORUM = 'https://discuss.ai.google.dev/t/';

export const GEMINI_THINKING: readonly ThinkingRow[] = [
  { ...row(/gemini-(?:1|2\.0)|gemma|embedding/, [], GEMINI_GUIDE), switch: 'never' },
  row(/gemini-3-pro/, ['low', 'high'], `${GEMINI_FORUM}112648`),
  row(/gemini-3\.\d+-pro|gemini-3\.7/, UP_TO_HIGH, 'https://github.com/BerriAI/litellm/issues/37314'),
  // The guide lists `minimal`, but it is refused: “Valid values are: high, low, medium, none”.
  row(/gemini-(?:2\.5|3)-flash/, ['none', ...UP_TO_HIGH], `${GEMINI_FORUM}117875`),
  row(/gemini-(?:2\.5|3)/, UP_TO_HIGH, `${GEMINI_FORUM}117875`),
  row(/./, UP_TO_HIGH, GPT_6),
];

const GROQ_GUIDE = 'https://console.groq.com/docs/reasoning';

export const GROQ_THINKING: readonly ThinkingRow[] = [
  row(/gpt-oss/, UP_TO_HIGH, GROQ_GUIDE),
  row(/qwen3/, ['none'], GROQ_GUIDE),
  { ...row(/./, [], GROQ_GUIDE), switch: 'always' },
];

const CEREBRAS_GUIDE = 'https://inference-docs.cerebras.ai/capabilities/reasoning';

export const CEREBRAS_THINKING: readonly ThinkingRow[] = [
  row(/gpt-oss/, UP_TO_HIGH, CEREBRAS_GUIDE),
  row(/glm/, ['none'], CEREBRAS_GUIDE),
  { ...row(/./, [], CEREBRAS_GUIDE), switch: 'always' },
];

const MISTRAL_GUIDE = 'https://docs.mistral.ai/inference/conversations/reasoning';

export const MISTRAL_THINKING: readonly ThinkingRow[] = [
  { ...row(/magistral/, [], MISTRAL_GUIDE), switch: 'always' },
  row(/mistral-(?:small|medium|large-4)/, ['none', 'high'], MISTRAL_GUIDE),
  { ...row(/./, [], MISTRAL_GUIDE), switch: 'never' },
];

function row(models: RegExp, efforts: readonly string[], source: string): ThinkingRow {
  return { models, switch: 'effort', efforts, source };
}
