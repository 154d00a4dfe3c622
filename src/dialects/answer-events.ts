import type { AnswerEvent, PartDelta, PartHead } from '../core/answer.ts';
import type { AnswerPart, Citation, TokenLogprob } from '../core/call.ts';
import type { Seal } from '../core/seal.ts';

/** Collects the events of an answer that is being read, and numbers its parts. */
export class AnswerEvents {
  /** The kinds of the parts so far, and of the last one. */
  readonly kinds = new Set<AnswerPart['kind']>();
  lastKind: AnswerPart['kind'] | null = null;
  /** Whether the input of a function call ended inside its object. */
  isCut = false;
  #parts = 0;
  #events: AnswerEvent[] = [];

  begin(head: PartHead, choice = 0): OpenPart {
    const part = this.#parts++;
    this.kinds.add(head.kind);
    this.lastKind = head.kind;
    this.push({ kind: 'part-start', part, choice, head });
    return new OpenPart(this, part);
  }

  push(event: AnswerEvent): void {
    this.#events.push(event);
  }

  /** A whole part of reasoning that holds nothing but a seal. */
  sealed(seal: Seal, choice = 0): void {
    const part = this.begin({ kind: 'reasoning', form: 'full' }, choice);
    part.seal(seal);
    part.end();
  }

  /** The events since the last call. */
  take(): AnswerEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }
}

/** A part that has begun. */
export class OpenPart {
  readonly #events: AnswerEvents;
  readonly #part: number;
  #isOpen = true;

  constructor(events: AnswerEvents, part: number) {
    this.#events = events;
    this.#part = part;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** /!\ Hot path: runs for each piece of text, nearly always without log probabilities. */
  text(text: string, logprobs?: readonly TokenLogprob[]): void {
    if (logprobs !== undefined) this.#add({ kind: 'text', text, logprobs });
    else if (text !== '') this.#events.push({ kind: 'part-delta', part: this.#part, delta: { kind: 'text', text } });
  }

  seal(seal: Seal): void {
    this.#add({ kind: 'seal', seal });
  }

  citation(citation: Citation): void {
    this.#add({ kind: 'citation', citation });
  }

  end(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#events.push({ kind: 'part-end', part: this.#part });
  }

  #add(delta: PartDelta): void {
    this.#events.push({ kind: 'part-delta', part: this.#part, delta });
  }
}
