import type { AnswerFormat, Call, ReasoningWish, Tool, ToolChoice } from '../../core/call.ts';
import type { Envelope } from '../dialect.ts';
import { isSet, isUnsupported, lostWithin } from '../members.ts';
import { wishOfBudget } from '../reasoning-efforts.ts';
import { parsedBody, wrongType } from '../request.ts';
import { textOf, type Unchecked } from '../unchecked-json.ts';
import { readSearch } from '../web-search.ts';
import { parseCall } from './body.ts';
import { readCache, readMessages, readSystem } from './call-read-messages.ts';
import {
  given,
  list,
  object,
  optionalBoolean,
  optionalList,
  optionalNumber,
  optionalObject,
  optionalText,
  text,
} from './fields.ts';
import { CUSTOM_TOOL, MESSAGES, OUTPUT_CONFIG, REQUEST, SYSTEM, THINKING } from './members.ts';
import { ID } from './wire.ts';

/** Reads a whole call. */
export function readCall(envelope: Envelope): Call {
  const body = object(parsedBody(envelope, parseCall), 'body');
  const unknown: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(body)) {
    if (isUnsupported(REQUEST, name) && value !== null) unknown[name] = value;
  }
  const toolChoice = optionalObject(body.tool_choice, 'tool_choice');
  const parallel = optionalBoolean(toolChoice?.disable_parallel_tool_use, 'tool_choice.disable_parallel_tool_use');
  const output = optionalObject(body.output_config, 'output_config') ?? {};
  for (const [name, value] of Object.entries(output)) {
    if (isUnsupported(OUTPUT_CONFIG, name) && value !== null) unknown[`output_config.${name}`] = value;
  }
  const stop = optionalList(body.stop_sequences, 'stop_sequences');
  const tools = optionalList(body.tools, 'tools').map((tool, index) => readTool(tool, `tools[${index}]`, unknown));
  const messages = [...readSystem(body.system), ...readMessages(list(body.messages, 'messages'), unknown)];
  const omitted = new Set<string>();
  lostWithin(body.thinking, THINKING, 'thinking', { into: omitted, unknown: true });
  lostWithin(body.system, SYSTEM, 'system', { into: omitted, unknown: true });
  lostWithin(body.messages, MESSAGES, 'messages', { into: omitted, unknown: true });
  return {
    messages,
    tools,
    ...given('toolChoice', toolChoice && readToolChoice(toolChoice)),
    ...given('parallelToolCalls', parallel === undefined ? undefined : !parallel),
    ...given('maxOutputTokens', envelope.maxOutputTokens ?? undefined),
    ...given('temperature', optionalNumber(body.temperature, 'temperature')),
    ...given('topP', optionalNumber(body.top_p, 'top_p')),
    ...given('topK', optionalNumber(body.top_k, 'top_k')),
    ...(stop.length > 0 && { stop: stop.map((each, index) => text(each, `stop_sequences[${index}]`)) }),
    ...given('reasoning', readReasoning(optionalObject(body.thinking, 'thinking'), output)),
    ...given('format', readFormat(output.format ?? body.output_format)),
    ...given('serviceTier', readTier(optionalText(body.service_tier, 'service_tier'))),
    ...given('user', optionalText(optionalObject(body.metadata, 'metadata')?.user_id, 'metadata.user_id')),
    ...(Object.keys(unknown).length > 0 && { extra: { dialect: ID, fields: unknown } }),
    ...(omitted.size > 0 && { omitted: [...omitted] }),
  };
}

function readTool(value: unknown, path: string, unknown: Record<string, unknown>): Tool {
  const tool = object(value, path);
  const type = optionalText(tool.type, `${path}.type`);
  if (type !== undefined && type !== 'custom') {
    const isSearch = /^web_search_\d+$/.test(type);
    const search = isSearch ? { search: readSearch(textOf(tool.name) || 'web_search', tool, tool) } : {};
    return { kind: 'native', dialect: ID, type, value, ...search };
  }
  for (const [name, field] of Object.entries(tool)) {
    if (isUnsupported(CUSTOM_TOOL, name) && isSet(field)) unknown[`tools.${name}`] = true;
  }
  return {
    kind: 'function',
    name: text(tool.name, `${path}.name`),
    ...given('description', optionalText(tool.description, `${path}.description`)),
    parameters: object(tool.input_schema, `${path}.input_schema`),
    ...given('strict', optionalBoolean(tool.strict, `${path}.strict`)),
    ...(tool.strict === true && { held: true as const }),
    ...given('cache', readCache(tool, path)),
  };
}

function readToolChoice(choice: Unchecked): ToolChoice {
  switch (choice.type) {
    case 'auto':
    case 'none':
      return { mode: choice.type };
    case 'any':
      return { mode: 'required' };
    case 'tool':
      return { mode: 'one', name: text(choice.name, 'tool_choice.name'), form: 'function' };
    default:
      throw wrongType('tool_choice.type', '`auto`, `any`, `tool` or `none`');
  }
}

function readReasoning(thinking: Unchecked | undefined, output: Unchecked): ReasoningWish | undefined {
  const wish: ReasoningWish = {
    ...given('effort', optionalText(output.effort, 'output_config.effort')),
    ...given('summary', readDisplay(thinking?.display)),
  };
  switch (thinking?.type) {
    case undefined:
      break;
    case 'enabled':
      Object.assign(wish, wishOfBudget(optionalNumber(thinking.budget_tokens, 'thinking.budget_tokens') ?? 1024));
      break;
    case 'adaptive':
      wish.adaptive = true;
      break;
    case 'disabled':
      wish.effort = 'none';
      break;
    case 'between_tools':
      wish.effort = 'minimal';
      break;
    default:
      throw wrongType('thinking.type', '`enabled`, `adaptive`, `between_tools` or `disabled`');
  }
  return Object.keys(wish).length > 0 ? wish : undefined;
}

function readDisplay(display: unknown): string | undefined {
  switch (optionalText(display, 'thinking.display')) {
    case 'summarized':
      return 'auto';
    case 'omitted':
      return 'none';
    default:
      return undefined;
  }
}

function readFormat(value: unknown): AnswerFormat | undefined {
  const format = optionalObject(value, 'output_config.format');
  if (format === undefined) return undefined;
  if (format.type !== 'json_schema') throw wrongType('output_config.format.type', '`json_schema`');
  return { kind: 'schema', schema: object(format.schema, 'output_config.format.schema'), held: true };
}

/** Anthropic's `standard_only` is called `default` in other formats: no capacity bought in advance. */
function readTier(tier: string | undefined): string | undefined {
  return tier === 'standard_only' ? 'default' : tier;
}
