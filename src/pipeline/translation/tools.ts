import type { Answer, AnswerEvent } from '../../core/answer.ts';
import type { AnswerPart, Call, Message, Tool, ToolCallPart } from '../../core/call.ts';
import { Losses } from '../../core/losses.ts';
import { parseJson } from '../../json/parse.ts';

type CustomTool = Extract<Tool, { kind: 'custom' }>;

const PARAMETERS = {
  type: 'object',
  properties: { input: { type: 'string', description: 'The input of the tool, as it is.' } },
  required: ['input'],
  additionalProperties: false,
} as const;

/** A call that allows only some of its tools, without the others, so that every vendor obeys it. */
export function narrowTools(call: Call): Call {
  const { toolChoice } = call;
  if (toolChoice?.mode !== 'allowed') return call;
  const allowed = new Set(toolChoice.names);
  return {
    ...call,
    tools: call.tools.filter((tool) => allowed.has(nameOf(tool))),
    toolChoice: { mode: toolChoice.required ? 'required' : 'auto' },
  };
}

function nameOf(tool: Tool): string {
  return tool.kind === 'native' ? tool.type : tool.name;
}

/**
 * Replaces custom tools (which take any text) by functions of one string, for dialects without custom tools.
 * `names` lists the tools whose calls must be unwrapped in the answer.
 */
export function wrapCustomTools(call: Call): { call: Call; names: ReadonlySet<string>; dropped: readonly string[] } {
  const names = new Set<string>();
  const losses = new Losses();
  const tools = call.tools.map((tool) => {
    if (tool.kind !== 'custom') return tool;
    names.add(tool.name);
    if (grammarOf(tool) !== null) losses.add('grammar');
    return { kind: 'function', name: tool.name, description: describe(tool), parameters: PARAMETERS } as const;
  });
  const { toolChoice } = call;
  return {
    call: {
      ...call,
      tools,
      messages: call.messages.map(wrapMessage),
      ...(toolChoice?.mode === 'one' && { toolChoice: { ...toolChoice, form: 'function' } as const }),
    },
    names,
    dropped: losses.names,
  };
}

/** Unwraps the input of calls of these tools, once it is complete. */
export function unwrapEvents(names: ReadonlySet<string>): (event: AnswerEvent) => readonly AnswerEvent[] {
  if (names.size === 0) return (event) => [event];
  const inputs = new Map<number, string>();
  return (event) => {
    switch (event.kind) {
      case 'part-start': {
        const { head } = event;
        if (head.kind !== 'tool-call' || !names.has(head.name)) return [event];
        inputs.set(event.part, '');
        return [{ ...event, head: { ...head, form: 'custom' } }];
      }
      case 'part-delta': {
        const input = inputs.get(event.part);
        if (input === undefined || event.delta.kind !== 'text') return [event];
        inputs.set(event.part, input + event.delta.text);
        return [];
      }
      case 'part-end': {
        const input = inputs.get(event.part);
        if (input === undefined) return [event];
        const text = unwrapInput(input);
        if (text === '') return [event];
        return [{ kind: 'part-delta', part: event.part, delta: { kind: 'text', text } }, event];
      }
      default:
        return [event];
    }
  };
}

/** Unwraps the tool calls of a whole answer. */
export function unwrapAnswer(answer: Answer, names: ReadonlySet<string>): Answer {
  if (names.size === 0) return answer;
  const unwrap = (part: AnswerPart): AnswerPart =>
    part.kind === 'tool-call' && names.has(part.name)
      ? { ...part, form: 'custom', input: unwrapInput(part.input) }
      : part;
  return {
    ...answer,
    choices: answer.choices.map((choice) => ({ ...choice, parts: choice.parts.map(unwrap) })),
  };
}

function wrapMessage(message: Message): Message {
  if (message.role === 'assistant') {
    return {
      ...message,
      parts: message.parts.map((part) => (part.kind === 'tool-call' && part.form === 'custom' ? wrapCall(part) : part)),
    };
  }
  if (message.role !== 'tool') return message;
  return { ...message, parts: message.parts.map((part) => ({ ...part, form: 'function' })) };
}

function wrapCall(part: ToolCallPart): ToolCallPart {
  return { ...part, form: 'function', input: JSON.stringify({ input: part.input }) };
}

/** Unwraps input. If the model did not follow the schema, its text is used as it is. */
function unwrapInput(wrapped: string): string {
  try {
    const value = parseJson(wrapped) as unknown;
    if (typeof value === 'string') return value;
    if (typeof value !== 'object' || value === null) return wrapped;
    const { input } = value as { input?: unknown };
    return typeof input === 'string' ? input : wrapped;
  } catch {
    return wrapped;
  }
}

/** Puts the grammar into the description, since it cannot be enforced. */
function describe(tool: CustomTool): string {
  const grammar = grammarOf(tool);
  const rule = grammar === null ? '' : `The input must follow this ${grammar.syntax} grammar:\n${grammar.definition}`;
  return [tool.description ?? '', rule].filter((text) => text !== '').join('\n\n');
}

function grammarOf({ format }: CustomTool): { syntax: string; definition: string } | null {
  if (format?.type !== 'grammar') return null;
  const { syntax, definition } = { ...format, ...(format.grammar as object | undefined) } as Record<string, unknown>;
  return { syntax: String(syntax ?? ''), definition: String(definition ?? '') };
}
