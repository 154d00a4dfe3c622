import { openAiErrorBody } from '../../core/error-body.ts';
import { GatewayError } from '../../core/errors.ts';
import type { Counts, Usage } from '../../core/usage.ts';
import { endOfStringInText } from '../../json/string-ends.ts';
import type { Envelope, EventRole, ProducedText, StreamEvent, StreamWatch } from '../dialect.ts';
import { isFailureReason } from '../finish-reasons.ts';
import { KeptText } from '../kept-text.ts';
import type { FoundSeal } from '../seal-marks.ts';
import { brokenOff } from '../vendor-errors.ts';
import { readChunk, usageIn, usageWith } from './chunk.ts';
import { sealsOfChoice } from './details.ts';
import { isFinish } from './finish.ts';
import { collectWords } from './produced-text.ts';
import { SearchCounter } from './search-counter.ts';
import { TextFrame } from './text-frame.ts';
import type { WireChunk, WireWords } from './wire.ts';

const NAME = '"name":';
const ARGUMENTS = '"arguments":';
/** The end of each name of a signature, in any spelling. */
const SIGNATURE = 'ignature';

/** Members of a delta that contain streamed text, as searched for in the raw JSON. */
const TEXT_MEMBERS = ['"content":', '"text":', '"reasoning_content":', '"reasoning":', '"refusal":', NAME, ARGUMENTS];

/**
 * Watches a chat stream that passes through.
 *
 * /!\ Hot path: most chunks only carry text, and are not parsed. A quote inside a JSON string is always escaped, so
 * `"usage"` in the raw bytes is a name (or a whole string), never part of the content. Most chunks equal the previous
 * one except for the text, which few comparisons detect.
 */
export function watchStream(call: Envelope): StreamWatch {
  return new ChatWatch(call.wantsUsage, call.choices);
}

/** The error frame on which OpenAI's clients throw. */
export function errorFrame(error: GatewayError): string {
  return `data: ${openAiErrorBody(error)}\n\n`;
}

class ChatWatch implements StreamWatch {
  readonly #wantsUsage: boolean;
  /** The number of choices that the call asked for. */
  readonly #choices: number;
  /** With several choices every chunk is parsed, to learn which one it belongs to. */
  #parseAll: boolean;
  readonly #finished = new Map<number, boolean>();
  #carried = false;
  /** The vendor sent `[DONE]`. */
  #done = false;
  #usage: Usage | null = null;
  readonly #searches = new SearchCounter();
  #error: GatewayError | null = null;
  found: readonly FoundSeal[] | null = null;
  readonly #kept = new KeptText();
  readonly #frame = new TextFrame();

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
      const end = this.#frame.endIn(data);
      if (end >= 0) {
        this.#kept.keep(data.slice(this.#frame.start, end));
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

  /**
   * Whether every choice has a finish reason, including those that have not begun. After `[DONE]` one choice is enough,
   * because some vendors generate only one whatever the call asks for.
   */
  complete(): boolean {
    if (this.#finished.size < (this.#done ? 1 : this.#choices)) return false;
    for (const finished of this.#finished.values()) if (!finished) return false;
    return true;
  }

  answered(): boolean {
    return this.complete();
  }

  usage(): Usage | null {
    return this.#usage === null ? null : this.#searches.addTo(this.#usage);
  }

  shownCalls(): Counts | undefined {
    return this.#searches.shown;
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

  /**
   * Keeps the text of a chunk, still escaped. If it has one text, remembers the JSON around it to compare the next
   * chunks with.
   */
  #keepText(data: string): void {
    let pieces = 0;
    // Seals come with the name of a call, with no text, or around it where other pieces have none.
    let mayHoldSeals = false;
    let mayShowSearch = false;
    let [start, end] = [0, 0];
    for (const member of TEXT_MEMBERS) {
      for (let at = data.indexOf(member); at >= 0; at = data.indexOf(member, at)) {
        at += member.length;
        while (data.charCodeAt(at) === 0x20) at += 1;
        if (data.charCodeAt(at) !== 0x22) continue;
        start = at + 1;
        end = endOfStringInText(data, start);
        at = end;
        pieces += 1;
        mayHoldSeals ||= start === end || member === NAME;
        mayShowSearch ||= member === ARGUMENTS;
        this.#kept.keep(data.slice(start, end));
      }
    }
    mayHoldSeals ||= pieces === 0 || !this.#frame.isBehind(data, end) || data.slice(0, start).includes(SIGNATURE);
    const isSealed = mayHoldSeals && this.#noteSeals(data);
    const showsSearch = (mayShowSearch || pieces !== 1) && this.#noteSearches(data);
    this.#frame.remember(data, start, end);
    if (pieces !== 1 || showsSearch || isSealed) this.#frame.forget();
  }

  /** @returns whether the chunk has seals, which the next one may repeat */
  #noteSeals(data: string): boolean {
    if (!data.includes(SIGNATURE) && !data.includes('"reasoning.encrypted"')) return false;
    const chunk = readChunk({ event: null, data });
    return !(chunk instanceof GatewayError) && this.#findSeals(chunk);
  }

  /** Notes searches of the web, whose texts are several or the arguments of a tool. @returns whether the chunk shows any */
  #noteSearches(data: string): boolean {
    if (!SEARCHES.some((name) => data.includes(name))) return false;
    const chunk = readChunk({ event: null, data });
    if (!(chunk instanceof GatewayError)) this.#searches.see(chunk);
    return true;
  }

  #findSeals({ choices }: WireChunk): boolean {
    const found = (Array.isArray(choices) ? choices : []).flatMap((choice) => sealsOfChoice(choice));
    if (found.length > 0) this.found = found;
    return found.length > 0;
  }

  #fail(error: GatewayError): EventRole {
    this.#error = error;
    return 'fails';
  }

  #readChunk(chunk: WireChunk): EventRole {
    const usage = usageIn(chunk);
    this.#usage = usageWith(this.#usage, chunk, usage);
    this.#searches.see(chunk);
    const choices = Array.isArray(chunk.choices) ? chunk.choices : [];
    if (choices.length === 0) {
      if (usage === null) return this.#carried ? 'carries' : 'opens';
      return this.#wantsUsage ? 'carries' : 'withhold';
    }
    this.#findSeals(chunk);
    let carries = false;
    for (const choice of choices) {
      if (choice === null) continue;
      const index = typeof choice.index === 'number' ? choice.index : 0;
      // Also if the call asked for one choice: the answer is complete when all choices seen have finished.
      if (index !== 0) this.#parseAll = true;
      const finished = isFinish(choice.finish_reason);
      if (isFailureReason(choice.finish_reason)) return this.#fail(brokenOff());
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

/** Whether a chunk can only carry text of the first choice: no usage, finish reason or error other than null. */
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

const SEARCHES = ['"executed_tools":', '"web_search":', '"search_info":'];
const INDEX = '"index"';

/** Whether every `index` in the bytes is 0. Another one may be a tool call's, which only parsing can tell. */
function isOfFirst(data: string): boolean {
  for (let at = data.indexOf(INDEX); at >= 0; at = data.indexOf(INDEX, at)) {
    at += INDEX.length;
    while (data.charCodeAt(at) === 0x20 || data.charCodeAt(at) === 0x3a) at += 1;
    if (data.charCodeAt(at) !== 0x30) return false;
  }
  return true;
}

/** Whether the bytes contain this name with a value other than `null`. */
function says(data: string, name: string): boolean {
  for (let at = data.indexOf(name); at >= 0; at = data.indexOf(name, at)) {
    at += name.length;
    while (data.charCodeAt(at) === 0x20 || data.charCodeAt(at) === 0x3a) at += 1;
    if (!data.startsWith('null', at)) return true;
  }
  return false;
}

/** Whether a delta contains more than the role and empty values. Unknown members count, because they may be content. */
function hasSubstance(delta: WireWords | null | undefined): boolean {
  if (typeof delta !== 'object' || delta === null) return false;
  for (const [name, value] of Object.entries(delta)) {
    if (name === 'role' || value === null || value === '') continue;
    if (Array.isArray(value) && value.length === 0) continue;
    return true;
  }
  return false;
}
