import type { Tool, ToolChoice } from '../../core/call.ts';
import { missing, wrongType } from '../request.ts';
import { isWire, textOf, type Wire, wireOf, wordOf } from './wire.ts';

export function readTools(tools: unknown): Tool[] {
  if (tools === undefined || tools === null) return [];
  if (!Array.isArray(tools)) throw wrongType('tools', 'an array');
  return tools.map((tool: unknown, index) => {
    if (!isWire(tool)) throw wrongType(`tools[${index}]`, 'an object');
    return readTool(tool, `tools[${index}]`);
  });
}

function readTool(tool: Wire, path: string): Tool {
  const type = textOf(tool.type);
  if (type !== 'function' && type !== 'custom')
    return { kind: 'native', dialect: 'openai-responses', type, value: tool };
  // Some callers nest tools as in chat completions.
  const { name, description, parameters, strict, format } = isWire(tool[type]) ? tool[type] : tool;
  if (wordOf(name) === null) throw missing(`${path}.name`, 'A tool must have a name.');
  const named = { name: textOf(name), ...(typeof description === 'string' && { description }) };
  if (type === 'custom') return { kind: type, ...named, ...(isWire(format) && { format }) };
  return {
    kind: type,
    ...named,
    parameters: isWire(parameters) ? parameters : null,
    ...(typeof strict === 'boolean' && { strict }),
  };
}

const KNOWN = new Set(['type', 'name', 'description', 'parameters', 'strict', 'format']);

/** Members of functions and custom tools that no other format knows, such as `defer_loading`. */
export function unreadOfTools(tools: readonly unknown[]): string[] {
  return tools.filter(isWire).flatMap((tool) => {
    const type = textOf(tool.type);
    if (type !== 'function' && type !== 'custom') return [];
    const members = Object.entries(isWire(tool[type]) ? tool[type] : tool);
    return members.flatMap(([name, value]) => (KNOWN.has(name) || value === null ? [] : [name]));
  });
}

/** Reads the tool choice; `null` if it names a tool that only this dialect has, so that the choice is kept as it is. */
export function readToolChoice(choice: unknown): ToolChoice | null {
  if (choice === 'auto' || choice === 'none' || choice === 'required') return { mode: choice };
  if (!isWire(choice)) throw wrongType('tool_choice', 'a word or an object');
  const { type } = choice;
  if (type === 'function' || type === 'custom') {
    const name = nameOf(choice);
    if (name === '') throw missing('tool_choice.name', 'A choice must name its tool.');
    return { mode: 'one', name, form: type };
  }
  if (type !== 'allowed_tools') return null;
  // The form of chat completions is accepted too.
  const { mode, tools } = isWire(choice.allowed_tools) ? choice.allowed_tools : choice;
  if (!Array.isArray(tools)) throw wrongType('tool_choice.tools', 'an array');
  const names = tools.map((tool: unknown) => nameOf(wireOf(tool)) || textOf(wireOf(tool).type));
  return { mode: 'allowed', required: mode === 'required', names };
}

function nameOf(tool: Wire): string {
  return textOf(tool.name) || textOf(wireOf(tool[textOf(tool.type)]).name);
}
