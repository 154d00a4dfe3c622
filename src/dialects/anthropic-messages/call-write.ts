import type { Call } from '../../core/call.ts';
import { Losses } from '../../core/losses.ts';
import type { Model } from '../../core/provider.ts';
import { keepCacheMarks, withInner } from '../cache-marks.ts';
import type { Envelope, WriteOptions, WrittenCall } from '../dialect.ts';
import { defined } from '../unchecked-json.ts';
import { reportUnwritten } from '../unwritten-parameters.ts';
import { writeConversation } from './call-write-messages.ts';
import { heldSchema } from './call-write-schema.ts';
import { budgetOf, writeThinking } from './call-write-thinking.ts';
import { writeToolChoice, writeTools } from './call-write-tools.ts';
import { type ModelTraits, traitsOf } from './models.ts';
import { ID } from './wire.ts';

/** `max_tokens` is required. Every model accepts this default, used if neither the caller nor the catalog sets one. */
const DEFAULT_MAX_TOKENS = 4096;

/** Writes a call that was read from another dialect. */
export function writeCall(call: Call, options: WriteOptions): WrittenCall {
  const losses = new Losses();
  const traits = traitsOf(options.upstreamModel);
  const { system, messages } = writeConversation(call.messages, { traits, provider: options.provider, losses });
  const tools = writeTools(call.tools, messages, { traits, ...options }, losses);
  const most = options.model.maxOutputTokens ?? Number.MAX_SAFE_INTEGER;
  const asked = Math.min(call.maxOutputTokens ?? options.model.maxOutputTokens ?? DEFAULT_MAX_TOKENS, most);
  const { maxTokens, thinking, effort } = writeThinking(
    { wish: call.reasoning, choice: call.toolChoice, messages, maxTokens: asked, most },
    traits,
    options.model.capabilities?.reasoning !== false,
    losses,
  );
  const format = writeFormat(call, traits, losses);
  const output = { ...defined({ effort: effort }), ...defined({ format: format }) };
  const body = {
    ...ownExtra(call, losses),
    model: options.upstreamModel,
    max_tokens: maxTokens,
    ...defined({ system: system.length > 0 ? system : undefined }),
    messages,
    ...defined({ tools: tools.length > 0 ? tools : undefined }),
    ...defined({ tool_choice: writeToolChoice(call, tools.length, traits, losses) }),
    ...defined({ thinking: thinking }),
    ...(Object.keys(output).length > 0 && { output_config: output }),
    ...writeSampling(call, { model: options.model, traits, isThinking: thinks(thinking) }, losses),
    ...defined({ stop_sequences: writeStop(call.stop, losses) }),
    ...defined({ service_tier: writeTier(call.serviceTier, losses) }),
    ...defined({ metadata: call.user === undefined ? undefined : { user_id: call.user } }),
    ...(options.stream && { stream: true }),
  };
  keepCacheMarks([...tools, ...system, ...messages.flatMap(({ content }) => content)].flatMap(withInner), losses);
  reportUnwritten(call, UNWRITTEN, losses);
  return { body: Buffer.from(JSON.stringify(body)), dropped: losses.names };
}

/** The most output tokens that `writeCall` asks for: the caller's limit plus the budget of models that take one. */
export function mostOutput(
  { maxOutputTokens, effort }: Pick<Envelope, 'maxOutputTokens' | 'effort'>,
  model: Pick<Model, 'upstreamId' | 'maxOutputTokens'>,
): number {
  const most = model.maxOutputTokens ?? Number.MAX_SAFE_INTEGER;
  const asked = Math.min(maxOutputTokens ?? model.maxOutputTokens ?? DEFAULT_MAX_TOKENS, most);
  const budget = traitsOf(model.upstreamId).thinks === 'budget' ? budgetOf(effort) : 0;
  return asked > budget ? asked : Math.min(most, asked + budget);
}

/** Fields that only this format has. Names with a dot come from nested objects and cannot be put back. */
function ownExtra({ extra }: Call, losses: Losses): Record<string, unknown> {
  if (extra === undefined) return {};
  if (extra.dialect !== ID) {
    losses.addFields(extra.fields);
    return {};
  }
  return Object.fromEntries(Object.entries(extra.fields).filter(([name]) => !name.includes('.')));
}

function writeFormat({ format }: Call, { schemas }: ModelTraits, losses: Losses): object | undefined {
  if (format === undefined || format.kind === 'text') return undefined;
  // Anthropic has no mode for JSON without a schema. Formats that have one require the prompt to ask for JSON too.
  if (format.kind === 'json' || !schemas) {
    losses.add('response_format');
    return undefined;
  }
  const schema = heldSchema(format.schema, 'response_format', losses);
  return schema && { type: 'json_schema', schema };
}

function thinks(thinking: { type: string } | undefined): boolean {
  return thinking?.type === 'enabled' || thinking?.type === 'adaptive';
}

/**
 * Writes the sampling parameters. Temperature goes from 0 to 1 here, some models refuse it together with `top_p`, and
 * none of them is accepted together with thinking.
 */
function writeSampling(
  { temperature, topP, topK }: Call,
  {
    model,
    traits: { sampling },
    isThinking,
  }: { model: WriteOptions['model']; traits: ModelTraits; isThinking: boolean },
  losses: Losses,
) {
  const free = !isThinking && sampling !== 'none' && model.capabilities?.temperature !== false;
  const body: { temperature?: number; top_p?: number; top_k?: number } = {};
  if (temperature !== undefined) {
    if (free) body.temperature = Math.min(1, temperature);
    // 1 is the default, so leaving it out loses nothing.
    if (free ? temperature > 1 : temperature !== 1) losses.add('temperature');
  }
  if (topP !== undefined) {
    if (free && (sampling === 'all' || temperature === undefined)) body.top_p = topP;
    else if (topP !== 1) losses.add('top_p');
  }
  if (topK !== undefined) {
    if (free) body.top_k = topK;
    else losses.add('top_k');
  }
  return body;
}

function writeStop(stop: Call['stop'], losses: Losses): readonly string[] | undefined {
  const some = (stop ?? []).filter((each) => each.trim() !== '');
  // Anthropic refuses stop sequences of only whitespace.
  if (some.length < (stop?.length ?? 0)) losses.add('stop');
  return some.length > 0 ? some : undefined;
}

function writeTier(tier: string | undefined, losses: Losses): string | undefined {
  switch (tier) {
    case undefined:
    case 'auto':
      return tier;
    case 'default':
    case 'standard_only':
      return 'standard_only';
    default:
      losses.add('service_tier');
      return undefined;
  }
}

const UNWRITTEN = [
  ...(['choices', 'frequency_penalty', 'presence_penalty', 'seed', 'logit_bias', 'logprobs'] as const),
  ...(['verbosity', 'metadata', 'prompt_cache_key', 'prompt_cache_retention'] as const),
] as const;
