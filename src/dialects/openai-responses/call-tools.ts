import type { Tool } from '../../core/call.ts';
import { missing, wrongType } from '../request.ts';
import { isObject, listOf, objectOf, textOf, type Unchecked, wordOf } from '../unchecked-json.ts';
import { readSearch } from '../web-search.ts';
import { type ClientTool, type ClientToolType, clientToolOf, functionFor, plainName } from './client-tools.ts';

/**
 * The tools of a call, and their names in other dialects. A tool in a namespace, and a built-in one that the client runs,
 * gets a name that no other tool of the call has.
 */
export class CallTools {
  readonly tools: Tool[] = [];
  /** The names of plain functions and custom tools, and those given so far. */
  readonly #taken = new Set<string>();
  readonly #given = new Map<string, string>();
  /** The number that the next tool of a taken name gets. */
  readonly #rounds = new Map<string, number>();
  /** The names of the tools in each namespace. */
  readonly #namespaces = new Map<string, string[]>();
  /** The names of the tools that were declared. */
  readonly #declared = new Set<string>();

  constructor({ tools, input }: Unchecked) {
    for (const tool of listOf(tools)) this.#reserve(objectOf(tool));
    for (const value of listOf(input)) {
      const item = objectOf(value);
      const isCall = item.type === 'function_call' || item.type === 'custom_tool_call';
      if (isCall && wordOf(item.namespace) === null) this.#taken.add(textOf(item.name));
      if (holdsTools(item)) for (const tool of listOf(item.tools)) this.#reserve(objectOf(tool));
    }
    this.#declare(tools, 'tools', false);
    for (const [index, item] of listOf(input).entries()) {
      if (isObject(item) && holdsTools(item)) this.#declare(item.tools, `input[${index}].tools`, true);
    }
  }

  /** The name of a tool of the client, declared or not. */
  nameOf(tool: ClientTool): string {
    const key = JSON.stringify(tool.type === 'namespace' ? [tool.namespace, tool.name] : tool.type);
    const known = this.#given.get(key);
    if (known !== undefined) return known;
    const plain = plainName(tool);
    let name = plain;
    for (let round = this.#rounds.get(plain) ?? 2; this.#taken.has(name); round += 1) {
      name = `${plain}_${round}`;
      this.#rounds.set(plain, round + 1);
    }
    this.#taken.add(name);
    this.#given.set(key, name);
    return name;
  }

  /** The names that a reference to a tool or to a whole namespace means, such as in `tool_choice`. */
  namesOf(mention: Unchecked): readonly string[] {
    const { type } = mention;
    const name = textOf(mention.name) || textOf(objectOf(mention[textOf(type)]).name);
    const namespace = wordOf(mention.namespace);
    if (namespace !== null) return [this.nameOf({ type: 'namespace', namespace, name })];
    if (type === 'namespace') return this.#namespaces.get(name) ?? [];
    if (name !== '') return [name];
    const own = clientToolOf({ execution: 'client', ...mention });
    const built = own === null ? textOf(type) : this.nameOf({ type: own });
    return [this.#declared.has(built) ? built : textOf(type)];
  }

  /** Whether a tool of this name was declared. */
  declares(name: string): boolean {
    return this.#declared.has(name);
  }

  /** The names of the tools that an item declares. */
  namesWithin({ tools }: Unchecked): readonly string[] {
    return listOf(tools).flatMap((tool) => this.namesOf(objectOf(tool)));
  }

  #reserve(tool: Unchecked): void {
    const { type } = tool;
    if (type === 'function' || type === 'custom') this.#taken.add(nameIn(tool));
  }

  /** `once`: leaves out tools that are declared already. */
  #declare(tools: unknown, path: string, once: boolean): void {
    if (tools === undefined || tools === null) return;
    if (!Array.isArray(tools)) throw wrongType(path, 'an array');
    for (const [index, tool] of tools.entries()) {
      const at = `${path}[${index}]`;
      if (!isObject(tool)) throw wrongType(at, 'an object');
      if (tool.type === 'namespace') this.#declareNamespace(tool, at, once);
      else this.#add(this.#read(tool, at), once);
    }
  }

  #declareNamespace(outer: Unchecked, path: string, once: boolean): void {
    const namespace = wordOf(outer.name);
    if (namespace === null) throw missing(`${path}.name`, 'A namespace must have a name.');
    const names = this.#namespaces.get(namespace) ?? [];
    this.#namespaces.set(namespace, names);
    let about = textOf(outer.description);
    for (const [index, inner] of listOf(outer.tools).entries()) {
      const at = `${path}.tools[${index}]`;
      if (!isObject(inner)) throw wrongType(at, 'an object');
      const tool = this.#read(inner, at);
      if (tool.kind === 'native') {
        this.#add(tool, once);
        continue;
      }
      const origin = { type: 'namespace', namespace, name: tool.name } satisfies ClientTool;
      const name = this.nameOf(origin);
      names.push(name);
      // The description of the namespace goes to the first of its tools.
      const description = [about, tool.description ?? ''].filter((words) => words !== '').join('\n\n');
      about = '';
      const given = { ...tool, name, origin: { dialect: 'openai-responses', value: origin } } as const;
      this.#add(description === '' ? given : { ...given, description }, once);
    }
  }

  #read(tool: Unchecked, path: string): Tool {
    const client: ClientToolType | null = clientToolOf(tool);
    return client === null ? readTool(tool, path) : functionFor(client, this.nameOf({ type: client }), tool);
  }

  #add(tool: Tool, once: boolean): void {
    if (tool.kind !== 'native') {
      if (once && this.#declared.has(tool.name)) return;
      this.#declared.add(tool.name);
    }
    this.tools.push(tool);
  }
}

/** Whether an item declares tools that can be called from then on. */
export function holdsTools({ type }: Unchecked): boolean {
  return type === 'additional_tools' || type === 'tool_search_output';
}

function readTool(tool: Unchecked, path: string): Tool {
  const type = textOf(tool.type);
  if (type !== 'function' && type !== 'custom') {
    const isSearch = /^web_search(?:_preview)?(?:_\d{4}_\d\d_\d\d)?$/.test(type);
    const search = isSearch ? { search: readSearch('web_search', tool, objectOf(tool.filters)) } : {};
    return { kind: 'native', dialect: 'openai-responses', type, value: tool, ...search };
  }
  // Some callers nest tools as in chat completions.
  const { name, description, parameters, strict, format } = isObject(tool[type]) ? tool[type] : tool;
  if (wordOf(name) === null) throw missing(`${path}.name`, 'A tool must have a name.');
  const named = { name: textOf(name), ...(typeof description === 'string' && { description }) };
  if (type === 'custom') return { kind: type, ...named, ...(isObject(format) && { format }) };
  return {
    kind: type,
    ...named,
    parameters: isObject(parameters) ? parameters : null,
    ...(typeof strict === 'boolean' && { strict }),
  };
}

function nameIn(tool: Unchecked): string {
  return textOf(tool.name) || textOf(objectOf(tool[textOf(tool.type)]).name);
}
