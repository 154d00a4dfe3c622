import type { AnswerPart, Message, TextPart, ToolCallPart } from '../../core/call.ts';
import type { Losses } from '../../core/losses.ts';
import { asReminder } from '../system-reminder.ts';
import { parseInput } from './body.ts';
import { cacheOf, writeContent, writeResult, writeText } from './call-write-parts.ts';
import type { ModelTraits } from './models.ts';
import { openedSteps } from './sealed-steps.ts';
import { vendorThinking } from './seals.ts';
import { withoutTrailingThinking } from './thinking-turn.ts';
import { ToolIds } from './tool-ids.ts';
import { ID, type WireBlock, type WireMessage, type WireText, type WireToolUse } from './wire.ts';

export type ConversationOptions = { traits: ModelTraits; provider: string; losses: Losses };

/**
 * Writes the conversation as Anthropic accepts it: leading system text first, then alternating turns. Tool results come
 * first in their turn, because Anthropic refuses anything between tool calls and their results.
 */
export function writeConversation(
  messages: readonly Message[],
  options: ConversationOptions,
): { system: WireText[]; messages: WireMessage[] } {
  const start = messages.findIndex(({ role }) => role !== 'system' && role !== 'developer');
  const leading = start < 0 ? messages : messages.slice(0, start);
  const system = leading.flatMap((message) => (isSystem(message) ? message.parts.flatMap(writeText) : []));
  const turns = writeTurns(messages.slice(leading.length), options);
  // The conversation must begin with a user turn.
  if (turns.length === 0)
    return { system: [], messages: [{ role: 'user', content: system.length > 0 ? system : FILL }] };
  if (turns[0]?.role !== 'user') turns.unshift({ role: 'user', content: FILL });
  return { system, messages: turns };
}

const FILL: WireText[] = [{ type: 'text', text: '…' }];

function writeTurns(messages: readonly Message[], options: ConversationOptions): WireMessage[] {
  const turns = new TurnsWritten();
  const ids = new ToolIds();
  const followed = beforeAnswers(messages);
  for (const [index, message] of messages.entries()) {
    switch (message.role) {
      case 'system':
      case 'developer':
        if (options.traits.systemTurns && turns.mayTurnToSystem && followed[index] === true)
          turns.add('system', message.parts.flatMap(writeText));
        else turns.add('user', message.parts.flatMap(reminderOf));
        break;
      case 'user':
        if (message.name !== undefined) options.losses.add('name');
        turns.add(
          'user',
          message.parts.flatMap((part) => writeContent(part, options.losses)),
        );
        break;
      case 'assistant':
        if (message.name !== undefined) options.losses.add('name');
        turns.add(
          'assistant',
          message.parts.flatMap((part) => writeAnswered(part, ids, options)),
        );
        break;
      case 'tool':
        turns.addResults(message.parts.map((part) => writeResult(part, ids.of(part.callId), options.losses)));
        break;
      default:
        message satisfies never;
    }
  }
  const written = turns.messages.map((turn) => withoutLastThinking(withOwnSteps(turn, options), options.losses));
  const kept = written.filter(({ content }) => content.length > 0);
  trimEnd(kept);
  return kept;
}

type TurnWritten = { role: WireMessage['role']; results: WireBlock[]; others: WireBlock[] };

/** Merges consecutive turns of one role. Tool results come first in a user turn. */
class TurnsWritten {
  readonly #turns: TurnWritten[] = [];

  get messages(): WireMessage[] {
    return this.#turns.map(({ role, results, others }) => ({ role, content: [...results, ...others] }));
  }

  /** System text between turns is allowed only after a user turn. */
  get mayTurnToSystem(): boolean {
    const last = this.#turns.at(-1)?.role;
    return last === 'user' || last === 'system';
  }

  add(role: WireMessage['role'], content: readonly WireBlock[]): void {
    if (content.length === 0) return;
    const { others } = this.#turnOf(role);
    for (const block of content) others.push(block);
  }

  addResults(blocks: readonly WireBlock[]): void {
    if (blocks.length === 0) return;
    const { results } = this.#turnOf('user');
    for (const block of blocks) results.push(block);
  }

  #turnOf(role: WireMessage['role']): TurnWritten {
    const last = this.#turns.at(-1);
    if (last?.role === role) return last;
    const turn: TurnWritten = { role, results: [], others: [] };
    this.#turns.push(turn);
    return turn;
  }
}

/**
 * For each message: whether the next message other than system text is the model's, or there is none. Only there is
 * system text allowed.
 */
function beforeAnswers(messages: readonly Message[]): boolean[] {
  const followed: boolean[] = [];
  let answers = true;
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    followed[index] = answers;
    const message = messages[index]!;
    if (!isSystem(message)) answers = message.role === 'assistant';
  }
  return followed;
}

/** System text between turns, for models that refuse system turns there. */
function reminderOf(part: TextPart): WireText[] {
  return writeText({ ...part, text: asReminder(part.text) });
}

function writeAnswered(part: AnswerPart, ids: ToolIds, { provider, losses }: ConversationOptions): WireBlock[] {
  switch (part.kind) {
    case 'text':
      return writeCited(part, losses);
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

/**
 * A text with its citations of this format. Anthropic requires a proof of the source, which other formats' citations do
 * not have.
 */
function writeCited(part: TextPart, losses: Losses): WireText[] {
  const { citations = [] } = part;
  const own = citations.flatMap((citation) => {
    const wire = citation.kind === 'native' ? citation : citation.own;
    return wire?.dialect === ID ? [wire.value] : [];
  });
  if (own.length < citations.length) losses.add('citations');
  return writeText(part).map((text) => (own.length === 0 ? text : { ...text, citations: own }));
}

function writeToolUse(part: ToolCallPart, ids: ToolIds): WireToolUse {
  return { type: 'tool_use', id: ids.add(part.id), name: part.name, input: toolInput(part), ...cacheOf(part) };
}

/**
 * The input object of a tool call. Input that is not a JSON object, because the model wrote it so or was cut off,
 * becomes the text `input` of one.
 */
export function toolInput({ input, form }: Pick<ToolCallPart, 'input' | 'form'>): object {
  if (form === 'function' && input.trim() === '') return {};
  return (form === 'function' ? parseInput(input) : null) ?? { input };
}

/** The turn with the tool results that this provider encrypted, as it sent them. */
function withOwnSteps(turn: WireMessage, { provider, losses }: ConversationOptions): WireMessage {
  return { ...turn, content: openedSteps(turn.content, provider, losses) as WireBlock[] };
}

/** The model's turn without thinking at its end, as in an answer that was cut: Anthropic would refuse it. */
function withoutLastThinking(turn: WireMessage, losses: Losses): WireMessage {
  const content = withoutTrailingThinking(turn.content);
  if (content.length === turn.content.length) return turn;
  losses.add('reasoning');
  return { ...turn, content };
}

/** Removes trailing space from a final assistant turn, which Anthropic would refuse. */
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
