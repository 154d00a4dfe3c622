import type { Usage } from '../../core/usage.ts';
import { type RequestBody, rootOf } from '../request.ts';
import { isObject, listOf, type Unchecked } from '../unchecked-json.ts';
import type { Failed } from './frames.ts';

/** The fields of a response that stay the same in all its events. */
export type ResponseFields = {
  id: string;
  model: string;
  /** Unix seconds. */
  createdAt: number;
  /** The fields that repeat the request: JSON members without braces. */
  echo: string;
};

export type ResponseState = {
  status: 'in_progress' | 'completed' | 'incomplete' | 'failed';
  error?: Failed;
  /** Why the response is incomplete. */
  reason?: 'max_output_tokens' | 'content_filter';
  /** The items, each as JSON. */
  output: readonly string[];
  /** Missing until the response ends. */
  usage?: Usage;
  serviceTier?: string | undefined;
};

const TIERS: readonly unknown[] = ['auto', 'default', 'flex', 'scale', 'priority', 'fast'];

/**
 * Writes a response as JSON, with the fields of both OpenAI's and Open Responses' schemas, and values valid in both.
 * https://www.openresponses.org/specification
 */
export function writeResponse({ id, model, createdAt, echo }: ResponseFields, state: ResponseState): string {
  const { status, error, reason, output, usage } = state;
  const head = JSON.stringify({
    id,
    object: 'response',
    created_at: createdAt,
    status,
    background: false,
    completed_at: status === 'completed' ? createdAt : null,
    error: error ?? null,
    incomplete_details: reason === undefined ? null : { reason },
    model,
    previous_response_id: null,
    service_tier: TIERS.includes(state.serviceTier) ? state.serviceTier : 'default',
    store: false,
    usage: usage === undefined ? null : writeUsage(usage),
  });
  return `${head.slice(0, -1)},${echo},"output":[${output.join(',')}]}`;
}

/** Tools larger than this many bytes are copied as received: writing them anew would block the event loop. */
const MAX_TOOLS_WRITTEN = 512 * 1024;

/** The members of a response that repeat the request, with their defaults. */
export function writeEcho(call: RequestBody): string {
  const { asked, largeTools } = parse(call);
  const told = tellEcho(asked);
  return largeTools === null ? told : `${told},"tools":${largeTools}`;
}

function tellEcho(asked: Unchecked): string {
  const given = (name: string, kind: 'string' | 'number' | 'boolean'): unknown =>
    typeof asked[name] === kind ? asked[name] : undefined;
  const reasoning = isObject(asked.reasoning) ? asked.reasoning : {};
  return JSON.stringify({
    access_programs: null,
    frequency_penalty: given('frequency_penalty', 'number') ?? 0,
    instructions: given('instructions', 'string') ?? null,
    max_output_tokens: given('max_output_tokens', 'number') ?? null,
    max_tool_calls: given('max_tool_calls', 'number') ?? null,
    metadata: isObject(asked.metadata) ? asked.metadata : {},
    parallel_tool_calls: given('parallel_tool_calls', 'boolean') ?? true,
    presence_penalty: given('presence_penalty', 'number') ?? 0,
    prompt_cache_key: given('prompt_cache_key', 'string') ?? null,
    prompt_cache_retention: given('prompt_cache_retention', 'string') ?? null,
    reasoning: { ...reasoning, effort: reasoning.effort ?? null, summary: reasoning.summary ?? null },
    safety_identifier: given('safety_identifier', 'string') ?? null,
    temperature: given('temperature', 'number') ?? 1,
    text: echoText(isObject(asked.text) ? asked.text : {}),
    tool_choice: given('tool_choice', 'string') ?? (isObject(asked.tool_choice) ? asked.tool_choice : 'auto'),
    tools: asked.tools === LARGE_TOOLS ? undefined : listOf(asked.tools).map(echoTool),
    top_logprobs: given('top_logprobs', 'number') ?? 0,
    top_p: given('top_p', 'number') ?? 1,
    truncation: given('truncation', 'string') ?? 'disabled',
    user: given('user', 'string'),
  }).slice(1, -1);
}

function echoText(text: Unchecked): Unchecked {
  const format = isObject(text.format) ? text.format : { type: 'text' };
  const full = { description: null, schema: null, strict: false };
  return { ...text, format: format.type === 'json_schema' ? { ...full, ...format } : format };
}

function echoTool(tool: unknown): unknown {
  if (!isObject(tool) || tool.type !== 'function') return tool;
  return { description: null, parameters: null, strict: null, ...tool };
}

function writeUsage(usage: Usage): Unchecked {
  return {
    input_tokens: usage.inputTokens,
    input_tokens_details: { cached_tokens: usage.cacheReadTokens, cache_write_tokens: usage.cacheWriteTokens },
    output_tokens: usage.outputTokens,
    output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
    total_tokens: usage.inputTokens + usage.outputTokens,
  };
}

/** Marks tools that are copied as received. */
const LARGE_TOOLS = Symbol('large tools');

/** The call without its input, which is large and not repeated; and its tools as JSON if they are large. */
function parse(call: RequestBody): { asked: Unchecked; largeTools: string | null } {
  try {
    let largeTools: string | null = null;
    const told = rootOf(call)
      .children()
      .flatMap((member) => {
        const { name, start, end } = member;
        if (name === 'input') return [];
        if (name !== 'tools' || end - start <= MAX_TOOLS_WRITTEN || !member.isList) return [[name, member.parsed()]];
        // An event's data must be on one line. Line ends in JSON occur only between values.
        largeTools = call.body.toString('utf8', start, end).replace(/[\n\r]/g, ' ');
        return [[name, LARGE_TOOLS]];
      });
    return { asked: Object.fromEntries(told), largeTools };
  } catch {
    return { asked: {}, largeTools: null }; // The response then repeats nothing of the request.
  }
}
