import type { ToolChoice } from '../../core/call.ts';
import { isSet, isUnsupported } from '../members.ts';
import { missing, wrongType } from '../request.ts';
import { isObject, listOf, objectOf, textOf, type Unchecked } from '../unchecked-json.ts';
import type { CallTools } from './call-tools.ts';
import { clientToolOf } from './client-tools.ts';
import { CUSTOM, FUNCTION } from './members.ts';

/** Members of functions and custom tools that no other format has, such as `defer_loading`. */
export function omittedOfTools(tools: readonly unknown[]): string[] {
  return tools.filter(isObject).flatMap((tool) => {
    const type = textOf(tool.type);
    if (type === 'namespace') return omittedOfTools(listOf(tool.tools));
    if (type !== 'function' && type !== 'custom') return [];
    const members = Object.entries(isObject(tool[type]) ? tool[type] : tool);
    const shape = type === 'function' ? FUNCTION : CUSTOM;
    return members.flatMap(([name, value]) => (isUnsupported(shape, name) && isSet(value) ? [name] : []));
  });
}

/** Reads the tool choice; `null` if it names a tool that only this dialect has, so that the choice is kept as it is. */
export function readToolChoice(choice: unknown, tools: CallTools): ToolChoice | null {
  if (choice === 'auto' || choice === 'none' || choice === 'required') return { mode: choice };
  if (!isObject(choice)) throw wrongType('tool_choice', 'a word or an object');
  const { type } = choice;
  if (type === 'function' || type === 'custom') {
    const [name = ''] = tools.namesOf(choice);
    if (!namesTool(choice)) throw missing('tool_choice.name', 'A choice must name its tool.');
    return { mode: 'one', name, form: type };
  }
  if (clientToolOf({ execution: 'client', ...choice }) !== null) {
    const [name = ''] = tools.namesOf(choice);
    return tools.declares(name) ? { mode: 'one', name, form: 'function' } : null;
  }
  if (tools.tools.some((tool) => tool.kind === 'native' && tool.search !== undefined && tool.type === type)) {
    return { mode: 'one', name: 'web_search', form: 'function' };
  }
  if (type !== 'allowed_tools') return null;
  // The form of chat completions is accepted too.
  const { mode, tools: allowed } = isObject(choice.allowed_tools) ? choice.allowed_tools : choice;
  if (!Array.isArray(allowed)) throw wrongType('tool_choice.tools', 'an array');
  const names = allowed.flatMap((tool: unknown) => tools.namesOf(objectOf(tool)));
  return { mode: 'allowed', required: mode === 'required', names };
}

function namesTool(choice: Unchecked): boolean {
  return (textOf(choice.name) || textOf(objectOf(choice[textOf(choice.type)]).name)) !== '';
}
