import { type Answer, type AnswerEvent, foldEvents, type PartDelta, unfoldAnswer } from '../../core/answer.ts';
import type { Target } from '../../core/provider.ts';

/** Thinking that a model writes into its text, at the beginning, between `<think>` and `</think>`. */

const OPEN = '<think>';
const CLOSE = '</think>';
/** The most white space that may stand before the tag. */
const MAX_BEFORE = 64;

/** Whether a target's model writes its thinking into its text, by the operator's setting, else by its vendor's row. */
export function thinksInText({ provider, model }: Target): boolean {
  return model.thinkTags ?? provider.quirks.thinkTags?.models.test(model.upstreamId.toLowerCase()) ?? false;
}

/** The same answer with the thinking of each choice as its first part. */
export function withoutThinkTags(answer: Answer): Answer {
  const read = readThinkTags();
  return foldEvents(unfoldAnswer(answer).flatMap((event) => read(event)));
}

/**
 * Makes reasoning of the thinking in the first text of each choice, wherever the pieces are cut. A tag that is never closed
 * makes reasoning of all that follows in that text.
 *
 * @returns what takes the events of one answer one by one, and returns those to go on with
 */
export function readThinkTags(): (event: AnswerEvent) => readonly AnswerEvent[] {
  const reader = new TagReader();
  return (event) => reader.read(event);
}

type TextDelta = Extract<PartDelta, { kind: 'text' }>;
type CitationDelta = Extract<PartDelta, { kind: 'citation' }>;

/** The first text of a choice, until its thinking is over. `held` has not gone on yet. */
type FirstText = {
  choice: number;
  state: 'undecided' | 'thinking' | 'behind';
  held: string;
  /** The pieces of `held`, for a text that turns out to be plain. */
  pieces: TextDelta[];
  citations: CitationDelta[];
  /** The number of its reasoning; `null` while it has no word. */
  reasoning: number | null;
  /** Characters of the vendor's text that went on or were left out so far, but for `held`. */
  read: number;
};

class TagReader {
  /** The numbers that parts go on with, by the vendor's, and how far their texts were moved. */
  readonly #numbers = new Map<number, { part: number; moved: number }>();
  readonly #first = new Map<number, FirstText>();
  /** Choices that have content. */
  readonly #begun = new Set<number>();
  #next = 0;
  #out: AnswerEvent[] = [];

  read(event: AnswerEvent): readonly AnswerEvent[] {
    this.#out = [];
    switch (event.kind) {
      case 'part-start':
        this.#begin(event);
        break;
      case 'part-delta':
        this.#add(event.part, event.delta);
        break;
      case 'part-end':
        this.#end(event.part);
        break;
      case 'finish':
        for (const part of [...this.#first.keys()]) this.#end(part);
        this.#out.push(event);
        break;
      default:
        this.#out.push(event);
    }
    return this.#out;
  }

  #begin({ part, choice, head }: Extract<AnswerEvent, { kind: 'part-start' }>): void {
    const isFirst = !this.#begun.has(choice);
    this.#begun.add(choice);
    if (!isFirst || head.kind !== 'text') return this.#start(part, choice, head, 0);
    const empty = { held: '', pieces: [], citations: [], reasoning: null, read: 0 };
    this.#first.set(part, { choice, state: 'undecided', ...empty });
  }

  #add(part: number, delta: PartDelta): void {
    const first = this.#first.get(part);
    if (first === undefined) {
      const to = this.#numbers.get(part);
      if (to !== undefined) this.#push(to, delta);
      return;
    }
    if (delta.kind === 'citation') first.citations.push(delta);
    if (delta.kind !== 'text') return;
    first.held += delta.text;
    if (first.state === 'undecided') this.#decide(part, first, delta);
    if (first.state === 'thinking') this.#think(first);
    if (first.state === 'behind') this.#findText(part, first);
  }

  #decide(part: number, first: FirstText, delta: TextDelta): void {
    first.pieces.push(delta);
    const said = first.held.trimStart();
    const before = first.held.length - said.length;
    if (before <= MAX_BEFORE && said.startsWith(OPEN)) {
      this.#skip(first, before + OPEN.length);
      first.state = 'thinking';
    } else if (before > MAX_BEFORE || !OPEN.startsWith(said)) this.#plain(part, first);
  }

  /** Passes thinking on, except what may turn out to be the closing tag. */
  #think(first: FirstText): void {
    const close = first.held.indexOf(CLOSE);
    const end = close < 0 ? first.held.length - overlap(first.held, CLOSE) : close;
    this.#tell(first, end);
    if (close < 0) return;
    this.#skip(first, first.held.indexOf(CLOSE) + CLOSE.length);
    this.#endThought(first);
    first.state = 'behind';
  }

  /** The text begins with its first character that is no white space. */
  #findText(part: number, first: FirstText): void {
    const text = first.held.trimStart();
    this.#skip(first, first.held.length - text.length);
    if (text !== '') this.#text(part, first);
  }

  #end(part: number): void {
    const first = this.#first.get(part);
    if (first !== undefined) {
      if (first.state === 'undecided') this.#plain(part, first);
      else {
        if (first.state === 'thinking') this.#tell(first, first.held.length);
        this.#endThought(first);
        this.#first.delete(part);
        if (first.citations.length === 0) return;
        this.#text(part, first);
      }
    }
    const to = this.#numbers.get(part);
    if (to === undefined) return;
    this.#numbers.delete(part);
    this.#out.push({ kind: 'part-end', part: to.part });
  }

  /** Passes a text without thinking on as it came. */
  #plain(part: number, first: FirstText): void {
    this.#first.delete(part);
    this.#start(part, first.choice, { kind: 'text' }, 0);
    for (const delta of [...first.pieces, ...first.citations]) this.#add(part, delta);
  }

  /** What is held is the beginning of the text. */
  #text(part: number, first: FirstText): void {
    this.#first.delete(part);
    this.#start(part, first.choice, { kind: 'text' }, first.read);
    if (first.held !== '') this.#add(part, { kind: 'text', text: first.held });
    for (const citation of first.citations) this.#add(part, citation);
  }

  #tell(first: FirstText, length: number): void {
    const piece = first.held.slice(0, length);
    // Thinking of white space alone does not count: models that must not think write it.
    if (first.reasoning === null && piece.trim() === '') return;
    this.#skip(first, length);
    if (first.reasoning === null) {
      first.reasoning = this.#next++;
      const head = { kind: 'reasoning', form: 'full' } as const;
      this.#out.push({ kind: 'part-start', part: first.reasoning, choice: first.choice, head });
    }
    if (piece === '') return;
    this.#out.push({ kind: 'part-delta', part: first.reasoning, delta: { kind: 'text', text: piece } });
  }

  #endThought(first: FirstText): void {
    if (first.reasoning === null) return;
    this.#out.push({ kind: 'part-end', part: first.reasoning });
    first.reasoning = null;
  }

  #skip(first: FirstText, length: number): void {
    first.held = first.held.slice(length);
    first.read += length;
  }

  #start(
    part: number,
    choice: number,
    head: Extract<AnswerEvent, { kind: 'part-start' }>['head'],
    moved: number,
  ): void {
    this.#numbers.set(part, { part: this.#next, moved });
    this.#out.push({ kind: 'part-start', part: this.#next++, choice, head });
  }

  #push({ part, moved }: { part: number; moved: number }, delta: PartDelta): void {
    this.#out.push({ kind: 'part-delta', part, delta: moved === 0 ? delta : movedBack(delta, moved) });
  }
}

/** A citation counts from the beginning of its part, which has moved. */
function movedBack(delta: PartDelta, by: number): PartDelta {
  if (delta.kind !== 'citation' || delta.citation.kind !== 'url') return delta;
  const { start, end, ...citation } = delta.citation;
  return { kind: 'citation', citation: { ...citation, start: Math.max(0, start - by), end: Math.max(0, end - by) } };
}

/** How many characters at the end of the text may be the beginning of the tag. */
function overlap(text: string, tag: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length -= 1) {
    if (text.endsWith(tag.slice(0, length))) return length;
  }
  return 0;
}
