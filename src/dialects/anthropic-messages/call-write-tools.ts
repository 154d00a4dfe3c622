import type { Call, Tool } from '../../core/call.ts';
import type { Losses } from '../../core/losses.ts';
import type { Quirks, SearchRow } from '../../core/quirks.ts';
import { requiresTool } from '../tool-choice.ts';
import { translatedSchema } from '../tool-schema.ts';
import { defined } from '../unchecked-json.ts';
import { writeSearch } from '../web-search.ts';
import { cacheOf } from './call-write-parts.ts';
import { heldSchema } from './call-write-schema.ts';
import type { ModelTraits } from './models.ts';
import { ID, type WireMessage } from './wire.ts';

/** https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/web-search-tool */
export const SEARCH: SearchRow = {
  tool: { type: 'web_search_20250305', name: 'web_search' },
  options: {
    max_uses: 'max_uses',
    allowed_domains: 'allowed_domains',
    blocked_domains: 'blocked_domains',
    user_location: 'user_location',
  },
  // https://platform.claude.com/docs/en/managed-agents/tools-web-restrictions
  oneDomainList: true,
  source: 'https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/web-search-tool',
};

const NO_INPUT = { type: 'object', properties: {} };
/** The schema of a custom tool that reaches this writer. */
const ANY_TEXT = { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] };

export function writeTools(
  tools: readonly Tool[],
  messages: readonly WireMessage[],
  { traits, quirks, upstreamModel }: { traits: ModelTraits; quirks: Quirks; upstreamModel: string },
  losses: Losses,
): object[] {
  const written = tools.flatMap((tool): object[] => {
    switch (tool.kind) {
      case 'function':
        return [writeFunction(tool, { schemas: traits.schemas, quirks }, losses)];
      case 'custom':
        if (tool.format?.type === 'grammar') losses.add('grammar');
        return [
          { name: tool.name, ...defined({ description: tool.description || undefined }), input_schema: ANY_TEXT },
        ];
      case 'native':
        if (tool.dialect === ID) return [tool.value as object];
        if (tool.search !== undefined) {
          return [...writeSearch({ ...tool, search: tool.search }, SEARCH, upstreamModel, losses).tools];
        }
        losses.addTool(tool.type);
        return [];
      default:
        return tool satisfies never;
    }
  });
  return written.length > 0 ? written : toolsOnceCalled(messages);
}

/** Writes a function. It is declared without `strict` if Anthropic would refuse its schema. */
function writeFunction(
  tool: Extract<Tool, { kind: 'function' }>,
  { schemas, quirks }: { schemas: boolean; quirks: Quirks },
  losses: Losses,
): object {
  const { description, parameters: schema = NO_INPUT, isWhole } = translatedSchema(tool, quirks, losses);
  const mayHold = schemas && isWhole;
  if (tool.strict === true && !mayHold) losses.add('strict');
  const held = tool.strict === true && mayHold ? heldSchema(schema, 'strict', losses) : undefined;
  return {
    name: tool.name,
    ...defined({ description: description }),
    input_schema: held ?? schema,
    ...(held !== undefined && { strict: true }),
    ...cacheOf(tool),
  };
}

/** Declares the tools that the conversation calls. Anthropic requires them even if no tool may be called now. */
function toolsOnceCalled(messages: readonly WireMessage[]): object[] {
  const names = new Set<string>();
  for (const { content } of messages) {
    for (const block of content) if (block.type === 'tool_use' && 'name' in block) names.add(block.name);
  }
  return [...names].map((name) => ({ name, input_schema: NO_INPUT }));
}

export function writeToolChoice(
  call: Call,
  written: number,
  { forcedTools }: ModelTraits,
  losses: Losses,
): object | undefined {
  const { tools, toolChoice, parallelToolCalls } = call;
  if (written === 0) return undefined;
  // The only declared tools are those that earlier turns called.
  if (tools.every((tool) => tool.kind === 'native' && tool.dialect !== ID && tool.search === undefined)) {
    return { type: 'none' };
  }
  if (toolChoice?.mode === 'none') return { type: 'none' };
  const one = parallelToolCalls === false && { disable_parallel_tool_use: true };
  if (requiresTool(toolChoice) && forcedTools === 'never') {
    losses.add('tool_choice');
    return { type: 'auto', ...one };
  }
  if (toolChoice === undefined) return one === false ? undefined : { type: 'auto', ...one };
  switch (toolChoice.mode) {
    case 'one':
      return { type: 'tool', name: toolChoice.name, ...one };
    case 'required':
      return { type: 'any', ...one };
    case 'allowed':
      return { type: toolChoice.required ? 'any' : 'auto', ...one };
    case 'auto':
      return { type: 'auto', ...one };
    default:
      return toolChoice.mode satisfies never;
  }
}
