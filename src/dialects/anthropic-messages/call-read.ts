import type { AnswerFormat, Call, ReasoningWish, Tool, ToolChoice } from '../../core/call.ts';
import type { Envelope } from '../dialect.ts';
import { Fields } from '../fields.ts';
import { isSet, isUnsupported, lostWithin } from '../members.ts';
import { wishOfBudget } from '../reasoning-efforts.ts';
import { parsedBody, wrongType } from '../request.ts';
import { defined, textOf } from '../unchecked-json.ts';
import { readSearch } from '../web-search.ts';
import { parseCall } from './body.ts';
import { readCache, readMessages, readSystem } from './call-read-messages.ts';
import { CUSTOM_TOOL, MESSAGES, OUTPUT_CONFIG, REQUEST, SYSTEM, THINKING } from './members.ts';
import { ID } from './wire.ts';

/** Reads a whole call. */
export function readCall(envelope: Envelope): Call {
  const body = new Fields(parsedBody(envelope, parseCall), '');
  const unknown: Record<string, unknown> = {};
  for (const name of body.names) {
    if (isUnsupported(REQUEST, name) && body.raw(name) !== undefined) unknown[name] = body.raw(name);
  }
  const toolChoice = body.object('tool_choice');
  const parallel = toolChoice?.boolean('disable_parallel_tool_use');
  const output = body.object('output_config') ?? new Fields({}, 'output_config');
  for (const name of output.names) {
    if (isUnsupported(OUTPUT_CONFIG, name) && output.raw(name) !== undefined)
      unknown[output.at(name)] = output.raw(name);
  }
  const stop = body.texts('stop_sequences') ?? [];
  const tools = body.objects('tools').map((tool) => readTool(tool, unknown));
  const messages = [...readSystem(body), ...readMessages(body, unknown)];
  const omitted = new Set<string>();
  lostWithin(body.raw('thinking'), THINKING, 'thinking', { into: omitted, unknown: true });
  lostWithin(body.raw('system'), SYSTEM, 'system', { into: omitted, unknown: true });
  lostWithin(body.raw('messages'), MESSAGES, 'messages', { into: omitted, unknown: true });
  return {
    messages,
    tools,
    ...defined({
      toolChoice: toolChoice && readToolChoice(toolChoice),
      parallelToolCalls: parallel === undefined ? undefined : !parallel,
      maxOutputTokens: envelope.maxOutputTokens ?? undefined,
      temperature: body.number('temperature'),
      topP: body.number('top_p'),
      topK: body.number('top_k'),
      stop: stop.length > 0 ? stop : undefined,
      reasoning: readReasoning(body.object('thinking'), output),
      format: readFormat(output.object('format') ?? body.object('output_format')),
      serviceTier: readTier(body.text('service_tier')),
      user: body.object('metadata')?.text('user_id'),
    }),
    ...(Object.keys(unknown).length > 0 && { extra: { dialect: ID, fields: unknown } }),
    ...(omitted.size > 0 && { omitted: [...omitted] }),
  };
}

function readTool(tool: Fields, unknown: Record<string, unknown>): Tool {
  const type = tool.text('type');
  if (type !== undefined && type !== 'custom') {
    const { value } = tool;
    const isSearch = /^web_search_\d+$/.test(type);
    const search = isSearch ? { search: readSearch(textOf(value.name) || 'web_search', value, value) } : {};
    return { kind: 'native', dialect: ID, type, value, ...search };
  }
  for (const name of tool.names) {
    if (isUnsupported(CUSTOM_TOOL, name) && isSet(tool.raw(name))) unknown[`tools.${name}`] = true;
  }
  const strict = tool.boolean('strict');
  return {
    kind: 'function',
    name: tool.needed('name'),
    parameters: tool.neededObject('input_schema').value,
    ...defined({ description: tool.text('description'), strict, cache: readCache(tool) }),
    ...(strict === true && { held: true as const }),
  };
}

function readToolChoice(choice: Fields): ToolChoice {
  const type = choice.raw('type');
  switch (type) {
    case 'auto':
    case 'none':
      return { mode: type };
    case 'any':
      return { mode: 'required' };
    case 'tool':
      return { mode: 'one', name: choice.needed('name'), form: 'function' };
    default:
      throw wrongType(choice.at('type'), '`auto`, `any`, `tool` or `none`');
  }
}

function readReasoning(thinking: Fields | undefined, output: Fields): ReasoningWish | undefined {
  const wish: ReasoningWish = defined({
    effort: output.text('effort'),
    summary: readDisplay(thinking?.text('display')),
  });
  switch (thinking?.raw('type')) {
    case undefined:
      break;
    case 'enabled':
      Object.assign(wish, wishOfBudget(thinking?.number('budget_tokens') ?? 1024));
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

function readDisplay(display: string | undefined): string | undefined {
  switch (display) {
    case 'summarized':
      return 'auto';
    case 'omitted':
      return 'none';
    default:
      return undefined;
  }
}

function readFormat(format: Fields | undefined): AnswerFormat | undefined {
  if (format === undefined) return undefined;
  if (format.raw('type') !== 'json_schema') throw wrongType(format.at('type'), '`json_schema`');
  return { kind: 'schema', schema: format.neededObject('schema').value, held: true };
}

/** Anthropic's `standard_only` is called `default` in other formats: no capacity bought in advance. */
function readTier(tier: string | undefined): string | undefined {
  return tier === 'standard_only' ? 'default' : tier;
}
