import type { AnswerPart, Message, TextPart, ToolResultPart, UserPart } from '../../core/call.ts';
import type { Losses } from '../../core/losses.ts';
import { keepCacheMarks, withMarkAtEnd } from '../cache-marks.ts';
import type { WriteOptions } from '../dialect.ts';
import { keepBreakpoints } from '../openai-cache.ts';
import { defined } from '../unchecked-json.ts';
import { AssistantTurn } from './assistant-write.ts';
import { CallIds } from './call-ids.ts';
import { commonOf } from './parameters.ts';
import { type WirePart, writeMark, writePart } from './parts-write.ts';
import { orderTurns, partsOf, type WireMessage } from './turn-order.ts';

/** Writes a conversation for its vendor. At least one message, because vendors refuse a conversation without any. */
export function writeMessages(messages: readonly Message[], options: WriteOptions, losses: Losses): WireMessage[] {
  const ids = new CallIds(options.quirks.nineLetterCallIds === true);
  const written: WireMessage[] = [];
  /** Media of tool results, written after the last of them. */
  const media: WirePart[] = [];
  for (const message of withJoinedTurns(messages)) {
    if (message.role !== 'tool' && message.role !== 'user') writeMedia(media, written);
    switch (message.role) {
      case 'system':
      case 'developer': {
        const role = options.quirks.developerRole === true ? message.role : 'system';
        const content = writeContent(message.parts, options, losses);
        if (content.length > 0) written.push({ role, content });
        break;
      }
      case 'user': {
        const turn = writeUser(message, media.splice(0), options, losses);
        if (turn !== null) written.push(turn);
        break;
      }
      case 'assistant': {
        const turn = new AssistantTurn(ids, options, losses);
        for (const part of message.parts) turn.add(part);
        const words = turn.written();
        const name = commonOf(options.quirks, losses)('name', message.name);
        if (words !== null) written.push({ role: 'assistant', ...words, ...defined({ name }) });
        break;
      }
      case 'tool':
        for (const part of message.parts) {
          const id = ids.of(part.callId);
          const result = { ...part, parts: withMarkAtEnd(part.parts, part.cache, losses) };
          const held = mediaOf(result, id, options, losses);
          const content = writeResult(result, options, losses) || pointerTo(held);
          written.push({ role: 'tool', tool_call_id: id, content });
          media.push(...held);
        }
        break;
      default:
        message satisfies never;
    }
  }
  writeMedia(media, written);
  const turns = orderTurns(written, options.quirks);
  const parts = turns.flatMap(({ content }) => (Array.isArray(content) ? content : []));
  keepBreakpoints(parts, losses);
  keepCacheMarks(parts, losses);
  return turns.length > 0 ? turns : [{ role: 'user', content: '' }];
}

function writeMedia(media: WirePart[], written: WireMessage[]): void {
  const content = media.splice(0);
  if (content.length > 0) written.push({ role: 'user', content });
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

/** Writes a user turn after the media of tool results; `null` if nothing is left to write. */
function writeUser(
  { parts, name }: Extract<Message, { role: 'user' }>,
  media: readonly WirePart[],
  options: WriteOptions,
  losses: Losses,
): WireMessage | null {
  const own = writeContent(parts, options, losses);
  const content = media.length === 0 ? own : [...media, ...partsOf(own)];
  if (Array.isArray(content) && content.length === 0) return null;
  return { role: 'user', content, ...defined({ name: commonOf(options.quirks, losses)('name', name) }) };
}

/** A single text is written as a string, anything else as parts. */
function writeContent(parts: readonly UserPart[], options: WriteOptions, losses: Losses): string | unknown[] {
  const written = parts.flatMap((part) => writePart(part, options, losses));
  const [only] = written;
  const isMarked = only?.cache_control !== undefined || only?.prompt_cache_breakpoint !== undefined;
  const isPlain = written.length === 1 && only?.type === 'text' && !isMarked;
  return isPlain ? (only.text as string) : written;
}

/** The media of a tool result as parts of a user turn, after a line that names the call. */
function mediaOf({ parts }: ToolResultPart, id: string, options: WriteOptions, losses: Losses): WirePart[] {
  const others = parts.filter((part) => part.kind !== 'text');
  const isRefused = options.model.capabilities?.attachment === false;
  const written = isRefused
    ? []
    : others.flatMap((part) => (part.kind === 'native' ? [] : writePart(part, options, losses)));
  if (written.length < others.length) losses.add('tool_result_content');
  return written.length === 0 ? [] : [{ type: 'text', text: `From the result of call ${id}:` }, ...written];
}

function pointerTo(media: readonly WirePart[]): string {
  return media.length === 0 ? '' : 'The result follows in the next user message.';
}

/** Writes a tool result as text, with a line for each of its texts, or as parts if they have marks that the vendor takes. */
function writeResult({ parts, isError }: ToolResultPart, options: WriteOptions, losses: Losses): string | WirePart[] {
  const texts = parts.filter((part): part is TextPart => part.kind === 'text');
  if (isError) losses.add('is_error');
  if (texts.some(({ cache }) => cache !== undefined)) {
    if (options.quirks.cacheControl !== undefined)
      return texts.map(({ text, cache }) => ({ type: 'text', text, ...writeMark(cache, options, losses) }));
    losses.add('cache_control');
  }
  return texts.map(({ text }) => text).join('\n');
}
