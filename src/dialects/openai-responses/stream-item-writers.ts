import type { PartDelta, PartHead } from '../../core/answer.ts';
import type { SearchStep } from '../../core/call.ts';
import type { Losses } from '../../core/losses.ts';
import type { Seal } from '../../core/seal.ts';
import { joined, type WholeSearch } from '../search-steps.ts';
import type { Unchecked } from '../unchecked-json.ts';
import { type ClientToolType, clientCallItem } from './client-tools.ts';
import type { Frames } from './frames.ts';
import {
  type CallNames,
  callItem,
  encryptedContent,
  type ItemStatus,
  messageItem,
  reasoningItem,
  refusalContent,
  summaryText,
  textContent,
  writeCitation,
} from './items-write.ts';
import { searchItem } from './search-items.ts';

type OpenItem = { frames: Frames; index: number };

/** An item of a stream in progress. Only messages may have several parts. */
export abstract class ItemWriter {
  abstract readonly id: string;
  /** The item as JSON, once it is done. */
  json = '';
  readonly #place: OpenItem;
  #running = 0;

  constructor(place: OpenItem) {
    this.#place = place;
  }

  /** Its position among the items. */
  get index(): number {
    return this.#place.index;
  }

  /** Whether no part of it is open. */
  get ended(): boolean {
    return this.#running === 0;
  }

  begin(part: number, kind: PartHead['kind']): string[] {
    this.#running += 1;
    return this.begun(part, kind);
  }

  end(part: number): string[] {
    this.#running -= 1;
    return this.finished(part);
  }

  done(status: 'completed' | 'incomplete'): string[] {
    this.json = JSON.stringify(this.item(status));
    return [this.#place.frames.ofItem('response.output_item.done', this.#place.index, this.json)];
  }

  abstract add(part: number, delta: PartDelta): string[];
  protected abstract begun(part: number, kind: PartHead['kind']): string[];
  protected abstract finished(part: number): string[];
  protected abstract item(status: 'completed' | 'incomplete'): Unchecked;

  protected event(type: string, fields: Unchecked): string {
    return this.#place.frames.of(`response.${type}`, { item_id: this.id, output_index: this.#place.index, ...fields });
  }

  protected addedEvent(item: Unchecked): string {
    return this.#place.frames.of('response.output_item.added', { output_index: this.#place.index, item });
  }
}

type Content = { kind: 'text' | 'refusal'; text: string; annotations: unknown[]; logprobs: unknown[] };

export class MessageItemWriter extends ItemWriter {
  readonly id: string;
  readonly #losses: Losses;
  readonly #contents: Content[] = [];
  readonly #indexes = new Map<number, number>();

  constructor(place: OpenItem, id: string, losses: Losses) {
    super(place);
    this.id = id;
    this.#losses = losses;
  }

  /** Its text, without refusals. */
  get said(): string {
    return this.#contents.map(({ kind, text }) => (kind === 'text' ? text : '')).join('');
  }

  get refuses(): boolean {
    return this.#contents.some(({ kind }) => kind === 'refusal');
  }

  add(part: number, delta: PartDelta): string[] {
    const [content, index] = this.#content(part);
    switch (delta.kind) {
      case 'text': {
        const { text, logprobs = [] } = delta;
        content.text += text;
        if (content.kind === 'refusal') return [this.event('refusal.delta', { content_index: index, delta: text })];
        for (const token of logprobs) content.logprobs.push(token);
        return [this.event('output_text.delta', { content_index: index, delta: text, logprobs })];
      }
      case 'citation': {
        const annotation = writeCitation(delta.citation);
        if (annotation === null) {
          this.#losses.add('citations');
          return [];
        }
        const fields = { content_index: index, annotation_index: content.annotations.length, annotation };
        content.annotations.push(annotation);
        return [this.event('output_text.annotation.added', fields)];
      }
      case 'seal':
        return [];
      default:
        return delta satisfies never;
    }
  }

  protected begun(part: number, kind: PartHead['kind']): string[] {
    const index = this.#contents.length;
    const content: Content = { kind: kind === 'refusal' ? kind : 'text', text: '', annotations: [], logprobs: [] };
    this.#contents.push(content);
    this.#indexes.set(part, index);
    const first = index === 0 ? [this.addedEvent(messageItem(this.id, 'in_progress', []))] : [];
    return [...first, this.event('content_part.added', { content_index: index, part: written(content) })];
  }

  protected finished(part: number): string[] {
    const [content, index] = this.#content(part);
    const { text, logprobs } = content;
    return [
      content.kind === 'refusal'
        ? this.event('refusal.done', { content_index: index, refusal: text })
        : this.event('output_text.done', { content_index: index, text, logprobs }),
      this.event('content_part.done', { content_index: index, part: written(content) }),
    ];
  }

  protected item(status: 'completed' | 'incomplete'): Unchecked {
    return messageItem(this.id, status, this.#contents.map(written));
  }

  #content(part: number): [Content, number] {
    const index = this.#indexes.get(part) ?? 0;
    return [this.#contents[index]!, index];
  }
}

function written({ kind, text, annotations, logprobs }: Content): Unchecked {
  return kind === 'refusal' ? refusalContent(text) : textContent(text, annotations, logprobs);
}

/** Reasoning, always written as a summary, because every client reads that. */
export class ReasoningItemWriter extends ItemWriter {
  readonly id: string;
  readonly #provider: string;
  #text = '';
  #seal: Seal | null = null;

  constructor(place: OpenItem, id: string, provider: string) {
    super(place);
    this.id = id;
    this.#provider = provider;
  }

  add(_part: number, delta: PartDelta): string[] {
    if (delta.kind === 'seal') this.#seal = delta.seal;
    if (delta.kind !== 'text') return [];
    const first = this.#text === '';
    this.#text += delta.text;
    const part = summaryText('');
    const begun = first ? [this.event('reasoning_summary_part.added', { summary_index: 0, part })] : [];
    return [...begun, this.event('reasoning_summary_text.delta', { summary_index: 0, delta: delta.text })];
  }

  protected begun(): string[] {
    return [this.addedEvent(reasoningItem(this.id, '', null))];
  }

  protected finished(): string[] {
    if (this.#text === '') return [];
    return [
      this.event('reasoning_summary_text.done', { summary_index: 0, text: this.#text }),
      this.event('reasoning_summary_part.done', { summary_index: 0, part: summaryText(this.#text) }),
    ];
  }

  protected item(): Unchecked {
    return reasoningItem(this.id, this.#text, encryptedContent(this.#seal, this.id, this.#provider));
  }
}

export class CallItemWriter extends ItemWriter {
  readonly id: string;
  readonly #names: CallNames;
  #input = '';

  constructor(place: OpenItem, id: string, names: CallNames) {
    super(place);
    this.id = id;
    this.#names = names;
  }

  add(_part: number, delta: PartDelta): string[] {
    return delta.kind === 'text' ? [this.#more(delta.text)] : [];
  }

  protected begun(): string[] {
    return [this.addedEvent(callItem(this.id, 'in_progress', this.#names, ''))];
  }

  protected finished(): string[] {
    const { form, name } = this.#names;
    if (form === 'custom') return [this.event('custom_tool_call_input.done', { input: this.#input })];
    const filled = this.#input === '' ? [this.#more('{}')] : [];
    return [...filled, this.event('function_call_arguments.done', { name, arguments: this.#input })];
  }

  protected item(status: 'completed' | 'incomplete'): Unchecked {
    return callItem(this.id, status, this.#names, this.#input);
  }

  #more(text: string): string {
    this.#input += text;
    const what = this.#names.form === 'custom' ? 'custom_tool_call_input' : 'function_call_arguments';
    return this.event(`${what}.delta`, { delta: text });
  }
}

/**
 * A call of a built-in tool that the client runs. Its item is known once the arguments are whole; arguments that do not
 * make one are written as the call of a function.
 */
export class ClientCallItemWriter extends ItemWriter {
  readonly id: string;
  readonly #type: ClientToolType;
  readonly #names: CallNames;
  #input = '';

  constructor(place: OpenItem, id: string, type: ClientToolType, names: CallNames) {
    super(place);
    this.id = id;
    this.#type = type;
    this.#names = names;
  }

  add(_part: number, delta: PartDelta): string[] {
    if (delta.kind === 'text') this.#input += delta.text;
    return [];
  }

  protected begun(): string[] {
    return [];
  }

  protected finished(): string[] {
    return [this.addedEvent(this.item('in_progress'))];
  }

  protected item(status: ItemStatus): Unchecked {
    const { callId } = this.#names;
    const item = clientCallItem(this.#type, { id: this.id, callId, status }, this.#input);
    return item ?? callItem(this.id, status, this.#names, this.#input);
  }
}

/** A search by a vendor of another dialect. It is done once its results are known. */
export class SearchItemWriter extends ItemWriter {
  readonly id: string;
  #search: Omit<WholeSearch, 'id'> = { queries: [] };
  #begun = false;

  constructor(place: OpenItem, id: string) {
    super(place);
    this.id = id;
  }

  override get ended(): boolean {
    return super.ended && this.#search.found !== undefined;
  }

  /** Takes a step, before its part begins. */
  take(step: SearchStep): void {
    this.#search = joined(this.#search, step);
  }

  add(): string[] {
    return [];
  }

  protected begun(): string[] {
    if (this.#begun) return [];
    this.#begun = true;
    const { found: _, ...asked } = this.#search;
    return [
      this.addedEvent({ ...searchItem(asked, this.id), status: 'in_progress' }),
      this.event('web_search_call.in_progress', {}),
      this.event('web_search_call.searching', {}),
    ];
  }

  protected finished(): string[] {
    const { found } = this.#search;
    return found === undefined || found.failed !== undefined ? [] : [this.event('web_search_call.completed', {})];
  }

  protected item(): Unchecked {
    return searchItem(this.#search, this.id);
  }
}

/** A native item of this dialect, written unchanged except for its id. */
export class VendorItemWriter extends ItemWriter {
  readonly id: string;
  readonly #value: Unchecked;

  constructor(place: OpenItem, id: string, value: Unchecked) {
    super(place);
    this.id = id;
    this.#value = { ...value, id };
  }

  add(): string[] {
    return [];
  }

  protected begun(): string[] {
    return [this.addedEvent(this.#value)];
  }

  protected finished(): string[] {
    return [];
  }

  protected item(): Unchecked {
    return this.#value;
  }
}
