import type { AnswerEvent, PartHead } from '../../core/answer.ts';
import { GatewayError } from '../../core/errors.ts';
import type { Counts, Usage } from '../../core/usage.ts';
import { AnswerEvents, type OpenPart } from '../answer-events.ts';
import { scanAnswer } from '../answer-scan.ts';
import type { EventReader, StreamEvent } from '../dialect.ts';
import { isFailureReason, reasonOfCutCall } from '../finish-reasons.ts';
import { lostWithin } from '../members.ts';
import { StreamedArguments } from '../streamed-arguments.ts';
import { isList, objectOf, textOf, type Unchecked } from '../unchecked-json.ts';
import { brokenOff, cutShort, readInnerError, readUnnamedError, unfinished } from '../vendor-errors.ts';
import { callId, inputText, nativeOf } from './block-read.ts';
import { parseInput, parseMessage } from './body.ts';
import { explanationOf, isReason, isUnknownStopReason, readFinish } from './finish.ts';
import { BLOCKS, MESSAGE } from './members.ts';
import { readCitation, readSeal } from './seals.ts';
import { ShownCalls } from './shown-calls.ts';
import { mergeUsage, readPromptUsage, readUsage } from './usage.ts';

/** Reads a vendor's stream of a message. */
export function readEvents(): EventReader {
  return new MessageReader();
}

/** A block that has begun. A native block becomes a part only when it is complete. */
type Open =
  | { kind: 'text'; part: OpenPart; length: number; citations: Map<string, Unchecked> }
  | { kind: 'reasoning'; part: OpenPart; sealed: string }
  | { kind: 'tool-call'; part: OpenPart; id: string; start: unknown; input: StreamedArguments }
  | { kind: 'native'; block: Map<string, unknown>; input: string };

const PLAIN = new Set<unknown>(['text_delta', 'thinking_delta', 'input_json_delta', 'signature_delta']);

export class MessageReader implements EventReader {
  readonly #open = new Map<number, Open>();
  /** Indexes of open blocks other than tool calls. */
  readonly #running = new Set<number>();
  /** The ids of tool calls that have ended, by their index. */
  readonly #called = new Map<number, string>();
  readonly #events = new AnswerEvents();
  #started = false;
  #ended = false;
  #id = '';
  #explanation = '';
  #stopReason: unknown = null;
  #stopSequence: unknown = null;
  #usage: Unchecked = {};
  /** Whether the output tokens are final. Those at a stream's start are not, unless it starts with a stop reason. */
  #counted = false;
  readonly #shown = new ShownCalls();
  readonly #omitted = new Set<string>();

  push({ event, data }: StreamEvent): AnswerEvent[] {
    if (this.#ended || data === '[DONE]') return [];
    try {
      const read = objectOf(parseMessage(data));
      // Only string members of these deltas are read; any other event may be walked, so its depth must be checked.
      if (!PLAIN.has(objectOf(read.delta).type)) scanAnswer(data);
      this.#read(event, read);
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      this.#fail(error);
    }
    return this.#events.take();
  }

  /** The events of a whole message. Its counts are final. */
  whole(message: Unchecked): AnswerEvent[] {
    this.#counted = true;
    this.#explanation = explanationOf(message.stop_details);
    this.#start(message);
    this.#endParts();
    if (isReason(this.#stopReason)) this.#finish();
    else this.#fail(unfinished());
    return this.#events.take();
  }

  /** Adds nothing: only `message_stop` ends a message. */
  end(): AnswerEvent[] {
    return [];
  }

  answered(): boolean {
    const isBetween = this.#open.size === 0 && this.#events.lastKind !== null && this.#events.lastKind !== 'reasoning';
    return isBetween || this.#stopReason !== null;
  }

  promptUsage(): Usage | null {
    return readPromptUsage(this.#usage, this.#shown);
  }

  shownCalls(): Counts | undefined {
    return this.#shown.counts;
  }

  usage(): Usage | null {
    return this.#counted ? readUsage(this.#usage, this.#shown) : null;
  }

  #read(event: string | null, read: Unchecked): void {
    const type = typeof read.type === 'string' ? read.type : event;
    if (type === 'error' || event === 'error' || read.error) return this.#fail(readInnerError(read));
    const unnamed = type === null ? readUnnamedError(read) : null;
    if (unnamed !== null) return this.#fail(unnamed);
    switch (type) {
      case 'message_start':
        return this.#start(objectOf(read.message));
      case 'content_block_start':
        lostWithin(read.content_block, BLOCKS, 'content', { into: this.#omitted });
        return this.#begin(indexOf(read), objectOf(read.content_block));
      case 'content_block_delta':
        return this.#extend(indexOf(read), objectOf(read.delta));
      case 'content_block_stop':
        return this.#close(indexOf(read));
      case 'message_delta': {
        const delta = objectOf(read.delta);
        lostWithin({ ...read, ...delta }, MESSAGE, '', { into: this.#omitted });
        this.#stopReason = delta.stop_reason ?? this.#stopReason;
        this.#stopSequence = delta.stop_sequence ?? this.#stopSequence;
        this.#explanation = explanationOf(delta.stop_details) || this.#explanation;
        this.#usage = mergeUsage(this.#usage, read.usage);
        this.#counted ||= objectOf(read.usage).output_tokens !== undefined;
        return;
      }
      case 'message_stop':
        this.#endParts();
        return isReason(this.#stopReason) ? this.#finish() : this.#fail(cutShort());
      default:
        // `ping` and unknown events.
        return;
    }
  }

  #start(message: Unchecked): void {
    // Its blocks, too.
    lostWithin(message, MESSAGE, '', { into: this.#omitted });
    this.#usage = mergeUsage(this.#usage, message.usage);
    this.#stopReason = message.stop_reason ?? this.#stopReason;
    this.#stopSequence = message.stop_sequence ?? this.#stopSequence;
    this.#counted ||= isReason(message.stop_reason);
    // Some streams send `message_start` twice.
    if (this.#started) return;
    this.#id = textOf(message.id);
    this.#ensureStart(textOf(message.model) || null);
    // Blocks in `message_start` are complete.
    const blocks = isList(message.content) ? message.content : [];
    for (const [index, block] of blocks.entries()) {
      this.#begin(index, objectOf(block));
      this.#close(index);
    }
  }

  #ensureStart(model: string | null): void {
    if (this.#started) return;
    this.#started = true;
    this.#events.push({ kind: 'start', id: this.#id || null, model, createdAt: null });
  }

  #begin(index: number, block: Unchecked): void {
    this.#shown.see(block);
    // A new block ends open blocks whose end did not arrive, because blocks do not overlap. Only tool calls are known
    // to be streamed at the same time.
    for (const other of this.#running) this.#close(other);
    const open = this.#open.get(index);
    // The start of a call is repeated.
    if (open?.kind === 'tool-call' && block.type === 'tool_use' && open.id !== '' && open.id === block.id) return;
    this.#close(index);
    // The whole call is repeated: its pieces find no open block.
    if (block.type === 'tool_use' && textOf(block.id) !== '' && this.#called.get(index) === block.id) return;
    switch (block.type) {
      case 'text': {
        this.#beginText(index);
        this.#addText(index, textOf(block.text));
        for (const citation of isList(block.citations) ? block.citations : []) this.#cite(index, objectOf(citation));
        return;
      }
      case 'thinking':
        this.#beginReasoning(index);
        this.#addText(index, textOf(block.thinking));
        return this.#addSeal(index, block.signature);
      case 'redacted_thinking': {
        const part = this.#beginReasoning(index);
        const seal = readSeal(block.data, 'redacted');
        if (seal !== null) part.seal(seal);
        return;
      }
      case 'tool_use': {
        const head = { id: callId(block, this.#id, index), name: textOf(block.name), form: 'function' } as const;
        const part = this.#beginPart({ kind: 'tool-call', ...head });
        this.#open.set(index, {
          kind: 'tool-call',
          part,
          id: textOf(block.id),
          start: block.input,
          input: new StreamedArguments('function'),
        });
        return;
      }
      default:
        this.#run(index, { kind: 'native', block: new Map(Object.entries(block)), input: '' });
    }
  }

  #extend(index: number, delta: Unchecked): void {
    switch (delta.type) {
      case 'text_delta':
        if (!this.#open.has(index)) this.#beginText(index);
        return this.#addText(index, textOf(delta.text));
      case 'thinking_delta':
        if (!this.#open.has(index)) this.#beginReasoning(index);
        return this.#addText(index, textOf(delta.thinking));
      case 'signature_delta':
        if (!this.#open.has(index)) this.#beginReasoning(index);
        return this.#addSeal(index, delta.signature);
      case 'citations_delta':
        return this.#cite(index, objectOf(delta.citation));
      case 'input_json_delta':
        return this.#addInput(index, textOf(delta.partial_json));
      default:
        return this.#addNative(index, delta);
    }
  }

  #beginPart(head: PartHead): OpenPart {
    this.#ensureStart(null);
    return this.#events.begin(head);
  }

  #run(index: number, open: Exclude<Open, { kind: 'tool-call' }>): void {
    this.#open.set(index, open);
    this.#running.add(index);
  }

  #beginText(index: number): void {
    const part = this.#beginPart({ kind: 'text' });
    this.#run(index, { kind: 'text', part, length: 0, citations: new Map() });
  }

  #beginReasoning(index: number): OpenPart {
    const part = this.#beginPart({ kind: 'reasoning', form: 'summary' });
    this.#run(index, { kind: 'reasoning', part, sealed: '' });
    return part;
  }

  #addText(index: number, text: string): void {
    const open = this.#open.get(index);
    if (text === '' || (open?.kind !== 'text' && open?.kind !== 'reasoning')) return;
    if (open.kind === 'text') open.length += text.length;
    open.part.text(text);
  }

  /** Collects a signature, which may arrive in pieces; it becomes a seal when the block ends. */
  #addSeal(index: number, signature: unknown): void {
    const open = this.#open.get(index);
    if (open?.kind === 'reasoning') open.sealed += textOf(signature);
  }

  #addInput(index: number, json: string): void {
    const open = this.#open.get(index);
    if (json === '' || open === undefined) return;
    if (open.kind === 'native') open.input += json;
    if (open.kind !== 'tool-call') return;
    open.input.add(json);
    open.part.text(open.input.next());
  }

  /** Merges a delta of a native block, such as `compaction_delta`: strings are appended, other members replaced. */
  #addNative(index: number, { type: _, ...members }: Unchecked): void {
    const open = this.#open.get(index);
    if (open?.kind !== 'native') return;
    for (const [name, value] of Object.entries(members)) {
      const before = open.block.get(name);
      open.block.set(name, typeof before === 'string' && typeof value === 'string' ? before + value : value);
    }
  }

  /** Keeps citations until the block ends, because they cover the whole block and its length is known only then. */
  #cite(index: number, citation: Unchecked): void {
    const open = this.#open.get(index);
    // Citations of a block's start may be repeated.
    if (open?.kind === 'text') open.citations.set(JSON.stringify(citation), citation);
  }

  #close(index: number): void {
    const open = this.#open.get(index);
    if (open === undefined) return;
    this.#open.delete(index);
    this.#running.delete(index);
    switch (open.kind) {
      case 'text':
        for (const citation of open.citations.values()) open.part.citation(readCitation(citation, open.length));
        break;
      case 'reasoning': {
        const seal = readSeal(open.sealed, 'signature');
        if (seal !== null) open.part.seal(seal);
        break;
      }
      case 'tool-call': {
        this.#called.set(index, open.id);
        if (open.input.text === '') open.input.add(inputText(open.start));
        open.part.text(open.input.rest());
        this.#events.isCut ||= open.input.cut;
        break;
      }
      case 'native': {
        const block = Object.fromEntries(open.block);
        const { input } = open;
        const value = input === '' ? block : { ...block, input: parseInput(input) ?? input };
        return this.#beginPart(nativeOf(value)).end();
      }
      default:
        open satisfies never;
    }
    open.part.end();
  }

  #endParts(): void {
    this.#ensureStart(null);
    for (const index of [...this.#open.keys()]) this.#close(index);
    if (this.#explanation !== '') {
      const part = this.#beginPart({ kind: 'refusal' });
      part.text(this.#explanation);
      part.end();
    }
  }

  #finish(): void {
    if (isFailureReason(this.#stopReason)) return this.#fail(brokenOff());
    if (isUnknownStopReason(this.#stopReason)) this.#omitted.add('stop_reason');
    const told = readFinish(this.#stopReason, this.#stopSequence, this.#events.lastKind);
    const finish = this.#events.isCut ? { ...told, reason: reasonOfCutCall(told.reason) } : told;
    const usage = this.usage();
    const omitted = [...this.#omitted];
    const shownCalls = usage === null ? this.shownCalls() : undefined;
    const beside = { ...(shownCalls !== undefined && { shownCalls }), ...(omitted.length > 0 && { omitted }) };
    this.#events.push({ kind: 'finish', choices: [finish], usage, ...beside });
    this.#ended = true;
  }

  #fail(error: GatewayError): void {
    this.#ended = true;
    this.#events.push({ kind: 'failure', error });
  }
}

function indexOf({ index }: Unchecked): number {
  return typeof index === 'number' ? index : 0;
}
