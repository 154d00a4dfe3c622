import type { AnswerEvent, PartDelta, PartHead } from '../../core/answer.ts';
import type { GatewayError } from '../../core/errors.ts';
import { Losses } from '../../core/losses.ts';
import type { AnswerContext, EventWriter } from '../dialect.ts';
import { estimatedUsage } from '../estimate.ts';
import { messageHead, nativeBlocks } from './answer-write.ts';
import { BlockWriter } from './block-write.ts';
import { errorFrame } from './errors.ts';
import { type PartKind, writeFinish } from './finish.ts';
import { frame, PING } from './frame.ts';
import { SearchBlocks } from './search-blocks.ts';
import { CallerIds } from './tool-ids.ts';
import { writeCounts, writeUsage } from './usage.ts';

/** Writes a streamed message. */
export function writeEvents(context: AnswerContext): EventWriter {
  return new MessageWriter(context);
}

/** A part that began while another part's block was open. */
type Waiting = { part: number; head: PartHead; deltas: PartDelta[]; ended: boolean };

class MessageWriter implements EventWriter {
  readonly #context: AnswerContext;
  readonly #ids: CallerIds;
  readonly #searches: SearchBlocks;
  readonly #losses = new Losses();
  readonly #waiting = new Map<number, Waiting>();
  /** The waiting parts in order, and how many were written. A map finds its first entry slowly after many deletions. */
  readonly #queue: Waiting[] = [];
  #served = 0;
  #started = false;
  #blocks = 0;
  #last: PartKind | null = null;
  #characters = 0;
  /** The part whose block is being written. Blocks must not overlap. */
  #current: { part: number; block: BlockWriter } | null = null;
  #out: string[] = [];

  constructor(context: AnswerContext) {
    this.#context = context;
    this.#ids = new CallerIds(context);
    this.#searches = new SearchBlocks(context);
  }

  get dropped(): readonly string[] {
    return this.#losses.names;
  }

  push(event: AnswerEvent): string[] {
    this.#out = [];
    switch (event.kind) {
      case 'start':
        this.#start(event.id, event.model);
        break;
      case 'part-start':
        this.#partStart(event.part, event.choice, event.head);
        break;
      case 'part-delta':
        this.#partDelta(event.part, event.delta);
        break;
      case 'part-end':
        this.#partEnd(event.part);
        break;
      case 'finish':
        this.#finish(event);
        break;
      case 'failure':
        this.#out.push(errorFrame(event.error));
        break;
      default:
        event satisfies never;
    }
    return this.#out;
  }

  fail(error: GatewayError): string[] {
    return [errorFrame(error)];
  }

  #start(id: string | null, model: string | null): void {
    if (this.#started) return;
    this.#started = true;
    const message = {
      ...messageHead(id, model, this.#context),
      content: [],
      stop_reason: null,
      stop_sequence: null,
      stop_details: null,
      container: null,
      usage: writeUsage(estimatedUsage(this.#context.envelope, 0)),
    };
    this.#out.push(frame({ type: 'message_start', message }), PING);
  }

  #partStart(part: number, choice: number, head: PartHead): void {
    this.#start(null, null);
    if (choice > 0) return this.#losses.add('choices');
    this.#last = head.kind;
    if (this.#current === null) this.#open(part, head);
    else {
      const waiting: Waiting = { part, head, deltas: [], ended: false };
      this.#waiting.set(part, waiting);
      this.#queue.push(waiting);
    }
  }

  #partDelta(part: number, delta: PartDelta): void {
    if (delta.kind === 'text') this.#characters += delta.text.length;
    if (this.#current?.part === part) this.#current.block.extend(delta, this.#out);
    else this.#waiting.get(part)?.deltas.push(delta);
  }

  #partEnd(part: number): void {
    const waiting = this.#waiting.get(part);
    if (waiting !== undefined) waiting.ended = true;
    if (this.#current?.part !== part) return;
    this.#close();
    // Writes the parts that waited, up to the first that has not ended.
    while (this.#served < this.#queue.length) {
      const { part: next, head, deltas, ended } = this.#queue[this.#served]!;
      this.#served += 1;
      this.#waiting.delete(next);
      const block = this.#open(next, head);
      for (const delta of deltas) block.extend(delta, this.#out);
      if (!ended) return;
      this.#close();
    }
  }

  #open(part: number, head: PartHead): BlockWriter {
    const told = head.kind === 'tool-call' ? { ...head, id: this.#ids.add(head.id) } : head;
    const natives =
      head.kind === 'native'
        ? nativeBlocks(head, { provider: this.#context.provider, searches: this.#searches, losses: this.#losses })
        : [];
    const block = new BlockWriter(told, this.#blocks, {
      provider: this.#context.provider,
      losses: this.#losses,
      natives,
    });
    this.#current = { part, block };
    block.begin(this.#out);
    return block;
  }

  #close(): void {
    const { block } = this.#current!;
    block.end(this.#out);
    this.#blocks += block.blocks;
    this.#current = null;
  }

  #finish({ choices, usage }: Extract<AnswerEvent, { kind: 'finish' }>): void {
    this.#start(null, null);
    while (this.#current !== null) this.#partEnd(this.#current.part);
    const told = usage ?? estimatedUsage(this.#context.envelope, this.#characters);
    const delta = {
      ...writeFinish(choices[0] ?? { reason: 'stop' }, this.#last),
      stop_details: null,
      container: null,
    };
    this.#out.push(frame({ type: 'message_delta', delta, usage: writeCounts(told) }), frame({ type: 'message_stop' }));
  }
}
