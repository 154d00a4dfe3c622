import type { AnswerEvent, PartHead } from '../../core/answer.ts';
import type { AnswerPart, Citation, TokenLogprob } from '../../core/call.ts';
import type { Seal } from '../../core/seal.ts';

/** The parts of a streamed answer. Collects their events. */
export class PartsBegun {
  /** The kinds of parts so far. */
  readonly kinds = new Set<AnswerPart['kind']>();
  /** Whether the input of a call has ended within its object. */
  isCut = false;
  #next = 0;
  #events: AnswerEvent[] = [];

  begin(head: PartHead): PartBegun {
    const part = this.#next++;
    this.kinds.add(head.kind);
    this.add({ kind: 'part-start', part, choice: 0, head });
    return new PartBegun(this, part);
  }

  add(event: AnswerEvent): void {
    this.#events.push(event);
  }

  take(): AnswerEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }
}

export class PartBegun {
  readonly #parts: PartsBegun;
  readonly #part: number;
  #open = true;

  constructor(parts: PartsBegun, part: number) {
    this.#parts = parts;
    this.#part = part;
  }

  get open(): boolean {
    return this.#open;
  }

  text(text: string, logprobs?: readonly TokenLogprob[]): void {
    if (text === '' && logprobs === undefined) return;
    const delta = { kind: 'text', text, ...(logprobs && { logprobs }) } as const;
    this.#parts.add({ kind: 'part-delta', part: this.#part, delta });
  }

  seal(seal: Seal): void {
    this.#parts.add({ kind: 'part-delta', part: this.#part, delta: { kind: 'seal', seal } });
  }

  citation(citation: Citation): void {
    this.#parts.add({ kind: 'part-delta', part: this.#part, delta: { kind: 'citation', citation } });
  }

  end(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#parts.add({ kind: 'part-end', part: this.#part });
  }
}
