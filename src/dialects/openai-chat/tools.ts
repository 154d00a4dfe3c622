import type { CacheMark, Call, Tool, ToolChoice } from '../../core/call.ts';
import type { Losses } from '../../core/losses.ts';
import type { Quirks } from '../../core/quirks.ts';
import type { WriteOptions } from '../dialect.ts';
import { type Fields, unknownWord } from '../fields.ts';
import { strictOfFunction } from '../openai-strict.ts';
import { missing, wrongType } from '../request.ts';
import { requiresTool } from '../tool-choice.ts';
import { translatedSchema } from '../tool-schema.ts';
import { defined, listOf, objectOf } from '../unchecked-json.ts';
import { readSearch, searchNamed, type WrittenSearch, writeSearch } from '../web-search.ts';

/** Reads `tools`, and the older `functions`. */
export function readTools(body: Fields): Tool[] {
  return [
    ...body.objects('tools').map(readTool),
    ...body.objects('functions').map((declared): Tool => readFunction(declared, declared)),
    ...readSearchOptions(body),
    ...readPlugins(body),
  ];
}

function readTool(tool: Fields): Tool {
  const type = tool.text('type') ?? 'function';
  if (type === 'function') return readFunction(tool.object('function') ?? tool, tool);
  if (type !== 'custom') {
    const value = native(tool);
    const own = objectOf(value.web_search);
    const options = { ...value, ...objectOf(value.filters), ...objectOf(value.parameters), ...own };
    if (type === TOOL_SEARCH) return { kind: 'native', dialect: 'openai-responses', type, value };
    // A tool of Z.ai's that is there may be turned off.
    const search =
      SEARCHES.test(type) && own.enable !== false ? { search: readSearch('web_search', options, options) } : {};
    return { kind: 'native', dialect: 'openai-chat', type, value, ...search };
  }
  const custom = tool.object('custom') ?? tool;
  const format = custom.plain('format');
  return {
    kind: 'custom',
    name: custom.needed('name'),
    ...defined({
      description: custom.text('description'),
      // A grammar is nested one level deeper here than in other dialects.
      format: format && { type: format.type, ...objectOf(format.grammar), ...withoutGrammar(format) },
    }),
  };
}

/** A search that is requested beside the tools. */
function readSearchOptions(body: Fields): Tool[] {
  const options = body.plain('web_search_options');
  if (options === undefined) return [];
  const search = readSearch('web_search', options, {});
  return [{ kind: 'native', dialect: 'openai-chat', type: SEARCH_MEMBER, value: options, search }];
}

/**
 * A search by OpenRouter's plugin, which other vendors are sent in their own form. Other plugins are reported.
 * https://openrouter.ai/docs/guides/features/plugins/web-search
 */
function readPlugins(body: Fields): Tool[] {
  return listOf(body.raw(PLUGINS)).flatMap((plugin): Tool[] => {
    const value = objectOf(plugin);
    if (!isSearchPlugin(value)) return [];
    const { include_domains: allowed, exclude_domains: blocked } = value;
    const domains = { allowed_domains: allowed, blocked_domains: blocked };
    return [
      {
        kind: 'native',
        dialect: 'openai-chat',
        type: PLUGINS,
        value,
        search: readSearch('web_search', value, domains),
      },
    ];
  });
}

/** Whether it is a plugin that searches the web. */
export function isSearchPlugin(plugin: unknown): boolean {
  const { id, enabled } = objectOf(plugin);
  return id === 'web' && enabled !== false;
}

const PLUGINS = 'plugins';

/** A search for tools, which only responses support. It is passed to them unchanged. */
const TOOL_SEARCH = 'tool_search';
/** OpenAI's own member of a body that requests a search. */
const SEARCH_MEMBER = 'web_search_options';
/** Members of a body that ask for a search. */
const MEMBERS: ReadonlySet<string> = new Set([SEARCH_MEMBER, PLUGINS]);
/** Tools for web searches at vendors of chat. */
const SEARCHES = /^(?:[a-z]+:)?(?:web|browser)_search(?:_preview)?(?:_\d{4}_\d\d_\d\d|_\d{8})?$/;

function readFunction(declared: Fields, outer: Fields): Tool {
  return {
    kind: 'function',
    name: declared.needed('name'),
    parameters: declared.plain('parameters') ?? null,
    ...defined({
      description: declared.text('description'),
      strict: declared.boolean('strict'),
      cache: readCacheMark(outer) ?? readCacheMark(declared),
    }),
  };
}

/**
 * Reads a cache mark: OpenAI's own, or Anthropic's, which clients of OpenRouter send. OpenAI caches for at least 30
 * minutes or 12 hours; 12 hours become an hour, the longest that other vendors offer.
 */
export function readCacheMark(part: Fields): CacheMark | undefined {
  const breakpoint = part.object('prompt_cache_breakpoint');
  if (breakpoint !== undefined) return { ttl: breakpoint.text('ttl') === '12h' ? '1h' : '5m' };
  const control = part.object('cache_control');
  return control && { ttl: control.text('ttl') === '1h' ? '1h' : '5m' };
}

const MODES = ['none', 'auto', 'required'];

export function readToolChoice(body: Fields): ToolChoice | undefined {
  const name = body.raw('tool_choice') === undefined ? 'function_call' : 'tool_choice';
  const value = body.raw(name);
  if (value === undefined) return undefined;
  if (typeof value === 'string') return { mode: readMode(name, value) };
  if (typeof value !== 'object') throw wrongType(name, 'a string or an object');
  const choice = body.object(name)!;
  if (name === 'function_call') return { mode: 'one', name: choice.needed('name'), form: 'function' };
  const type = choice.text('type') ?? 'function';
  switch (type) {
    case 'function':
    case 'custom':
      return { mode: 'one', name: (choice.object(type) ?? choice).needed('name'), form: type };
    case 'allowed_tools': {
      const allowed = choice.object('allowed_tools') ?? choice;
      const names = allowed.objects('tools').map((tool) => readName(tool));
      return { mode: 'allowed', required: allowed.text('mode') === 'required', names };
    }
    default:
      throw unknownWord(choice.at('type'), type, ['function', 'custom', 'allowed_tools']);
  }
}

function readName(tool: Fields): string {
  const name = (tool.object('function') ?? tool.object('custom') ?? tool).text('name');
  if (name === undefined) throw missing(tool.at('function.name'), 'A tool that is allowed must be named.');
  return name;
}

function readMode(param: string, word: string): 'none' | 'auto' | 'required' {
  if (word === 'none' || word === 'auto' || word === 'required') return word;
  if (word === 'any') return 'required';
  throw unknownWord(param, word, MODES);
}

/** Writes `tools` and the fields that go with them. */
export function writeTools(call: Call, options: WriteOptions, losses: Losses): Record<string, unknown> {
  let members: Readonly<Record<string, unknown>> = {};
  const tools = call.tools.flatMap((tool) => {
    if (tool.kind !== 'native' || (tool.dialect === 'openai-chat' && !MEMBERS.has(tool.type))) {
      return writeTool(tool, options.quirks, losses);
    }
    const written = writeForeign(tool, options, losses);
    members = { ...members, ...written.members };
    return [...written.tools];
  });
  return { ...members, ...writeDeclared(call, tools, losses) };
}

/** Writes a tool that only another dialect has, or the search that is no tool here. */
function writeForeign(
  tool: Extract<Tool, { kind: 'native' }>,
  { quirks, upstreamModel }: WriteOptions,
  losses: Losses,
): WrittenSearch {
  if (tool.dialect === 'openai-chat') {
    return { tools: [], members: { [tool.type]: tool.type === PLUGINS ? [tool.value] : tool.value } };
  }
  if (tool.search !== undefined) {
    return writeSearch({ ...tool, search: tool.search }, quirks.webSearch?.['openai-chat'], upstreamModel, losses);
  }
  losses.addTool(tool.type);
  return { tools: [], members: {} };
}

function writeDeclared(call: Call, tools: readonly unknown[], losses: Losses): Record<string, unknown> {
  const chosen = call.toolChoice;
  // A search cannot be chosen by its name.
  const isSearch = chosen?.mode === 'one' && searchNamed(call.tools, chosen.name) !== null;
  if (isSearch) losses.add('tool_choice');
  const toolChoice = isSearch ? undefined : chosen;
  if (tools.length === 0) {
    if (requiresTool(toolChoice)) losses.add('tool_choice');
    return {};
  }
  return defined({
    tools,
    tool_choice: toolChoice && writeToolChoice(toolChoice),
    parallel_tool_calls: call.parallelToolCalls,
  });
}

function writeTool(tool: Tool, quirks: Quirks, losses: Losses): unknown[] {
  switch (tool.kind) {
    case 'function': {
      const { name } = tool;
      const { description, parameters, isWhole } = translatedSchema(tool, quirks, losses);
      const strict = strictOfFunction(tool, isWhole, quirks, losses);
      if (tool.cache !== undefined) losses.add('cache_control');
      return [{ type: 'function', function: { name, ...defined({ description, parameters, strict }) } }];
    }
    case 'custom': {
      const { name, description, format } = tool;
      return [
        { type: 'custom', custom: { name, ...defined({ description, format: format && writeGrammar(format) }) } },
      ];
    }
    case 'native':
      return [tool.value];
    default:
      return tool satisfies never;
  }
}

function writeToolChoice(choice: ToolChoice): unknown {
  switch (choice.mode) {
    case 'one':
      return { type: choice.form, [choice.form]: { name: choice.name } };
    case 'allowed':
      // Only the allowed tools have been declared.
      return choice.required ? 'required' : 'auto';
    case 'auto':
    case 'none':
    case 'required':
      return choice.mode;
    default:
      return choice satisfies never;
  }
}

function writeGrammar(format: Readonly<Record<string, unknown>>): unknown {
  const { type, grammar, ...rest } = format;
  return type === 'grammar' ? { type, grammar: grammar ?? rest } : format;
}

function withoutGrammar({ grammar: _, ...rest }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return rest;
}

function native(tool: Fields): Record<string, unknown> {
  return Object.fromEntries(tool.names.map((name) => [name, tool.raw(name)]));
}
