import type { ToolForm } from '../../core/call.ts';
import type { AnswerEvents, OpenPart } from '../answer-events.ts';
import { readLogprobs } from '../logprobs.ts';
import { StreamedArguments } from '../streamed-arguments.ts';
import { isObject, listOf, textOf, type Unchecked, wordOf } from '../unchecked-json.ts';
import {
  callIdOf,
  contentKind,
  contentText,
  itemType,
  nativeOf,
  REASONING_BREAK,
  readArguments,
  readCitation,
  readItem,
  readReasoning,
  readSeal,
  toolName,
} from './items-read.ts';

/**
 * Reads an item of a streamed answer. Vendors omit any of its events, and later events repeat the text of earlier ones:
 * only new text counts.
 */
export type ItemReader = MessageItemReader | ReasoningItemReader | CallItemReader | VendorItemReader;

export function readerFor(item: Unchecked, events: AnswerEvents): ItemReader {
  const type = itemType(item);
  switch (type) {
    case 'message':
      return new MessageItemReader(events);
    case 'reasoning':
      return new ReasoningItemReader(events);
    case 'function_call':
    case 'custom_tool_call': {
      const call = new CallItemReader(events, type === 'function_call' ? 'function' : 'custom');
      call.named(item);
      return call;
    }
    default:
      return new VendorItemReader(events, item);
  }
}

/**
 * Whether a complete text continues what was received. A shorter text does not: checking the length first avoids
 * joining the received pieces for it.
 */
function continues(text: string, received: string): boolean {
  return text.length >= received.length && text.startsWith(received);
}

type Content = { said: string; part: OpenPart | null; citations: number; hasLogprobs: boolean };

export class MessageItemReader {
  readonly kind = 'message';
  readonly #events: AnswerEvents;
  readonly #contents = new Map<number, Content>();
  readonly #vendors = new Set<number>();
  /** The part that began last. A part begins only after those before it have ended. */
  #last: OpenPart | null = null;

  constructor(events: AnswerEvents) {
    this.#events = events;
  }

  delta(index: number, kind: 'text' | 'refusal', text: string, logprobs?: unknown): void {
    const read = kind === 'text' ? readLogprobs(logprobs) : undefined;
    if (text === '' && read === undefined) return;
    const content = this.#content(index);
    content.said += text;
    content.hasLogprobs ||= read !== undefined;
    this.#part(content, kind).text(text, read);
  }

  /** Takes the text of a content part so far, or all of it. */
  soFar(index: number, kind: 'text' | 'refusal', text: string, logprobs?: unknown): void {
    const { said, hasLogprobs } = this.#content(index);
    if (!continues(text, said)) return;
    this.delta(index, kind, text.slice(said.length), hasLogprobs || said !== '' ? undefined : logprobs);
  }

  citation(index: number, annotation: unknown): void {
    const content = this.#content(index);
    content.citations += 1;
    this.#part(content, 'text').citation(readCitation(annotation));
  }

  contentDone(index: number, part: Unchecked): void {
    const kind = contentKind(part);
    if (kind === 'native') {
      if (this.#vendors.has(index)) return;
      this.#vendors.add(index);
      return this.#events.begin(nativeOf(part)).end();
    }
    this.soFar(index, kind, contentText(part), part.logprobs);
    const { citations, said } = this.#content(index);
    if (said !== '')
      for (const annotation of listOf(part.annotations).slice(citations)) this.citation(index, annotation);
    this.#content(index).part?.end();
  }

  done(item: Unchecked): void {
    if (typeof item.content === 'string') this.soFar(0, 'text', item.content);
    for (const [index, part] of listOf(item.content).entries()) if (isObject(part)) this.contentDone(index, part);
    this.rest();
  }

  /** Ends the open part because another item begins. Text that still arrives for this one becomes a new part. */
  rest(): void {
    this.#last?.end();
  }

  #content(index: number): Content {
    const known = this.#contents.get(index);
    if (known !== undefined) return known;
    const content = { said: '', part: null, citations: 0, hasLogprobs: false };
    this.#contents.set(index, content);
    return content;
  }

  #part(content: Content, kind: 'text' | 'refusal'): OpenPart {
    if (content.part?.isOpen === true) return content.part;
    this.rest();
    content.part = this.#events.begin({ kind });
    this.#last = content.part;
    return content.part;
  }
}

type ReasoningForm = 'summary' | 'full';

export class ReasoningItemReader {
  readonly kind = 'reasoning';
  readonly #events: AnswerEvents;
  #part: OpenPart | null = null;
  #form: ReasoningForm | null = null;
  #text = '';
  /** The index of the current piece of text, and what was received of it. */
  #index = 0;
  #piece = '';

  constructor(events: AnswerEvents) {
    this.#events = events;
  }

  delta(form: ReasoningForm, index: number, text: string): void {
    if (text === '' || (this.#form ?? form) !== form) return;
    if (index !== this.#index) this.#piece = '';
    const added = this.#piece === '' && this.#text !== '' ? REASONING_BREAK + text : text;
    this.#form = form;
    this.#index = index;
    this.#piece += text;
    this.#add(added);
  }

  soFar(form: ReasoningForm, index: number, text: string): void {
    if (index < this.#index) return;
    const received = index === this.#index ? this.#piece : '';
    if (continues(text, received)) this.delta(form, index, text.slice(received.length));
  }

  done(item: Unchecked): void {
    const { text, form } = readReasoning(item);
    if (form === (this.#form ?? form) && continues(text, this.#text)) {
      this.#form = form;
      this.#add(text.slice(this.#text.length));
    }
    const seal = readSeal(item);
    if (seal !== null) this.#begun().seal(seal);
    this.#part?.end();
  }

  #add(text: string): void {
    if (text === '') return;
    this.#text += text;
    this.#begun().text(text);
  }

  #begun(): OpenPart {
    this.#part ??= this.#events.begin({ kind: 'reasoning', form: this.#form ?? 'summary' });
    return this.#part;
  }
}

export class CallItemReader {
  readonly kind = 'call';
  readonly #events: AnswerEvents;
  readonly #form: ToolForm;
  #part: OpenPart | null = null;
  #id = '';
  #name = '';
  readonly #input: StreamedArguments;

  constructor(events: AnswerEvents, form: ToolForm) {
    this.#events = events;
    this.#form = form;
    this.#input = new StreamedArguments(form);
  }

  /** Takes the id and the name. The call begins when both are known. */
  named(item: Unchecked): void {
    if (this.#part !== null) return;
    this.#id = wordOf(item.call_id) ?? this.#id;
    this.#name = toolName(item) || this.#name;
    if (this.#id !== '' && this.#name !== '') this.#begin();
  }

  delta(text: string): void {
    this.#input.add(text);
    this.#part?.text(this.#input.next());
  }

  soFar(input: unknown): void {
    this.#input.whole(readArguments(input));
    this.#part?.text(this.#input.next());
  }

  done(item: Unchecked): void {
    this.named(item);
    if (this.#part === null) {
      // Without a call id, the item's own id is used; without a name, the call is dropped because nobody can run it.
      this.#id = this.#id || callIdOf(item);
      if (this.#name !== '') this.#begin();
    }
    this.soFar(item.arguments ?? item.input);
    if (this.#part === null) return;
    this.#part.text(this.#input.rest());
    this.#events.isCut ||= this.#input.cut;
    this.#part.end();
  }

  #begin(): void {
    this.#part = this.#events.begin({ kind: 'tool-call', id: this.#id, name: this.#name, form: this.#form });
    this.#part.text(this.#input.next());
  }
}

/** A native item of this dialect, or the call of a built-in tool, which becomes a part when it is complete. */
class VendorItemReader {
  readonly kind = 'vendor';
  readonly #events: AnswerEvents;
  #item: Unchecked;

  constructor(events: AnswerEvents, item: Unchecked) {
    this.#events = events;
    this.#item = item;
  }

  done(item: Unchecked): void {
    if (textOf(item.type) !== '') this.#item = item;
    for (const part of readItem(this.#item)) {
      if (part.kind === 'native') this.#events.begin(part).end();
      if (part.kind !== 'tool-call') continue;
      const { kind, id, name, form } = part;
      const call = this.#events.begin({ kind, id, name, form });
      call.text(part.input);
      call.end();
    }
  }
}
