import type { AnswerFormat, Call, ReasoningWish } from '../../core/call.ts';
import { Losses } from '../../core/losses.ts';
import type { Quirks } from '../../core/quirks.ts';
import type { WriteOptions, WrittenCall } from '../dialect.ts';
import { strictOf } from '../openai-strict.ts';
import { effortOf, thinkingFields } from '../reasoning-efforts.ts';
import { defined } from '../unchecked-json.ts';
import { writeMessages } from './messages-write.ts';
import { commonOf, rareOf } from './parameters.ts';
import { writeTools } from './tools.ts';

const MAX_STOPS = 4;
/** The longest `user`, in characters. */
const MAX_USER = 64;

/** Writes a chat completion request for its vendor. */
export function writeCall(call: Call, options: WriteOptions): WrittenCall {
  const losses = new Losses();
  const { quirks, upstreamModel, stream, streamUsage } = options;
  const own = call.extra?.dialect === 'openai-chat' ? call.extra.fields : {};
  if (call.extra !== undefined && call.extra.dialect !== 'openai-chat') losses.addFields(call.extra.fields);
  const body = {
    model: upstreamModel,
    messages: writeMessages(call.messages, options, losses),
    ...writeTools(call, options, losses),
    ...writeLimit(call, options),
    ...writeSampling(call, options, losses),
    ...writeFormat(call.format, quirks, losses),
    ...writeReasoning(call.reasoning, options, losses),
    ...writeAccount(call, options, losses, own.store === true),
    ...own,
    ...(stream && { stream: true }),
    ...(stream && streamUsage === 'ask' && { stream_options: { include_usage: true } }),
  };
  return { body: Buffer.from(JSON.stringify(body)), dropped: losses.names };
}

/** Writes the output limit, at most the model's own: a higher one has no effect, and some vendors refuse it. */
function writeLimit({ maxOutputTokens }: Call, { quirks, model }: WriteOptions): Record<string, unknown> {
  if (maxOutputTokens === undefined) return {};
  const limit = Math.min(maxOutputTokens, model.maxOutputTokens ?? maxOutputTokens);
  return { [quirks.maxTokensField ?? 'max_tokens']: limit };
}

function writeSampling(call: Call, { quirks, model }: WriteOptions, losses: Losses): Record<string, unknown> {
  const common = commonOf(quirks, losses);
  if (call.topK !== undefined) losses.add('top_k');
  if (call.stop !== undefined && call.stop.length > MAX_STOPS) losses.add('stop');
  const fixed = model.capabilities?.temperature === false;
  if (fixed && call.temperature !== undefined) losses.add('temperature');
  if (fixed && call.topP !== undefined) losses.add('top_p');
  const logprobs = common('logprobs', call.logprobs);
  return defined({
    n: call.choices,
    temperature: fixed ? undefined : call.temperature,
    top_p: fixed ? undefined : call.topP,
    frequency_penalty: common('frequency_penalty', call.frequencyPenalty),
    presence_penalty: common('presence_penalty', call.presencePenalty),
    seed: common('seed', call.seed),
    stop: call.stop === undefined || call.stop.length === 0 ? undefined : call.stop.slice(0, MAX_STOPS),
    logit_bias: common('logit_bias', call.logitBias),
    logprobs: logprobs && true,
    top_logprobs: logprobs && logprobs.top > 0 ? logprobs.top : undefined,
  });
}

function writeFormat(format: AnswerFormat | undefined, quirks: Quirks, losses: Losses): Record<string, unknown> {
  if (format === undefined || format.kind === 'text') return {};
  if (format.kind === 'json') return { response_format: { type: 'json_object' } };
  if (quirks.refusesSchemas === true) {
    losses.add('response_format');
    return { response_format: { type: 'json_object' } };
  }
  const { name = 'answer', description, schema } = format;
  const strict = strictOf(format, quirks, losses);
  return {
    response_format: { type: 'json_schema', json_schema: { name, ...defined({ description, schema, strict }) } },
  };
}

function writeReasoning(
  wish: ReasoningWish | undefined,
  options: WriteOptions,
  losses: Losses,
): Record<string, unknown> {
  if (wish === undefined) return {};
  if (wish.own?.dialect === 'openai-chat') return wish.own.fields;
  if (wish.summary !== undefined) losses.add('reasoning_summary');
  if (options.model.capabilities?.reasoning !== false) return thinkingFields(wish, options, losses);
  const effort = effortOf(wish);
  // A model that cannot reason already does what `none` asks for.
  if (effort !== undefined && effort !== 'none') losses.add('reasoning_effort');
  return {};
}

/** Writes the members that do not change the answer's text. OpenAI accepts `metadata` only when the response is stored. */
function writeAccount(call: Call, { quirks }: WriteOptions, losses: Losses, stored: boolean): Record<string, unknown> {
  const rare = rareOf(quirks, losses);
  const isNamed = call.user !== undefined && call.user.length <= MAX_USER;
  if (call.user !== undefined && !isNamed) losses.add('user');
  if (call.metadata !== undefined && Object.keys(call.metadata).length > 0 && !stored) losses.add('metadata');
  return defined({
    verbosity: rare('verbosity', call.verbosity),
    // `auto` is the vendor's default.
    service_tier: call.serviceTier === 'auto' ? undefined : rare('service_tier', call.serviceTier),
    user: isNamed ? commonOf(quirks, losses)('user', call.user) : undefined,
    metadata: stored ? call.metadata : undefined,
    prompt_cache_key: rare('prompt_cache_key', call.promptCacheKey),
    prompt_cache_retention: rare('prompt_cache_retention', call.promptCacheRetention),
  });
}
