import type { Tool, ToolCallPart, ToolResultPart } from '../../core/call.ts';
import { parseJson } from '../../json/parse.ts';
import { isObject, listOf, objectOf, textOf, type Unchecked, wordOf } from '../unchecked-json.ts';

/**
 * Tools of this dialect, besides functions and custom tools, that the client runs. In other dialects each is a
 * function, whose calls become the items that the client knows. https://platform.openai.com/docs/guides/tools
 */
export type ClientTool = { type: 'namespace'; namespace: string; name: string } | { type: ClientToolType };
export type ClientToolType = 'apply_patch' | 'local_shell' | 'shell' | 'tool_search';

const BUILT_IN = new Set<unknown>(['apply_patch', 'local_shell', 'shell', 'tool_search']);

/** The built-in tool of the client that a declaration means; `null` for any other tool. */
export function clientToolOf(tool: Unchecked): ClientToolType | null {
  const { type } = tool;
  if (!BUILT_IN.has(type)) return null;
  // Without an environment the shell is the client's; a container is the vendor's.
  if (type === 'shell' && isObject(tool.environment) && tool.environment.type !== 'local') return null;
  if (type === 'tool_search' && tool.execution !== 'client') return null;
  return type as ClientToolType;
}

/** The name of a client tool as a function, unless another tool has that name. */
export function plainName(tool: ClientTool): string {
  if (tool.type !== 'namespace') return tool.type;
  const { namespace, name } = tool;
  return namespace.endsWith('_') ? `${namespace}${name}` : `${namespace}__${name}`;
}

const text = (description: string) => ({ type: 'string', description }) as const;
const texts = (description: string) => ({ type: 'array', items: { type: 'string' }, description }) as const;
const TIMEOUT = { type: 'integer', description: 'The most milliseconds that it may take.' } as const;

const DESCRIPTIONS: Readonly<Record<ClientToolType, string>> = {
  apply_patch: 'Creates, updates or deletes one file.',
  local_shell: 'Runs a command on the local machine and returns its output.',
  shell: 'Runs commands in a shell on the local machine and returns their output.',
  tool_search: 'Searches for tools that can then be called.',
};

const PARAMETERS: Readonly<Record<ClientToolType, Unchecked>> = {
  apply_patch: {
    type: 'object',
    properties: {
      type: { type: 'string', enum: ['create_file', 'update_file', 'delete_file'] },
      path: text('The path of the file.'),
      diff: text('The changes as a V4A diff, or the lines of a new file, each behind a plus sign.'),
    },
    required: ['type', 'path'],
  },
  local_shell: {
    type: 'object',
    properties: {
      command: texts('The program and its arguments.'),
      working_directory: text('Where it runs.'),
      env: { type: 'object', properties: {}, additionalProperties: { type: 'string' } },
      timeout_ms: TIMEOUT,
    },
    required: ['command'],
  },
  shell: {
    type: 'object',
    properties: {
      commands: texts('The commands, run one after the other.'),
      timeout_ms: TIMEOUT,
      max_output_length: { type: 'integer', description: 'The most characters of output to return.' },
    },
    required: ['commands'],
  },
  tool_search: { type: 'object', properties: { query: text('What to search for.') }, required: ['query'] },
};

/**
 * A built-in tool of the client as a function with this name. Its own description and schema are kept if it has them.
 */
export function functionFor(type: ClientToolType, name: string, declared: Unchecked): Tool {
  return {
    kind: 'function',
    name,
    description: wordOf(declared.description) ?? DESCRIPTIONS[type],
    parameters: isObject(declared.parameters) ? declared.parameters : PARAMETERS[type],
    origin: { dialect: 'openai-responses', value: { type } satisfies ClientTool },
  };
}

const CALLS: Readonly<Record<string, ClientToolType>> = {
  apply_patch_call: 'apply_patch',
  local_shell_call: 'local_shell',
  shell_call: 'shell',
  tool_search_call: 'tool_search',
};

/** The built-in tool of the client that an item calls; `null` for any other item. */
export function clientCallOf(item: Unchecked): ClientToolType | null {
  const type = CALLS[textOf(item.type)];
  if (type === undefined) return null;
  if (type === 'tool_search') return wordOf(item.call_id) !== null && item.execution !== 'server' ? type : null;
  const { environment } = item;
  return type === 'shell' && isObject(environment) && environment.type !== 'local' ? null : type;
}

/** An item's call of a built-in tool as a call of the function with this name. */
export function readClientCall(item: Unchecked, type: ClientToolType, name: string): ToolCallPart {
  const id = wordOf(item.call_id) ?? textOf(item.id);
  return { kind: 'tool-call', id, name, input: JSON.stringify(said(inputOf(item, type))), form: 'function' };
}

function inputOf(item: Unchecked, type: ClientToolType): Unchecked {
  switch (type) {
    case 'apply_patch':
      return objectOf(item.operation);
    case 'tool_search':
      return objectOf(typeof item.arguments === 'string' ? parsed(item.arguments) : item.arguments);
    case 'local_shell': {
      const { type: _, env, ...action } = objectOf(item.action);
      return Object.keys(objectOf(env)).length === 0 ? action : { ...action, env };
    }
    case 'shell':
      return objectOf(item.action);
    default:
      return type satisfies never;
  }
}

const RESULTS = new Set([
  'apply_patch_call_output',
  'local_shell_call_output',
  'shell_call_output',
  'tool_search_output',
]);

/** Whether an item answers a call of a built-in tool of the client. */
export function isClientResult(item: Unchecked): boolean {
  if (!RESULTS.has(textOf(item.type))) return false;
  return item.type !== 'tool_search_output' || (wordOf(item.call_id) !== null && item.execution !== 'server');
}

/** The result of a call of a built-in tool. `found`: the names of the tools that a search found. */
export function readClientResult(item: Unchecked, callId: string, found: readonly string[]): ToolResultPart {
  const words = item.type === 'tool_search_output' ? foundText(found) : outputText(item.output);
  const isError = item.type === 'apply_patch_call_output' && item.status === 'failed';
  const parts = words === '' ? [] : [{ kind: 'text', text: words } as const];
  return { kind: 'tool-result', callId, parts, isError, form: 'function' };
}

function foundText(found: readonly string[]): string {
  return found.length === 0 ? 'No tools found.' : `Tools found: ${found.join(', ')}`;
}

function outputText(output: unknown): string {
  if (typeof output === 'string') return output;
  return output === undefined || output === null ? '' : JSON.stringify(output);
}

/** The client tools of a call by their names as functions. */
export function clientTools(tools: readonly Tool[]): ReadonlyMap<string, ClientTool> {
  const found = new Map<string, ClientTool>();
  for (const tool of tools) {
    if (tool.kind === 'native' || tool.origin?.dialect !== 'openai-responses') continue;
    found.set(tool.name, tool.origin.value as ClientTool);
  }
  return found;
}

/** The prefixes of the ids of items. OpenAI checks the ids that it made itself. */
export const CALL_ID_PREFIXES: Readonly<Record<ClientToolType, string>> = {
  apply_patch: 'apc',
  local_shell: 'lsh',
  shell: 'sh',
  tool_search: 'tsc',
};

/** The item of a call of a built-in tool; `null` if the model's arguments do not make one. */
export function clientCallItem(
  type: ClientToolType,
  { id, callId, status }: { id: string; callId: string; status: string },
  input: string,
): Unchecked | null {
  const given = parsed(input);
  if (!isObject(given)) return null;
  const head = { id, type: `${type}_call`, status, call_id: callId };
  switch (type) {
    case 'tool_search':
      return { ...head, execution: 'client', arguments: given };
    case 'shell': {
      const commands = wordsOf(given.commands ?? given.command);
      if (commands === null) return null;
      const { timeout_ms = null, max_output_length = null } = given;
      return { ...head, action: { commands, timeout_ms, max_output_length }, environment: { type: 'local' } };
    }
    case 'local_shell': {
      const command = wordsOf(given.command ?? given.commands);
      if (command === null) return null;
      const { env, timeout_ms = null, user = null, working_directory = null } = given;
      return { ...head, action: { type: 'exec', command, env: objectOf(env), timeout_ms, user, working_directory } };
    }
    case 'apply_patch': {
      const { type: kind, path, diff } = given;
      if (typeof kind !== 'string' || typeof path !== 'string') return null;
      const needsDiff = kind !== 'delete_file';
      return { ...head, operation: { type: kind, path, ...(needsDiff && { diff: textOf(diff) }) } };
    }
    default:
      return type satisfies never;
  }
}

function wordsOf(value: unknown): readonly string[] | null {
  const words = typeof value === 'string' ? [value] : listOf(value);
  return words.length > 0 && words.every((word) => typeof word === 'string') ? words : null;
}

function said(members: Unchecked): Unchecked {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null && value !== undefined));
}

function parsed(input: string): unknown {
  try {
    return parseJson(input);
  } catch {
    return null;
  }
}
