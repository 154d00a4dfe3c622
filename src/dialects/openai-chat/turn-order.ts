import type { Quirks } from '../../core/quirks.ts';
import { isWord } from '../../json/scan.ts';
import { memberAt, TAPE_STEP } from '../../json/tape.ts';
import type { RequestBody } from '../request.ts';
import { asReminder } from '../system-reminder.ts';
import { objectOf, textOf } from '../unchecked-json.ts';

/** What the assistant says between results and media, where the vendor takes media in no result and no user turn behind one. */
const BETWEEN = 'I have the results.';

export type WireMessage = Record<string, unknown>;

/**
 * Brings messages into an order that the vendor takes. Unless it takes system text anywhere, the leading system and
 * developer messages become one, and later ones become part of a user turn at their place. Nothing comes between calls
 * of tools and their results, so text from there follows the results.
 */
export function orderTurns(messages: readonly WireMessage[], quirks: Quirks): WireMessage[] {
  const turns = new OrderedTurns(quirks);
  const firstTurn = messages.findIndex((message) => !isSystem(message));
  const leading = messages.slice(0, firstTurn < 0 ? messages.length : firstTurn);
  turns.begin(leading);
  for (const message of messages.slice(leading.length)) turns.add(message);
  return turns.end();
}

/** A message, and all contents that are to become its one. */
type OrderedTurn = { message: WireMessage; contents: unknown[] };

class OrderedTurns {
  readonly #quirks: Quirks;
  readonly #turns: OrderedTurn[] = [];
  /** System messages that wait for their place. */
  #held: WireMessage[] = [];
  /** Whether the last turn holds system text, so that a user turn must be merged with it. */
  #open = false;

  constructor(quirks: Quirks) {
    this.#quirks = quirks;
  }

  begin(leading: readonly WireMessage[]): void {
    const [first, ...rest] = leading;
    if (this.#quirks.systemAnywhere === true || first === undefined) {
      for (const message of leading) this.#push(message);
      return;
    }
    // A vendor without developer messages knows them as system messages.
    const role = this.#quirks.developerRole === true ? first.role : 'system';
    const { contents } = this.#push({ ...first, role });
    for (const { content } of rest) contents.push(content);
  }

  add(message: WireMessage): void {
    if (isSystem(message) && this.#quirks.systemAnywhere !== true) {
      this.#held.push(message);
      return;
    }
    if (!isResult(message)) this.#release();
    if (message.role === 'user') this.#addUser(message);
    else {
      this.#open = false;
      this.#push(message);
    }
  }

  end(): WireMessage[] {
    this.#release();
    return this.#turns.map(({ message, contents }) =>
      contents.length === 1 ? message : { ...message, content: joinContents(contents) },
    );
  }

  #release(): void {
    for (const { content } of this.#held) {
      const reminder = reminderOf(content);
      if (reminder.length === 0) continue;
      this.#open = true;
      this.#addUser({ role: 'user', content: reminder });
    }
    this.#held = [];
  }

  #addUser(message: WireMessage): void {
    const last = this.#turns.at(-1);
    if (last?.message.role === 'tool' && this.#quirks.refusesUserAfterTool === true) {
      if (isTextAlone(message.content)) last.contents.push(message.content);
      else {
        this.#push({ role: 'assistant', content: BETWEEN });
        this.#push(message);
      }
    } else if (this.#open && last?.message.role === 'user') last.contents.push(message.content);
    else this.#push(message);
  }

  #push(message: WireMessage): OrderedTurn {
    const turn = { message, contents: [message.content] };
    this.#turns.push(turn);
    return turn;
  }
}

function isSystem({ role }: WireMessage): boolean {
  return role === 'system' || role === 'developer';
}

function isResult({ role }: WireMessage): boolean {
  return role === 'tool' || role === 'function';
}

/** Texts become one text. Parts with more than text, such as a cache mark, stay parts. */
function joinContents(contents: readonly unknown[]): unknown {
  const texts = contents.map(plainText);
  if (texts.includes(null)) return contents.flatMap(partsOf);
  return texts.filter((words) => words !== '').join('\n\n');
}

/** The content as one text; `null` if it holds more than text. */
function plainText(content: unknown): string | null {
  if (!Array.isArray(content)) return textOf(content);
  const isPlain = content.every((part) => isText(part) && Object.keys(objectOf(part)).length === 2);
  return isPlain ? content.map((part) => textOf(objectOf(part).text)).join('\n\n') : null;
}

/** A message's content as parts. */
export function partsOf(content: unknown): readonly unknown[] {
  if (Array.isArray(content)) return content;
  return textOf(content) === '' ? [] : [{ type: 'text', text: content }];
}

function isText(part: unknown): boolean {
  return objectOf(part).type === 'text';
}

function reminderOf(content: unknown): string | unknown[] {
  if (!Array.isArray(content)) return asReminder(textOf(content));
  return content.flatMap((part) => {
    if (!isText(part)) return [part];
    const words = asReminder(textOf(objectOf(part).text));
    return words === '' ? [] : [{ ...objectOf(part), text: words }];
  });
}

/** Whether a user turn can become part of a tool's result, which holds text alone. */
function isTextAlone(content: unknown): boolean {
  return !Array.isArray(content) || content.every(isText);
}

/**
 * Whether a body has system text behind its first message, where most vendors refuse it.
 *
 * /!\ Hot path: reads the tape of the scan, and no more of a message than its role.
 */
export function hasMisplacedSystemText({ body, index }: RequestBody, quirks: Quirks): boolean {
  if (quirks.systemAnywhere === true) return false;
  const { tape } = index;
  const messages = memberAt(body, index, 'messages');
  const end = messages < 0 ? 0 : tape[messages + 3]!;
  const first = messages + TAPE_STEP;
  for (let at = first; at < end; at = tape[at + 3]!) {
    if (at > first && isSystemAt(body, tape, at)) return true;
  }
  return false;
}

const SMALL_R = 0x72;
const SMALL_S = 0x73;
const SMALL_D = 0x64;

/** Whether the message at this place of the tape is one of system text. Most are told apart by two letters. */
function isSystemAt(body: Buffer, tape: RequestBody['index']['tape'], at: number): boolean {
  const end = tape[at + 3]!;
  for (let inner = at + TAPE_STEP; inner < end; inner = tape[inner + 3]!) {
    const name = tape[inner]! + 1;
    if (body[name] !== SMALL_R) continue;
    const value = tape[inner + 1]!;
    const letter = body[value + 1];
    if (letter !== SMALL_S && letter !== SMALL_D) continue;
    const isSystem = isWord(body, value, '"system"') || isWord(body, value, '"developer"');
    if (isSystem && isWord(body, name, 'role"')) return true;
  }
  return false;
}
