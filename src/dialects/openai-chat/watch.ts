import { openAiErrorBody } from '../../core/error-body.ts';
import { GatewayError } from '../../core/errors.ts';
import type { Usage } from '../../core/usage.ts';
import type { Envelope, EventRole, ProducedText, StreamEvent, StreamWatch } from '../dialect.ts';
import { endOfString, KeptText } from '../kept-text.ts';
import { readChunk, usageIn } from './chunk.ts';
import type { WireChunk, WireWords } from './wire.ts';
import { collectWords } from './words.ts';

/** Members of a delta under which running text stands, as bytes to look for. */
const TEXT_MEMBERS = [
  '"content":',
  '"text":',
  '"reasoning_content":',
  '"reasoning":',
  '"refusal":',
  '"name":',
  '"arguments":',
];

/**
 * Looks at a passing chat stream.
 *
 * /!\ Hot path: most chunks of a stream only carry text, and are not parsed. That is sound because a quote inside a
 * JSON string is always escaped: `"usage"` in the bytes is a name (or a whole string), never a piece of the content.
 * Most are the chunk before with another text, which two comparisons tell.
 */
export function watchStream(call: Envelope): StreamWatch {
  return new ChatWatch(call.wantsUsage, call.choices);
}

/** The error frame that OpenAI's clients throw. */
export function errorFrame(error: GatewayError): string {
  return `data: ${openAiErrorBody(error)}\n\n`;
}

class ChatWatch implements StreamWatch {
  readonly #wantsUsage: boolean;
  /** How many were asked for. */
  readonly #choices: number;
  /** Of several choices each chunk must be told which one it is of. */
  #parseAll: boolean;
  readonly #finished = new Map<number, boolean>();
  #carried = false;
  /** The vendor said itself that it is at its end. */
  #done = false;
  #usage: Usage | null = null;
  #error: GatewayError | null = null;
  readonly #kept = new KeptText();
  /** What stands before and behind the text of the last chunk that only carried text. */
  #before = '';
  #behind = '';

  constructor(wantsUsage: boolean, choices: number) {
    this.#wantsUsage = wantsUsage;
    this.#choices = choices;
    this.#parseAll = choices > 1;
  }

  see({ event, data }: StreamEvent): EventRole {
    if (data === '[DONE]') {
      this.#done = true;
      return 'ends';
    }
    if (event !== 'error' && this.#carried && !this.#parseAll) {
      if (this.#isLikeLast(data)) {
        this.#kept.keep(data.slice(this.#before.length, data.length - this.#behind.length));
        return 'carries';
      }
      if (isPlainText(data)) {
        this.#keepText(data);
        return 'carries';
      }
    }
    const chunk = readChunk({ event, data });
    if (chunk instanceof GatewayError) return this.#fail(chunk);
    return this.#readChunk(chunk);
  }

  /** Every choice has its finish, also one that has not begun; some vendors give one whatever was asked, and say `[DONE]`. */
  complete(): boolean {
    if (this.#finished.size < (this.#done ? 1 : this.#choices)) return false;
    for (const finished of this.#finished.values()) if (!finished) return false;
    return true;
  }

  usage(): Usage | null {
    return this.#usage;
  }

  output(): ProducedText {
    return this.#kept.produced();
  }

  error(): GatewayError {
    return this.#error ?? new GatewayError('internal', 'The stream did not fail.');
  }

  writeFailure(error: GatewayError): string {
    return errorFrame(error);
  }

  /** Whether a chunk is the last one with another text, so that all that was found out of that one holds. */
  #isLikeLast(data: string): boolean {
    const start = this.#before.length;
    const end = data.length - this.#behind.length;
    // Slices are compared at once, where `startsWith` goes character by character.
    return (
      start > 0 &&
      end >= start &&
      data.slice(0, start) === this.#before &&
      data.slice(end) === this.#behind &&
      data.charCodeAt(end - 1) !== BACKSLASH &&
      data.indexOf('"', start) === end
    );
  }

  /** Keeps the running text of a chunk, still escaped; where there is one piece, the chunks to come are told by it. */
  #keepText(data: string): void {
    let pieces = 0;
    let [start, end] = [0, 0];
    for (const member of TEXT_MEMBERS) {
      for (let at = data.indexOf(member); at >= 0; at = data.indexOf(member, at)) {
        at += member.length;
        while (data.charCodeAt(at) === 0x20) at += 1;
        if (data.charCodeAt(at) !== 0x22) continue;
        start = at + 1;
        end = endOfString(data, start);
        at = end;
        pieces += 1;
        this.#kept.keep(data.slice(start, end));
      }
    }
    this.#before = pieces === 1 ? data.slice(0, start) : '';
    this.#behind = data.slice(end);
  }

  #fail(error: GatewayError): EventRole {
    this.#error = error;
    return 'fails';
  }

  #readChunk(chunk: WireChunk): EventRole {
    const usage = usageIn(chunk);
    if (usage !== null) this.#usage = usage;
    const choices = Array.isArray(chunk.choices) ? chunk.choices : [];
    if (choices.length === 0) {
      if (usage === null) return this.#carried ? 'carries' : 'opens';
      return this.#wantsUsage ? 'carries' : 'withhold';
    }
    let carries = false;
    for (const choice of choices) {
      if (choice === null) continue;
      const index = typeof choice.index === 'number' ? choice.index : 0;
      // Also where only one was asked for: the answer is complete once all that were seen are.
      if (index !== 0) this.#parseAll = true;
      const finished =
        choice.finish_reason !== null && choice.finish_reason !== undefined && choice.finish_reason !== '';
      this.#finished.set(index, finished || this.#finished.get(index) === true);
      const words: string[] = [];
      collectWords(choice.delta, words);
      for (const word of words) this.#kept.keepWord(word);
      carries ||= finished || hasSubstance(choice.delta);
    }
    this.#carried ||= carries;
    return carries || this.#carried ? 'carries' : 'opens';
  }
}

/** Whether a chunk can only carry text of the first choice: no usage, finish or error that says something. */
function isPlainText(data: string): boolean {
  return (
    data.charCodeAt(0) === 0x7b &&
    data.charCodeAt(data.length - 1) === 0x7d &&
    !says(data, '"finish_reason"') &&
    !says(data, '"usage"') &&
    !says(data, '"error"') &&
    isOfFirst(data)
  );
}

const BACKSLASH = 0x5c;
const INDEX = '"index"';

/** Whether each `index` in the bytes is 0. Another one may be a tool call's; only a parse can tell. */
function isOfFirst(data: string): boolean {
  for (let at = data.indexOf(INDEX); at >= 0; at = data.indexOf(INDEX, at)) {
    at += INDEX.length;
    while (data.charCodeAt(at) === 0x20 || data.charCodeAt(at) === 0x3a) at += 1;
    if (data.charCodeAt(at) !== 0x30) return false;
  }
  return true;
}

/** Whether a name stands in the bytes with a value other than `null`. */
function says(data: string, name: string): boolean {
  for (let at = data.indexOf(name); at >= 0; at = data.indexOf(name, at)) {
    at += name.length;
    while (data.charCodeAt(at) === 0x20 || data.charCodeAt(at) === 0x3a) at += 1;
    if (!data.startsWith('null', at)) return true;
  }
  return false;
}

/** Whether a delta holds anything beyond the role and empty values. Unknown members count: they may be the content. */
function hasSubstance(delta: WireWords | null | undefined): boolean {
  if (typeof delta !== 'object' || delta === null) return false;
  for (const [name, value] of Object.entries(delta)) {
    if (name === 'role' || value === null || value === '') continue;
    if (Array.isArray(value) && value.length === 0) continue;
    return true;
  }
  return false;
}
