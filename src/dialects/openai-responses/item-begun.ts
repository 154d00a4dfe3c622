import type { ToolForm } from '../../core/call.ts';
import { StreamedArguments } from '../streamed-arguments.ts';
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
  readLogprobs,
  readReasoning,
  readSeal,
  toolName,
} from './items-read.ts';
import type { PartBegun, PartsBegun } from './parts-begun.ts';
import { isWire, listOf, textOf, type Wire, wordOf } from './wire.ts';

/**
 * An item of a streamed answer. Vendors leave out any of its events, and later events repeat the whole text of earlier
 * ones, of which only what is new is used.
 */
export type ItemBegun = MessageBegun | ReasoningBegun | CallBegun | VendorBegun;

export function beginItem(item: Wire, parts: PartsBegun): ItemBegun {
  const type = itemType(item);
  switch (type) {
    case 'message':
      return new MessageBegun(parts);
    case 'reasoning':
      return new ReasoningBegun(parts);
    case 'function_call':
    case 'custom_tool_call': {
      const call = new CallBegun(parts, type === 'function_call' ? 'function' : 'custom');
      call.named(item);
      return call;
    }
    default:
      return new VendorBegun(parts, item);
  }
}

/**
 * Whether a complete text continues what was received. A shorter text does not: checking the length first avoids
 * joining the received pieces for it.
 */
function continues(text: string, received: string): boolean {
  return text.length >= received.length && text.startsWith(received);
}

type Content = { said: string; part: PartBegun | null; citations: number; hasLogprobs: boolean };

export class MessageBegun {
  readonly kind = 'message';
  readonly #parts: PartsBegun;
  readonly #contents = new Map<number, Content>();
  readonly #vendors = new Set<number>();
  /** The part that began last. A part begins only after those before it have ended. */
  #last: PartBegun | null = null;

  constructor(parts: PartsBegun) {
    this.#parts = parts;
  }

  delta(index: number, kind: 'text' | 'refusal', text: string, logprobs?: unknown): void {
    const read = kind === 'text' ? readLogprobs(logprobs) : undefined;
    if (text === '' && read === undefined) return;
    const content = this.#content(index);
    content.said += text;
    content.hasLogprobs ||= read !== undefined;
    this.#part(content, kind).text(text, read);
  }

  /** Takes the text of a content so far, or all of it. */
  told(index: number, kind: 'text' | 'refusal', text: string, logprobs?: unknown): void {
    const { said, hasLogprobs } = this.#content(index);
    if (!continues(text, said)) return;
    this.delta(index, kind, text.slice(said.length), hasLogprobs || said !== '' ? undefined : logprobs);
  }

  cited(index: number, annotation: unknown): void {
    const content = this.#content(index);
    content.citations += 1;
    this.#part(content, 'text').citation(readCitation(annotation));
  }

  contentDone(index: number, part: Wire): void {
    const kind = contentKind(part);
    if (kind === 'native') {
      if (this.#vendors.has(index)) return;
      this.#vendors.add(index);
      return this.#parts.begin(nativeOf(part)).end();
    }
    this.told(index, kind, contentText(part), part.logprobs);
    const { citations, said } = this.#content(index);
    if (said !== '') for (const annotation of listOf(part.annotations).slice(citations)) this.cited(index, annotation);
    this.#content(index).part?.end();
  }

  done(item: Wire): void {
    if (typeof item.content === 'string') this.told(0, 'text', item.content);
    for (const [index, part] of listOf(item.content).entries()) if (isWire(part)) this.contentDone(index, part);
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

  #part(content: Content, kind: 'text' | 'refusal'): PartBegun {
    if (content.part?.open === true) return content.part;
    this.rest();
    content.part = this.#parts.begin({ kind });
    this.#last = content.part;
    return content.part;
  }
}

type ReasoningForm = 'summary' | 'full';

export class ReasoningBegun {
  readonly kind = 'reasoning';
  readonly #parts: PartsBegun;
  #part: PartBegun | null = null;
  #form: ReasoningForm | null = null;
  #text = '';
  /** The index of the current piece of text, and what was received of it. */
  #index = 0;
  #piece = '';

  constructor(parts: PartsBegun) {
    this.#parts = parts;
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

  told(form: ReasoningForm, index: number, text: string): void {
    if (index < this.#index) return;
    const received = index === this.#index ? this.#piece : '';
    if (continues(text, received)) this.delta(form, index, text.slice(received.length));
  }

  done(item: Wire): void {
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

  #begun(): PartBegun {
    this.#part ??= this.#parts.begin({ kind: 'reasoning', form: this.#form ?? 'summary' });
    return this.#part;
  }
}

export class CallBegun {
  readonly kind = 'call';
  readonly #parts: PartsBegun;
  readonly #form: ToolForm;
  #part: PartBegun | null = null;
  #id = '';
  #name = '';
  readonly #input: StreamedArguments;

  constructor(parts: PartsBegun, form: ToolForm) {
    this.#parts = parts;
    this.#form = form;
    this.#input = new StreamedArguments(form);
  }

  /** Takes the id and name. The call begins when both are known. */
  named(item: Wire): void {
    if (this.#part !== null) return;
    this.#id = wordOf(item.call_id) ?? this.#id;
    this.#name = toolName(item) || this.#name;
    if (this.#id !== '' && this.#name !== '') this.#begin();
  }

  delta(text: string): void {
    this.#input.add(text);
    this.#part?.text(this.#input.next());
  }

  told(input: unknown): void {
    this.#input.whole(readArguments(input));
    this.#part?.text(this.#input.next());
  }

  done(item: Wire): void {
    this.named(item);
    if (this.#part === null) {
      // Without a call id, the item's own id is used; without a name, the call is dropped because nobody can run it.
      this.#id = this.#id || callIdOf(item);
      if (this.#name !== '') this.#begin();
    }
    this.told(item.arguments ?? item.input);
    if (this.#part === null) return;
    this.#part.text(this.#input.rest());
    this.#parts.isCut ||= this.#input.cut;
    this.#part.end();
  }

  #begin(): void {
    this.#part = this.#parts.begin({ kind: 'tool-call', id: this.#id, name: this.#name, form: this.#form });
    this.#part.text(this.#input.next());
  }
}

/** A native item of this dialect, or the call of a built-in tool, which becomes a part when it is complete. */
class VendorBegun {
  readonly kind = 'vendor';
  readonly #parts: PartsBegun;
  #item: Wire;

  constructor(parts: PartsBegun, item: Wire) {
    this.#parts = parts;
    this.#item = item;
  }

  done(item: Wire): void {
    if (textOf(item.type) !== '') this.#item = item;
    for (const part of readItem(this.#item)) {
      if (part.kind === 'native') this.#parts.begin(part).end();
      if (part.kind !== 'tool-call') continue;
      const { kind, id, name, form } = part;
      const call = this.#parts.begin({ kind, id, name, form });
      call.text(part.input);
      call.end();
    }
  }
}
