import { field } from '../../src/testing/json.ts';
import type { RecordedDialect } from '../../src/testing/recordings.ts';
import type { VendorRequest } from '../../src/testing/reply.ts';

/** One step of a conversation as a vendor received it, in no dialect's words. `id` of reasoning: where its item has one. */
export type Step =
  | { kind: 'user' | 'text'; text: string }
  | { kind: 'reasoning'; text: string; seal: string | null; id?: string }
  | { kind: 'call'; id: string; name: string; input: unknown }
  | { kind: 'result'; id: string; text: string };

type Json = Readonly<Record<string, unknown>>;

/** The steps of a call in their order, less what the system says. Read without any of the gateway's readers. */
export function received(dialect: RecordedDialect, { json }: VendorRequest): Step[] {
  switch (dialect) {
    case 'openai-chat':
      return items(field(json, 'messages')).flatMap(ofChat);
    case 'openai-responses':
      return items(field(json, 'input')).flatMap(ofResponses);
    case 'anthropic-messages':
      return items(field(json, 'messages')).flatMap(ofMessages);
    default:
      return dialect satisfies never;
  }
}

function ofChat(message: Json): Step[] {
  const text = textOf(message.content);
  if (message.role === 'tool') return [{ kind: 'result', id: String(message.tool_call_id), text }];
  if (message.role === 'user') return [{ kind: 'user', text }];
  if (message.role !== 'assistant') return [];
  const calls = items(message.tool_calls).map((call): Step => {
    const name = String(field(call, 'function', 'name'));
    return { kind: 'call', id: String(call.id), name, input: parsed(field(call, 'function', 'arguments')) };
  });
  const thought = message.reasoning_content;
  const details = items(message.reasoning_details).map((detail): Step => {
    return { kind: 'reasoning', text: String(detail.text), seal: String(detail.signature) };
  });
  return [
    ...(typeof thought === 'string' ? [{ kind: 'reasoning', text: thought, seal: null } as const] : []),
    ...details,
    ...(text === '' && message.content !== '' ? [] : [{ kind: 'text', text } as const]),
    ...calls,
  ];
}

function ofResponses(item: Json): Step[] {
  switch (item.type) {
    case 'reasoning': {
      const seal = typeof item.encrypted_content === 'string' ? item.encrypted_content : null;
      const id = typeof item.id === 'string' ? { id: item.id } : {};
      return [{ kind: 'reasoning', text: textOf(item.summary), seal, ...id }];
    }
    case 'function_call':
      return [{ kind: 'call', id: String(item.call_id), name: String(item.name), input: parsed(item.arguments) }];
    case 'function_call_output':
      return [{ kind: 'result', id: String(item.call_id), text: textOf(item.output) }];
    default:
      if (item.role === 'system' || item.role === 'developer') return [];
      return [{ kind: item.role === 'assistant' ? 'text' : 'user', text: textOf(item.content) }];
  }
}

function ofMessages({ role, content }: Json): Step[] {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : items(content);
  return blocks.map((block): Step => {
    switch (block.type) {
      case 'thinking':
        return { kind: 'reasoning', text: String(block.thinking), seal: String(block.signature) };
      case 'tool_use':
        return { kind: 'call', id: String(block.id), name: String(block.name), input: block.input };
      case 'tool_result':
        return { kind: 'result', id: String(block.tool_use_id), text: textOf(block.content) };
      default:
        return { kind: role === 'assistant' ? 'text' : 'user', text: String(block.text) };
    }
  });
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return items(content)
    .map(({ text }) => text)
    .join('');
}

function items(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function parsed(value: unknown): unknown {
  return JSON.parse(String(value));
}
