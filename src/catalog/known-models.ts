import type { DialectId } from '../core/provider.ts';

/** The facts that decide in which dialects a model is offered. Unknown facts are absent. */
export type KnownTraits = {
  id: string;
  family?: string;
  modalities?: { input?: readonly string[]; output?: readonly string[] };
  limit?: { context?: number };
};

/** By the beginning of a model's name after the last slash of its id; the first match is used. */
const BRANDS: readonly (readonly [string, RegExp])[] = [
  ['NVIDIA', /nemotron|^nv-|^nvidia-|nemoretriever/],
  ['OpenAI', /^(gpt|chatgpt|codex|o\d|o-|o$|text-embedding-(3|ada)|whisper)/],
  ['Anthropic', /^claude/],
  ['Google', /^(gemini|gemma|paligemma|google-)/],
  ['DeepSeek', /^deepseek/],
  ['Meta', /^(meta-)?llama/],
  ['Alibaba', /^(qwen|qwq|qvq)/],
  ['Mistral', /^(open-)?(mistral|mixtral|ministral|magistral|codestral|devstral|labs-devstral|pixtral|voxtral)/],
  ['xAI', /^grok/],
  ['Moonshot', /^(kimi|moonshot)/],
  ['Zhipu', /^(zai-)?(glm|chatglm|autoglm)/],
  ['MiniMax', /^minimax/],
  ['Cohere', /^(command|c4ai|cohere|north-)/],
  ['Microsoft', /^(phi-|phi$|mai-|wizardlm)/],
  ['Perplexity', /^sonar/],
  ['Amazon', /^(nova-|titan-)/],
  ['Xiaomi', /^mimo/],
  ['Baidu', /^(ernie|paddleocr)/],
  ['Tencent', /^(hunyuan|hy\d)/],
  ['ByteDance', /^seed-/],
  ['StepFun', /^step-/],
  ['IBM', /^granite/],
  ['Nous Research', /^hermes/],
  ['BAAI', /^bge/],
];

/** The dialects of conversational models, as far as their provider has them. */
const CONVERSATIONAL: readonly DialectId[] = ['openai-chat', 'openai-responses', 'anthropic-messages'];

const EMBEDS = /embed|(^|[/-])(bge|e5|gte|all-minilm)(-|$)/;

/** Names of models that have other kinds of endpoints: speech, transcription, ranking, images, live sessions. */
const SERVED_ELSEWHERE =
  /whisper|transcribe|rerank|realtime|moderation|(^|[/-])(asr|tts|gpt-image|chatgpt-image|dall-e|sora|veo|imagen|lyria)(-|$)/;

/** Vector lengths from the makers' pages, by a model's own name in lower case. */
const DIMENSIONS: Readonly<Record<string, number>> = {
  'text-embedding-3-small': 1536,
  'text-embedding-3-large': 3072,
  'text-embedding-ada-002': 1536,
  'gemini-embedding-001': 3072,
  'mistral-embed': 1024,
  'cohere-embed-v-4-0': 1536,
  'cohere-embed-v3-english': 1024,
  'cohere-embed-v3-multilingual': 1024,
  'qwen3-embedding-0.6b': 1024,
  'qwen3-embedding-4b': 2560,
  'qwen3-embedding-8b': 4096,
  'bge-m3': 1024,
  'nv-embed-v1': 4096,
  'nomic-embed-text': 768,
  'mxbai-embed-large': 1024,
};

/**
 * The maker of a model according to its name; `null` if unknown. The family is used only for ids without a maker's
 * prefix.
 */
export function brandOf(id: string, family?: string): string | null {
  return brandByName(ownName(id)) ?? (id.includes('/') || family === undefined ? null : brandByName(family));
}

/**
 * The dialects that a model can be called in; empty if it writes no text, reads no text (transcription, video), or has
 * endpoints that are not served here.
 */
export function dialectsOf(model: KnownTraits): readonly DialectId[] {
  const id = model.id.toLowerCase();
  const { input, output } = model.modalities ?? {};
  if (output !== undefined && !output.includes('text')) return [];
  if (input !== undefined && !input.includes('text')) return [];
  if (model.limit?.context === 0 || SERVED_ELSEWHERE.test(id)) return [];
  if (EMBEDS.test(id) || /embed/.test(model.family ?? '')) return ['openai-embeddings'];
  return CONVERSATIONAL;
}

/** The vector length of a well-known embedding model; otherwise `null`. */
export function dimensionsOf(id: string): number | null {
  const name = ownName(id);
  return Object.hasOwn(DIMENSIONS, name) ? DIMENSIONS[name]! : null;
}

function brandByName(name: string): string | null {
  return BRANDS.find(([, pattern]) => pattern.test(name.toLowerCase()))?.[0] ?? null;
}

function ownName(id: string): string {
  return id.slice(id.lastIndexOf('/') + 1).toLowerCase();
}
