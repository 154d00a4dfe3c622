import { field } from './json.ts';
import { errorReply, jsonReply, type Reply, type VendorRequest } from './reply.ts';

/** The refusal of the strictest real vendor, by the path's format; `null` if it accepts the call. */
export function refusalOf(request: VendorRequest): Reply | null {
  const { path, json, headers } = request;
  const named = path.startsWith('/v1/messages') ? headers['anthropic-version'] : undefined;
  return (named === '2026-10-21' ? refusesRemoved(json) : null) ?? REFUSALS[path]?.(json) ?? null;
}

const REFUSALS: Readonly<Record<string, (body: unknown) => Reply | null>> = {
  '/v1/chat/completions': (body) =>
    refusesSystemText(body) ?? refusesTools(body, 'function') ?? refused(unpairedCall(body)),
  '/v1/responses': (body) => refusesTools(body, null) ?? refused(unpairedItem(body)),
  '/v1/messages': (body) =>
    refusesMessagesTools(body) ?? refusesContent(body) ?? refusesImages(body) ?? refusesUnpaired(body),
};

const TYPE = 'invalid_request_error';
const UNIONS = ['anyOf', 'oneOf', 'allOf'];
const NOT_AT_ROOT = [...UNIONS, 'enum', 'not'];

/** The chat templates of many local models accept only one system message, at the start. */
function refusesSystemText(body: unknown): Reply | null {
  const misplaced = listOf(field(body, 'messages')).some((message, index) => {
    const role = field(message, 'role');
    return index > 0 && (role === 'system' || role === 'developer');
  });
  return misplaced ? errorReply(400, { message: 'System message must be at the beginning.', type: TYPE }) : null;
}

/** OpenAI's rules for names and schemas of functions. https://github.com/langchain-ai/langchainjs/issues/9804 */
function refusesTools(body: unknown, nested: string | null): Reply | null {
  const tools = listOf(field(body, 'tools')).flatMap((tool) => [tool, ...listOf(field(tool, 'tools'))]);
  for (const [index, tool] of tools.entries()) {
    const inner = nested === null ? tool : field(tool, nested);
    const at = `tools[${index}]${nested === null ? '' : `.${nested}`}`;
    const refusal = refusesName(field(inner, 'name'), `${at}.name`) ?? refusesSchema(inner, `${at}.parameters`);
    if (refusal !== null) return refusal;
  }
  for (const [index, message] of listOf(field(body, 'messages')).entries()) {
    for (const call of listOf(field(message, 'tool_calls'))) {
      const refusal = refusesName(field(call, 'function', 'name'), `messages[${index}].tool_calls[0].function.name`);
      if (refusal !== null) return refusal;
    }
  }
  return null;
}

function refusesName(name: unknown, param: string): Reply | null {
  if (typeof name !== 'string' || /^[a-zA-Z0-9_-]{1,64}$/.test(name)) return null;
  const isLong = name.length > 64;
  const message = isLong
    ? `Invalid '${param}': string too long. Expected a string with maximum length 64, but got a string with length ${name.length} instead.`
    : `Invalid '${param}': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`;
  return errorReply(400, { message, type: TYPE, param, code: isLong ? 'string_above_max_length' : 'invalid_value' });
}

function refusesSchema(inner: unknown, param: string): Reply | null {
  const schema = field(inner, 'parameters');
  if (typeof schema !== 'object' || schema === null) return null;
  const why = schemaFault(schema);
  if (why === null) return null;
  const message = `Invalid schema for function '${String(field(inner, 'name'))}': ${why}`;
  return errorReply(400, { message, type: TYPE, param, code: 'invalid_function_parameters' });
}

function schemaFault(schema: object): string | null {
  const type = field(schema, 'type');
  if (type === undefined) return `schema must be a JSON Schema of 'type: "object"', got 'type: null'.`;
  if (type !== 'object' || NOT_AT_ROOT.some((word) => word in schema)) {
    return "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level.";
  }
  if (!('properties' in schema)) return 'In context=(), object schema missing properties.';
  const isOdd = /"pattern":"[^"]*\(\?[=!<]/.test(JSON.stringify(schema));
  return isOdd ? 'regex lookaround is not supported.' : null;
}

/** Anthropic's rules for names and schemas of tools. https://github.com/anthropics/claude-code/issues/40075 */
function refusesMessagesTools(body: unknown): Reply | null {
  for (const [index, tool] of listOf(field(body, 'tools')).entries()) {
    const at = `tools.${index}.custom`;
    const name = field(tool, 'name');
    if (typeof name === 'string' && !/^[a-zA-Z0-9_-]{1,128}$/.test(name)) {
      return anthropicError(`${at}.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`);
    }
    const schema = field(tool, 'input_schema');
    if (typeof schema !== 'object' || schema === null) continue;
    if (!('type' in schema)) return anthropicError(`${at}.input_schema.type: Field required`);
    if (!Object.keys(field(schema, 'properties') ?? {}).every((name) => /^[a-zA-Z0-9_.-]{1,64}$/.test(name))) {
      return anthropicError(
        `${at}.input_schema.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'`,
      );
    }
    if (UNIONS.some((word) => word in schema)) {
      const why = 'input_schema does not support oneOf, allOf, or anyOf at the top level';
      return anthropicError(`${at}.input_schema: ${why}`);
    }
  }
  return null;
}

/** Members that version 2026-10-21 removed. https://qiita.com/Synthorai/items/01a0067e88747257a4e6 */
function refusesRemoved(body: unknown): Reply | null {
  const extra = (place: string) => anthropicError(`${place}: Extra inputs are not permitted`);
  const member = ['temperature', 'top_p', 'top_k'].find((name) => field(body, name) !== undefined);
  if (member !== undefined) return extra(member);
  for (const [at, message] of listOf(field(body, 'messages')).entries()) {
    const role = field(message, 'role');
    for (const [place, block] of listOf(field(message, 'content')).entries()) {
      const path = `messages.${at}.content.${place}`;
      const type = field(block, 'type');
      if (role === 'assistant' && type === 'document')
        return anthropicError(`${path}: \`document\` blocks are not permitted in assistant messages`);
      if (role === 'user' && type === 'text' && listOf(field(block, 'citations')).length > 0)
        return extra(`${path}.citations`);
    }
  }
  return null;
}

/** https://github.com/anthropics/claude-code/issues/23440, https://github.com/anthropics/claude-code/issues/11514 */
function refusesContent(body: unknown): Reply | null {
  const messages = listOf(field(body, 'messages'));
  const contents = [field(body, 'system'), ...messages.map((message) => field(message, 'content'))].map(listOf);
  if (contents.some((blocks) => blocks.some(isBlank))) {
    return anthropicError('messages: text content blocks must contain non-whitespace text');
  }
  for (const [index, message] of messages.entries()) {
    const last = listOf(field(message, 'content')).at(-1);
    if (field(message, 'role') !== 'assistant') continue;
    if (/thinking$/.test(String(field(last, 'type')))) {
      return anthropicError(`messages.${index}: The final block in an assistant message cannot be \`thinking\`.`);
    }
    if (index === messages.length - 1 && /\s$/.test(String(field(last, 'text') ?? field(message, 'content')))) {
      return anthropicError('messages: final assistant content cannot end with trailing whitespace');
    }
  }
  return null;
}

function isBlank(block: unknown): boolean {
  const text = field(block, 'text');
  if (field(block, 'type') === 'tool_result') return listOf(field(block, 'content')).some(isBlank);
  return field(block, 'type') === 'text' && typeof text === 'string' && text.trim() === '';
}

/** https://github.com/1jehuang/jcode/issues/465 */
function refusesImages(body: unknown): Reply | null {
  const blocks = listOf(field(body, 'messages')).flatMap((message) => listOf(field(message, 'content')));
  const all = blocks.flatMap((block) => [block, ...listOf(field(block, 'content'))]);
  for (const block of all) {
    const [named, data] = ['media_type', 'data'].map((member) => field(block, 'source', member));
    if (field(block, 'type') !== 'image' || typeof data !== 'string') continue;
    if (!/^image\/(?:jpeg|png|gif|webp)$/.test(String(named))) {
      return anthropicError(
        "image.source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'",
      );
    }
    if (data.startsWith('iVBORw0KGgo') !== (named === 'image/png')) {
      return anthropicError(`The image was specified using the ${String(named)} media type, but appears to be another`);
    }
  }
  return null;
}

function anthropicError(message: string): Reply {
  return jsonReply(400, { type: 'error', error: { type: TYPE, message } });
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/**
 * Each result must follow its call, and each call must have its result before anything else: OpenAI ("An assistant
 * message with 'tool_calls' must be followed by tool messages") and Anthropic ("`tool_use` ids were found without
 * `tool_result` blocks").
 */
function unpairedCall(body: unknown): string | null {
  let open: unknown[] = [];
  for (const [index, message] of listOf(field(body, 'messages')).entries()) {
    const blocks = listOf(field(message, 'content'));
    const isResult = field(message, 'role') === 'tool';
    const inBlocks = membersOf(blocks, 'tool_result', 'tool_use_id');
    const results = isResult ? [field(message, 'tool_call_id')] : inBlocks;
    if (results.some((id) => !open.includes(id))) return `messages[${index}] has a result without its call`;
    if (blocks.slice(0, inBlocks.length).some((block) => field(block, 'type') !== 'tool_result')) {
      return `messages[${index}] has results behind other content`;
    }
    open = open.filter((id) => !results.includes(id));
    if (open.length > 0 && !isResult) return `messages[${index}] stands before the result of ${open}`;
    const calls = listOf(field(message, 'tool_calls')).map((call) => field(call, 'id'));
    open.push(...membersOf(blocks, 'tool_use', 'id'), ...calls);
  }
  return open.length === 0 ? null : `there is no result of ${open}`;
}

/** OpenAI: "No tool output found for function call". The output of an asynchronous call may come later. */
function unpairedItem(body: unknown): string | null {
  const items = listOf(field(body, 'input')).filter((item) => field(item, 'async') !== true);
  const idsOf = (kind: RegExp) =>
    items.filter((item) => kind.test(String(field(item, 'type')))).map((item) => field(item, 'call_id'));
  const calls = idsOf(/^(?:function|custom_tool|local_shell)_call$/);
  const results = idsOf(/_call_output$/);
  const alone = [...calls.filter((id) => !results.includes(id)), ...results.filter((id) => !calls.includes(id))];
  return alone.length === 0 ? null : `input has a call or a result alone: ${alone}`;
}

function refusesUnpaired(body: unknown): Reply | null {
  const fault = unpairedCall(body);
  return fault === null ? null : anthropicError(`messages: ${fault}`);
}

/** The values of a member in all blocks of a type. */
function membersOf(blocks: readonly unknown[], type: string, name: string): unknown[] {
  return blocks.filter((block) => field(block, 'type') === type).map((block) => field(block, name));
}

function refused(message: string | null): Reply | null {
  return message === null ? null : errorReply(400, { message, type: TYPE });
}
