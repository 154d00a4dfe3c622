import type { AnswerPart, Message, TextPart, ToolCallPart } from '../../core/call.ts';
import type { Losses } from '../../core/losses.ts';
import { parseInput } from './body.ts';
import { cacheOf, writeContent, writeResult, writeText } from './call-write-parts.ts';
import type { ModelTraits } from './models.ts';
import { ID, vendorThinking } from './seals.ts';
import { ToolIds } from './tool-ids.ts';
import type { WireBlock, WireMessage, WireText, WireToolUse } from './wire.ts';

export type ConversationOptions = { traits: ModelTraits; provider: string; losses: Losses };

/**
 * The conversation as Anthropic takes it: system text before all else, then turns that alternate. What stands between
 * calls of tools and their results would be refused, so results come first in their turn.
 */
export function writeConversation(
  messages: readonly Message[],
  options: ConversationOptions,
): { system: WireText[]; messages: WireMessage[] } {
  const start = messages.findIndex(({ role }) => role !== 'system' && role !== 'developer');
  const leading = start < 0 ? messages : messages.slice(0, start);
  const system = leading.flatMap((message) => (isSystem(message) ? message.parts.flatMap(writeText) : []));
  const turns = writeTurns(messages.slice(leading.length), options);
  // There must be a turn of the user's, and at the beginning.
  if (turns.length === 0)
    return { system: [], messages: [{ role: 'user', content: system.length > 0 ? system : FILL }] };
  if (turns[0]?.role !== 'user') turns.unshift({ role: 'user', content: FILL });
  return { system, messages: turns };
}

const FILL: WireText[] = [{ type: 'text', text: '…' }];

function writeTurns(messages: readonly Message[], options: ConversationOptions): WireMessage[] {
  const turns: WireMessage[] = [];
  const ids = new ToolIds();
  for (const [index, message] of messages.entries()) {
    switch (message.role) {
      case 'system':
      case 'developer':
        if (mayBeSystemTurn(turns, messages.slice(index + 1), options))
          add(turns, 'system', message.parts.flatMap(writeText));
        else add(turns, 'user', message.parts.flatMap(asReminder));
        break;
      case 'user':
        if (message.name !== undefined) options.losses.add('name');
        add(
          turns,
          'user',
          message.parts.flatMap((part) => writeContent(part, options.losses)),
        );
        break;
      case 'assistant':
        if (message.name !== undefined) options.losses.add('name');
        add(
          turns,
          'assistant',
          message.parts.flatMap((part) => writeAnswered(part, ids, options)),
        );
        break;
      case 'tool':
        addResults(
          turns,
          message.parts.map((part) => writeResult(part, ids.of(part.callId), options.losses)),
        );
        break;
      default:
        message satisfies never;
    }
  }
  trimEnd(turns);
  return turns;
}

/** Turns of one role become one. */
function add(turns: WireMessage[], role: WireMessage['role'], content: WireBlock[]): void {
  if (content.length === 0) return;
  const last = turns.at(-1);
  if (last?.role === role) last.content.push(...content);
  else turns.push({ role, content: [...content] });
}

/** Results stand before whatever else the user's turn holds. */
function addResults(turns: WireMessage[], results: WireBlock[]): void {
  const last = turns.at(-1);
  if (last?.role !== 'user') return add(turns, 'user', results);
  const at = last.content.findIndex(({ type }) => type !== 'tool_result');
  last.content.splice(at < 0 ? last.content.length : at, 0, ...results);
}

/** System text between turns may stand only behind the user's, and before the model's or at the end. */
function mayBeSystemTurn(
  turns: readonly WireMessage[],
  rest: readonly Message[],
  { traits }: ConversationOptions,
): boolean {
  const before = turns.at(-1)?.role;
  if (!traits.systemTurns || (before !== 'user' && before !== 'system')) return false;
  const next = rest.find((message) => !isSystem(message));
  return next === undefined || next.role === 'assistant';
}

/**
 * Other models refuse system text there. At the head of the prompt it would be out of its order, and change the prefix
 * that is cached; so it is told as the user's, in the tags by which Claude knows that it is not the user who speaks.
 */
function asReminder(part: TextPart): WireText[] {
  return writeText({ ...part, text: part.text === '' ? '' : `<system-reminder>\n${part.text}\n</system-reminder>` });
}

function writeAnswered(part: AnswerPart, ids: ToolIds, { provider, losses }: ConversationOptions): WireBlock[] {
  switch (part.kind) {
    case 'text':
      // Anthropic wants proof of what a citation is of, which only its own have.
      if (part.citations !== undefined && part.citations.length > 0) losses.add('citations');
      return writeText(part);
    case 'refusal':
      return writeText({ kind: 'text', text: part.text });
    case 'reasoning': {
      const thinking = vendorThinking(part, provider);
      if (thinking !== null) return [thinking];
      if (part.seal !== null) losses.add('seal');
      if (part.text !== '') losses.add('reasoning');
      return [];
    }
    case 'tool-call':
      return [writeToolUse(part, ids)];
    case 'native':
      if (part.dialect === ID) return [part.value as WireBlock];
      losses.add('vendor_tool_calls');
      return [];
    default:
      return part satisfies never;
  }
}

function writeToolUse(part: ToolCallPart, ids: ToolIds): WireToolUse {
  return { type: 'tool_use', id: ids.add(part.id), name: part.name, input: toolInput(part), ...cacheOf(part) };
}

/** A tool is given an object. What is none, because a model wrote it so or was cut, is given as text in one. */
export function toolInput({ input, form }: Pick<ToolCallPart, 'input' | 'form'>): object {
  if (form === 'function' && input.trim() === '') return {};
  return (form === 'function' ? parseInput(input) : null) ?? { input };
}

/** Space at the end of a turn that the model is to go on with is refused. */
function trimEnd(turns: WireMessage[]): void {
  const last = turns.at(-1);
  const block = last?.content.at(-1);
  if (last?.role !== 'assistant' || block?.type !== 'text' || !('text' in block)) return;
  const text = block.text.trimEnd();
  if (text !== '') block.text = text;
  else if (last.content.length > 1) last.content.pop();
  else turns.pop();
}

function isSystem(message: Message): message is Extract<Message, { role: 'system' | 'developer' }> {
  return message.role === 'system' || message.role === 'developer';
}
