import type { AnswerEvent, Finish } from '../../core/answer.ts';
import type { SearchStep } from '../../core/call.ts';
import type { GatewayError } from '../../core/errors.ts';
import { Losses } from '../../core/losses.ts';
import type { Usage } from '../../core/usage.ts';
import type { AnswerContext, EventWriter, OutputItem } from '../dialect.ts';
import { estimatedUsage } from '../estimate.ts';
import { holdsText } from '../search-steps.ts';
import { wordOf } from '../unchecked-json.ts';
import { CALL_ID_PREFIXES, type ClientTool, clientTools } from './client-tools.ts';
import { Frames } from './frames.ts';
import { nativeItem } from './items-write.ts';
import { type ResponseFields, type ResponseState, writeEcho, writeResponse } from './response-fields.ts';
import {
  CallItemWriter,
  ClientCallItemWriter,
  type ItemWriter,
  MessageItemWriter,
  ReasoningItemWriter,
  SearchItemWriter,
  VendorItemWriter,
} from './stream-item-writers.ts';

type PartStart = Extract<AnswerEvent, { kind: 'part-start' }>;

/**
 * Writes the stream of a response, and assigns its ids, indexes and order. An item whose parts have ended stays open
 * until something else begins, so that text after text goes into the same message, and the last item of an answer that
 * was cut off can be marked `incomplete`.
 */
export class ResponseWriter implements EventWriter {
  readonly #context: AnswerContext;
  readonly #losses = new Losses();
  readonly #frames: Frames;
  readonly #parts = new Map<number, ItemWriter>();
  readonly #items: ItemWriter[] = [];
  /** Items whose parts have all ended, but that are not done yet. */
  readonly #ended = new Set<ItemWriter>();
  /** Searches of other dialects that have no results yet, by their ids there. */
  readonly #searches = new Map<string, SearchItemWriter>();
  readonly #echo: string;
  readonly #clientTools: ReadonlyMap<string, ClientTool>;
  #fields: ResponseFields | null = null;
  #final = '';
  /** The characters of the answer, to estimate its tokens. */
  #characters = 0;

  /** `silent`: builds only the final response, without frames. */
  constructor(context: AnswerContext, silent = false) {
    this.#context = context;
    this.#frames = new Frames(0, silent);
    this.#echo = writeEcho(context.envelope);
    this.#clientTools = clientTools(context.call.tools);
  }

  get dropped(): readonly string[] {
    return this.#losses.names;
  }

  /** The final response as JSON, once it has ended. */
  get response(): string {
    return this.#final;
  }

  /** The text of all messages. */
  get said(): string {
    return this.#items.map((item) => (item instanceof MessageItemWriter && item.json !== '' ? item.said : '')).join('');
  }

  outputItems(): readonly OutputItem[] {
    if (this.#context.envelope.keepsNothing === true) return [];
    return this.#items.flatMap(({ id, json }) => (json === '' ? [] : [{ id, json }]));
  }

  push(event: AnswerEvent): string[] {
    switch (event.kind) {
      case 'start':
        return this.#start(event);
      case 'part-start':
        return [...this.#start(null), ...this.#begin(event)];
      case 'part-delta':
        if (event.delta.kind === 'text') this.#characters += event.delta.text.length;
        return this.#parts.get(event.part)?.add(event.part, event.delta) ?? [];
      case 'part-end':
        return this.#end(event.part);
      case 'finish':
        return [...this.#start(null), ...this.#finish(event.choices[0] ?? { reason: 'stop' }, event.usage)];
      case 'failure':
        return this.fail(event.error);
      default:
        return event satisfies never;
    }
  }

  fail(error: GatewayError): string[] {
    const fields = this.#fields ?? this.#fieldsOf(null);
    return this.#frames.failure(error, (failed) => {
      return writeResponse(fields, { status: 'failed', error: failed, output: this.#output() });
    });
  }

  #start(event: Extract<AnswerEvent, { kind: 'start' }> | null): string[] {
    if (this.#fields !== null) return [];
    this.#fields = this.#fieldsOf(event);
    const response = writeResponse(this.#fields, { status: 'in_progress', output: [] });
    return [
      this.#frames.ofResponse('response.created', response),
      this.#frames.ofResponse('response.in_progress', response),
    ];
  }

  /** The constant parts of the response. An id of another dialect is replaced by a new `resp_` id. */
  #fieldsOf(event: Extract<AnswerEvent, { kind: 'start' }> | null): ResponseFields {
    const { newId, model, createdAt } = this.#context;
    return {
      id: event?.id?.startsWith('resp_') === true ? event.id : newId('resp'),
      model: event?.model ?? model,
      createdAt: event?.createdAt ?? createdAt,
      echo: this.#echo,
    };
  }

  #begin({ part, choice, head }: PartStart): string[] {
    if (choice !== 0) {
      this.#losses.add('choices');
      return [];
    }
    const last = this.#items.at(-1);
    const isContent = head.kind === 'text' || head.kind === 'refusal';
    if (isContent && last instanceof MessageItemWriter && this.#ended.delete(last)) {
      this.#parts.set(part, last);
      return [...this.#settle('completed'), ...last.begin(part, head.kind)];
    }
    const search = head.kind === 'native' && nativeItem(head) === null ? head.search : undefined;
    const going = search === undefined ? undefined : this.#searches.get(search.id);
    if (search !== undefined && holdsText(search)) this.#losses.add('tool_result_content');
    if (search !== undefined && going !== undefined) {
      going.take(search);
      this.#searches.delete(search.id);
      this.#parts.set(part, going);
      return [...this.#settle('completed'), ...going.begin(part, head.kind)];
    }
    const item = this.#itemOf(head);
    const settled = this.#settle('completed');
    if (item === null) return settled;
    this.#items.push(item);
    this.#parts.set(part, item);
    return [...settled, ...item.begin(part, head.kind)];
  }

  #itemOf(head: PartStart['head']): ItemWriter | null {
    const { newId, provider } = this.#context;
    const place = { frames: this.#frames, index: this.#items.length };
    switch (head.kind) {
      case 'text':
      case 'refusal':
        return new MessageItemWriter(place, newId('msg'), this.#losses);
      case 'reasoning':
        return new ReasoningItemWriter(place, newId('rs'), provider);
      case 'tool-call': {
        const { id, name, form } = head;
        const tool = this.#clientTools.get(name);
        const names = { callId: id === '' ? newId('call') : id, name, form };
        const newCallId = () => newId(form === 'custom' ? 'ctc' : 'fc');
        if (tool === undefined) return new CallItemWriter(place, newCallId(), names);
        if (tool.type === 'namespace') {
          return new CallItemWriter(place, newCallId(), { ...names, name: tool.name, namespace: tool.namespace });
        }
        return new ClientCallItemWriter(place, newId(CALL_ID_PREFIXES[tool.type]), tool.type, names);
      }
      case 'native': {
        const item = nativeItem(head);
        if (item !== null) return new VendorItemWriter(place, wordOf(item.id) ?? newId('item'), item);
        if (head.search !== undefined) return this.#searchOf(head.search, place);
        this.#losses.add('vendor_tool_calls');
        return null;
      }
      default:
        return head satisfies never;
    }
  }

  #searchOf(search: SearchStep, place: { frames: Frames; index: number }): ItemWriter {
    const item = new SearchItemWriter(place, this.#context.newId('ws'));
    item.take(search);
    if (search.found === undefined) this.#searches.set(search.id, item);
    return item;
  }

  #end(part: number): string[] {
    const item = this.#parts.get(part);
    if (item === undefined) return [];
    const frames = item.end(part);
    if (item.ended) this.#ended.add(item);
    return frames;
  }

  /** Completes the items whose parts have all ended, in the order in which they began. */
  #settle(status: 'completed' | 'incomplete'): string[] {
    const ended = [...this.#ended].sort((one, other) => one.index - other.index);
    this.#ended.clear();
    return ended.flatMap((item) => item.done(item === this.#items.at(-1) ? status : 'completed'));
  }

  #finish({ reason, stopSequence }: Finish, usage: Usage | null): string[] {
    if (stopSequence !== undefined) this.#losses.add('stop_sequence');
    if (reason === 'pause') this.#losses.add('pause');
    for (const search of this.#searches.values()) this.#ended.add(search);
    const cut = this.#reasonOf(reason);
    const status = cut === undefined ? 'completed' : 'incomplete';
    const frames = this.#settle(status);
    const told = usage ?? estimatedUsage(this.#context.envelope, this.#characters);
    const state: ResponseState = { status, output: this.#output(), usage: told, serviceTier: told.serviceTier };
    this.#final = writeResponse(
      this.#fields ?? this.#fieldsOf(null),
      cut === undefined ? state : { ...state, reason: cut },
    );
    return [...frames, this.#frames.ofResponse(`response.${status}`, this.#final), 'data: [DONE]\n\n'];
  }

  #reasonOf(reason: Finish['reason']): ResponseState['reason'] {
    if (reason === 'length') return 'max_output_tokens';
    if (reason === 'content-filter') return 'content_filter';
    // A refusal with text counts as a normal answer.
    const refused = this.#items.some((item) => item instanceof MessageItemWriter && item.refuses);
    return reason === 'refusal' && !refused ? 'content_filter' : undefined;
  }

  #output(): string[] {
    return this.#items.flatMap(({ json }) => (json === '' ? [] : [json]));
  }
}
