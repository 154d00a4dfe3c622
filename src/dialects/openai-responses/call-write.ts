import type { Call, Message, Tool } from '../../core/call.ts';
import { Losses } from '../../core/losses.ts';
import type { Quirks, SearchRow } from '../../core/quirks.ts';
import type { WriteOptions, WrittenCall } from '../dialect.ts';
import { takesBreakpoints } from '../openai-cache.ts';
import { strictOf, strictOfFunction } from '../openai-strict.ts';
import { adaptiveEffort, effortFor, effortOf } from '../reasoning-efforts.ts';
import { requiresTool } from '../tool-choice.ts';
import { translatedSchema } from '../tool-schema.ts';
import { isObject, type Unchecked } from '../unchecked-json.ts';
import { reportUnwritten } from '../unwritten-parameters.ts';
import { searchNamed, writeSearch } from '../web-search.ts';
import { writeInput } from './call-items-write.ts';
import { ENCRYPTED_REASONING, LOGPROBS } from './wire.ts';

/** Writes a call that was read from another dialect, with `store: false`, because the vendor's account is shared. */
export function writeCall(call: Call, options: WriteOptions): WrittenCall {
  const losses = new Losses();
  const { instructions, messages } = splitInstructions(call, options, losses);
  const { tools, members, include } = writeTools(call.tools, options, losses);
  const body = {
    model: options.upstreamModel,
    ...(instructions !== null && { instructions }),
    input: writeInput(messages, options, losses),
    ...(options.stream && { stream: true }),
    store: false,
    ...writeSampling(call, options, losses),
    ...writeWishes(call, options, { include, losses }),
    ...(tools.length > 0 && { tools }),
    ...members,
    ...writeToolChoice(call, tools, losses),
    ...(call.parallelToolCalls !== undefined && { parallel_tool_calls: call.parallelToolCalls }),
    ...writeNames(call, losses),
  };
  return { body: Buffer.from(JSON.stringify(withExtra(body, call.extra, losses))), dropped: losses.names };
}

/**
 * Moves a leading system text to `instructions`, unless it is the only item, because OpenAI refuses a call without
 * input; unless any JSON is asked for, because OpenAI then requires the word “JSON” in the input; and unless it has a
 * cache mark, which only input can have.
 */
function splitInstructions(
  { messages, format }: Call,
  options: WriteOptions,
  losses: Losses,
): {
  instructions: string | null;
  messages: readonly Message[];
} {
  const [first, ...rest] = messages;
  if (format?.kind === 'json') return { instructions: null, messages };
  const only = first?.role === 'system' && first.parts.length === 1 ? first.parts[0] : undefined;
  if (only === undefined || only.text === '' || rest.length === 0) return { instructions: null, messages };
  if (only.cache !== undefined && takesBreakpoints(options)) return { instructions: null, messages };
  if (only.cache !== undefined) losses.add('cache_control');
  return { instructions: only.text, messages: rest };
}

/** OpenAI's smallest output limit. */
export const MIN_OUTPUT_TOKENS = 16;

const UNWRITTEN = ['choices', 'top_k', 'frequency_penalty', 'presence_penalty', 'seed', 'stop', 'logit_bias'] as const;

function writeSampling(call: Call, { model }: WriteOptions, losses: Losses): Unchecked {
  const { maxOutputTokens, temperature, topP } = call;
  reportUnwritten(call, UNWRITTEN, losses);
  const fixed = model.capabilities?.temperature === false;
  if (fixed && temperature !== undefined) losses.add('temperature');
  if (fixed && topP !== undefined) losses.add('top_p');
  const most = model.maxOutputTokens ?? Number.POSITIVE_INFINITY;
  return {
    ...(maxOutputTokens !== undefined && {
      max_output_tokens: Math.max(MIN_OUTPUT_TOKENS, Math.min(maxOutputTokens, most)),
    }),
    ...(!fixed && temperature !== undefined && { temperature }),
    ...(!fixed && topP !== undefined && { top_p: topP }),
    ...(call.logprobs !== undefined && call.logprobs.top > 0 && { top_logprobs: call.logprobs.top }),
  };
}

/** Writes the reasoning wishes and the output format. */
function writeWishes(
  call: Call,
  { model, upstreamModel, quirks }: WriteOptions,
  { include: ofTools, losses }: { include: readonly string[]; losses: Losses },
): Unchecked {
  const reasons = model.capabilities?.reasoning ?? call.reasoning !== undefined;
  const reasoning = reasons ? writeReasoning(call, upstreamModel, quirks, losses) : {};
  if (!reasons && call.reasoning !== undefined) {
    if (effortOf(call.reasoning) !== undefined) losses.add('reasoning_effort');
    if (call.reasoning.summary !== undefined) losses.add('reasoning_summary');
  }
  const include = [
    ...(reasons ? [ENCRYPTED_REASONING] : []),
    ...(call.logprobs === undefined ? [] : [LOGPROBS]),
    ...ofTools,
  ];
  const text = {
    ...(call.format !== undefined && { format: writeFormat(call.format, quirks, losses) }),
    ...(call.verbosity !== undefined && { verbosity: call.verbosity }),
  };
  return {
    ...(include.length > 0 && { include }),
    ...(Object.keys(reasoning).length > 0 && { reasoning }),
    ...(Object.keys(text).length > 0 && { text }),
  };
}

function writeReasoning({ reasoning }: Call, upstreamModel: string, quirks: Quirks, losses: Losses): Unchecked {
  const asked = effortOf(reasoning);
  const unasked = reasoning?.adaptive === true ? adaptiveEffort(upstreamModel, quirks) : undefined;
  const effort = asked === undefined ? unasked : effortFor(upstreamModel, asked, quirks, losses);
  const summary = reasoning?.summary;
  return {
    ...(effort !== undefined && { effort }),
    ...(summary !== undefined && summary !== 'none' && { summary }),
  };
}

function writeFormat(format: NonNullable<Call['format']>, quirks: Quirks, losses: Losses): Unchecked {
  switch (format.kind) {
    case 'text':
      return { type: 'text' };
    case 'json':
      return { type: 'json_object' };
    case 'schema': {
      const { kind: _, name = 'answer', held: __, ...rest } = format;
      const strict = strictOf(format, quirks, losses);
      return { type: 'json_schema', name, ...rest, ...(strict !== undefined && { strict }) };
    }
    default:
      return format satisfies never;
  }
}

/** https://platform.openai.com/docs/guides/tools-web-search */
export const SEARCH: SearchRow = {
  tool: { type: 'web_search' },
  options: {
    allowed_domains: 'filters.allowed_domains',
    user_location: 'user_location',
    search_context_size: 'search_context_size',
  },
  source: 'https://platform.openai.com/docs/guides/tools-web-search',
};

/** The tools, and the members of the body that go with them. */
function writeTools(
  tools: readonly Tool[],
  { quirks, upstreamModel }: WriteOptions,
  losses: Losses,
): { tools: unknown[]; members: Unchecked; include: readonly string[] } {
  let members: Unchecked = {};
  const include = new Set<string>();
  const written = tools.flatMap((tool): unknown[] => {
    switch (tool.kind) {
      case 'function': {
        const { kind: type, name, cache } = tool;
        const { description, parameters, isWhole } = translatedSchema(tool, quirks, losses);
        const strict = strictOfFunction(tool, isWhole, quirks, losses) ?? false;
        if (cache !== undefined) losses.add('cache_control');
        // Here, a missing `strict` means true; in other dialects false.
        const words = {
          ...(description !== undefined && { description }),
          ...(parameters !== undefined && { parameters }),
        };
        return [{ type, name, ...words, strict }];
      }
      case 'custom': {
        const { kind: type, origin: _, ...rest } = tool;
        return [{ type, ...rest }];
      }
      case 'native':
        if (tool.dialect === 'openai-responses') return [tool.value];
        if (tool.search !== undefined) {
          const row = quirks.webSearch?.['openai-responses'] ?? SEARCH;
          const search = writeSearch({ ...tool, search: tool.search }, row, upstreamModel, losses);
          members = { ...members, ...search.members };
          if (search.tools.length > 0 && row.include !== undefined) include.add(row.include);
          return [...search.tools];
        }
        losses.addTool(tool.type);
        return [];
      default:
        return tool satisfies never;
    }
  });
  return { tools: written, members, include: [...include] };
}

function writeToolChoice(
  { toolChoice: choice, tools: declared }: Call,
  tools: readonly unknown[],
  losses: Losses,
): Unchecked {
  if (choice === undefined) return {};
  if (tools.length === 0) {
    if (requiresTool(choice)) losses.add('tool_choice');
    return {};
  }
  // Only the allowed tools are still in the list.
  if (choice.mode === 'allowed') return { tool_choice: choice.required ? 'required' : 'auto' };
  if (choice.mode !== 'one') return { tool_choice: choice.mode };
  const search = searchNamed(declared, choice.name);
  if (search === null) return { tool_choice: { type: choice.form, name: choice.name } };
  const written = tools.find((tool) => isObject(tool) && tool.type !== 'function' && tool.type !== 'custom');
  if (isObject(written)) return { tool_choice: { type: written.type } };
  losses.add('tool_choice');
  return {};
}

const TIERS = ['auto', 'default', 'flex', 'scale', 'priority', 'fast'];
const RETENTIONS = ['in_memory', 'in-memory', '24h'];
/** OpenAI's limits. */
const MAX_USER = 64;
const MAX_METADATA = 16;
const MAX_METADATA_NAME = 64;
const MAX_METADATA_VALUE = 512;

/** Writes the service tier, user, metadata and cache settings. Values that OpenAI would refuse are dropped. */
function writeNames(call: Call, losses: Losses): Unchecked {
  const { serviceTier, user, metadata, promptCacheKey, promptCacheRetention } = call;
  const tier = serviceTier !== undefined && TIERS.includes(serviceTier);
  const retention = promptCacheRetention !== undefined && RETENTIONS.includes(promptCacheRetention);
  const named = user !== undefined && user.length <= MAX_USER;
  const told = metadata !== undefined && isWithinBounds(metadata);
  if (serviceTier !== undefined && !tier) losses.add('service_tier');
  if (promptCacheRetention !== undefined && !retention) losses.add('prompt_cache_retention');
  if (user !== undefined && !named) losses.add('user');
  if (metadata !== undefined && !told) losses.add('metadata');
  return {
    ...(tier && { service_tier: serviceTier }),
    ...(named && { safety_identifier: user }),
    ...(told && { metadata }),
    ...(promptCacheKey !== undefined && { prompt_cache_key: promptCacheKey }),
    ...(retention && { prompt_cache_retention: promptCacheRetention }),
  };
}

function isWithinBounds(metadata: Readonly<Record<string, string>>): boolean {
  const entries = Object.entries(metadata);
  const fits = ([name, value]: [string, string]) =>
    name.length <= MAX_METADATA_NAME && value.length <= MAX_METADATA_VALUE;
  return entries.length <= MAX_METADATA && entries.every(fits);
}

/** Puts back the fields that only this dialect has. */
function withExtra(body: Unchecked, extra: Call['extra'], losses: Losses): Unchecked {
  if (extra === undefined) return body;
  if (extra.dialect !== 'openai-responses') {
    losses.addFields(extra.fields);
    return body;
  }
  const whole: Record<string, unknown> = { ...body };
  /** Objects that members were put back into. Each is copied only once. */
  const grown = new Map<string, Record<string, unknown>>();
  for (const [name, value] of Object.entries(extra.fields)) {
    const [outer = '', inner] = name.split('.');
    // Members of single tools cannot be restored.
    if (outer === 'tools') continue;
    if (name === 'include')
      whole.include = [...new Set([...((body.include as unknown[]) ?? []), ...(value as unknown[])])];
    else if (inner === undefined) whole[name] = value;
    else {
      const members = grown.get(outer) ?? { ...(isObject(whole[outer]) ? whole[outer] : {}) };
      members[inner] = value;
      grown.set(outer, members);
      whole[outer] = members;
    }
  }
  return whole;
}
