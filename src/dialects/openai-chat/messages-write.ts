import type { AnswerPart, Message, TextPart, ToolResultPart, UserPart } from '../../core/call.ts';
import type { Losses } from '../../core/losses.ts';
import type { WriteOptions } from '../dialect.ts';
import { keepBreakpoints } from '../openai-cache.ts';
import { AssistantTurn } from './assistant-write.ts';
import { CallIds } from './call-ids.ts';
import { said } from './json.ts';
import { commonOf } from './parameters.ts';
import { writePart } from './parts-write.ts';
import { orderTurns, type WireMessage } from './turn-order.ts';

/** Writes a conversation for its vendor. At least one message, because vendors refuse a conversation without any. */
export function writeMessages(messages: readonly Message[], options: WriteOptions, losses: Losses): WireMessage[] {
  const ids = new CallIds(options.quirks.nineLetterCallIds === true);
  const written: WireMessage[] = [];
  for (const message of withJoinedTurns(messages)) {
    switch (message.role) {
      case 'system':
      case 'developer': {
        const role = options.quirks.developerRole === true ? message.role : 'system';
        const content = writeContent(message.parts, options, losses);
        if (content.length > 0) written.push({ role, content });
        break;
      }
      case 'user': {
        const turn = writeUser(message, options, losses);
        if (turn !== null) written.push(turn);
        break;
      }
      case 'assistant': {
        const turn = new AssistantTurn(ids, options, losses);
        for (const part of message.parts) turn.add(part);
        const words = turn.written();
        const name = commonOf(options.quirks, losses)('name', message.name);
        if (words !== null) written.push({ role: 'assistant', ...words, ...said({ name }) });
        break;
      }
      case 'tool':
        for (const part of message.parts) {
          written.push({ role: 'tool', tool_call_id: ids.of(part.callId), content: writeResult(part, losses) });
        }
        break;
      default:
        message satisfies never;
    }
  }
  const turns = orderTurns(written, options.quirks, losses);
  keepBreakpoints(
    turns.flatMap(({ content }) => (Array.isArray(content) ? content : [])),
    losses,
  );
  return turns.length > 0 ? turns : [{ role: 'user', content: '' }];
}

/** Merges consecutive assistant turns if the first calls tools, because nothing may come between calls and results. */
function withJoinedTurns(messages: readonly Message[]): Message[] {
  const turns: Message[] = [];
  /** The parts of the last turn if it is an assistant turn with tool calls. */
  let calling: AnswerPart[] | null = null;
  for (const message of messages) {
    if (message.role !== 'assistant') {
      calling = null;
      turns.push(message);
    } else if (calling !== null) {
      for (const part of message.parts) calling.push(part);
    } else if (message.parts.some(({ kind }) => kind === 'tool-call')) {
      calling = [...message.parts];
      turns.push({ ...message, parts: calling });
    } else turns.push(message);
  }
  return turns;
}

/** Writes a user turn; `null` if nothing is left to write. */
function writeUser(
  { parts, name }: Extract<Message, { role: 'user' }>,
  options: WriteOptions,
  losses: Losses,
): WireMessage | null {
  const content = writeContent(parts, options, losses);
  if (Array.isArray(content) && content.length === 0) return null;
  return { role: 'user', content, ...said({ name: commonOf(options.quirks, losses)('name', name) }) };
}

/** A single text is written as a string, anything else as parts. */
function writeContent(parts: readonly UserPart[], options: WriteOptions, losses: Losses): string | unknown[] {
  const written = parts.flatMap((part) => writePart(part, options, losses));
  const [only] = written;
  const isMarked = only?.cache_control !== undefined || only?.prompt_cache_breakpoint !== undefined;
  const isPlain = written.length === 1 && only?.type === 'text' && !isMarked;
  return isPlain ? (only.text as string) : written;
}

/** Writes a tool result as text, with a line for each of its texts. */
function writeResult({ parts, isError }: ToolResultPart, losses: Losses): string {
  const texts = parts.filter((part): part is TextPart => part.kind === 'text');
  if (texts.length < parts.length) losses.add('tool_result_content');
  if (isError) losses.add('is_error');
  if (texts.some(({ cache }) => cache !== undefined)) losses.add('cache_control');
  return texts.map(({ text }) => text).join('\n');
}
