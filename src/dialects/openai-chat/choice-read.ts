import type { Finish } from '../../core/answer.ts';
import type { Citation, ReasoningPart, SearchStep, TokenLogprob } from '../../core/call.ts';
import type { AnswerEvents, OpenPart } from '../answer-events.ts';
import { isFailureReason, reasonOfCutCall } from '../finish-reasons.ts';
import { readLogprobs } from '../logprobs.ts';
import { withStep } from '../search-steps.ts';
import { listOf, objectOf, textOf } from '../unchecked-json.ts';
import { isWhole, wordsOf } from './choice-words.ts';
import {
  beginGroup,
  type DetailGroup,
  formOf,
  isSealed,
  joinDetail,
  mergeVendorData,
  readDetail,
  sealOf,
  sealOfVendorData,
  thinkingText,
  vendorDataOf,
} from './details.ts';
import { readSearchStep } from './executed-searches.ts';
import { isFinish, readFinish } from './finish.ts';
import { groundingOf, Sources, sourcesOf } from './sources.ts';
import { StreamedCalls } from './streamed-calls.ts';
import { StreamedText } from './streamed-text.ts';
import type { WireChoice, WireWords } from './wire.ts';

/** The part that text is being added to. Only one text, refusal or reasoning part is open at a time. */
type Running = { kind: 'text'; part: OpenPart; from: number } | { kind: 'refusal'; part: OpenPart } | Thought;
type Thought = { kind: 'reasoning'; part: OpenPart; text: string; group: DetailGroup | null; told: boolean };

/** The separator between reasoning parts that share one text. */
export const BETWEEN_THOUGHTS = '\n\n';

/** Reads one choice: its deltas one after the other, or its whole message as one delta. */
export class ChoiceReader {
  readonly #choice: number;
  readonly #events: AnswerEvents;
  readonly #slots: StreamedCalls;
  #running: Running | null = null;
  /** Whether reasoning ended whose text was given in full: a separator that follows belongs to no part. */
  #afterThought = false;
  /** The plain text of the reasoning that ended last, until details repeat it. */
  #untold: string | null = null;
  readonly #said = new StreamedText();
  readonly #thought = new StreamedText();
  readonly #annotated = new Set<string>();
  #refused = false;
  #audio: Record<string, unknown> | null = null;
  #word: string | null = null;
  /** The vendor's own data beside the text, in any piece: the signature of a text often comes with the last one. */
  #extra: unknown;
  readonly #sources = new Sources();
  readonly #cited = new Set<string>();

  /** `seed` is hashed into ids for calls without one. */
  constructor(choice: number, events: AnswerEvents, seed: string) {
    this.#choice = choice;
    this.#events = events;
    this.#slots = new StreamedCalls(choice, events, seed);
  }

  get finished(): boolean {
    return this.#word !== null;
  }

  /** Whether the vendor reports that the answer was broken off. */
  get failed(): boolean {
    return isFailureReason(this.#word);
  }

  read({ logprobs, finish_reason: word, ...choice }: WireChoice): void {
    this.readSources(groundingOf(choice));
    this.#extra = mergeVendorData(this.#extra, vendorDataOf(choice));
    const isMessage = isWhole(choice);
    const words = wordsOf(choice);
    const finished = isFinish(word);
    if (isMessage && this.#hasBegun) this.#readAgain(words);
    else this.#readWords(words, objectOf(logprobs), { isMessage, isLast: finished });
    if (finished) this.#word ??= word;
  }

  /** Adds what the vendor lists as sources of the answer. */
  readSources(told: readonly unknown[]): void {
    if (told.length > 0) this.#sources.add(told);
  }

  /** Ends all open parts. Ends a whole answer even if it gives no finish reason. */
  end(): Finish {
    this.#tellSources();
    this.#endRunning();
    if (this.#audio !== null) this.#native('audio', this.#audio);
    const seal = sealOfVendorData(this.#extra, null);
    if (seal !== null) this.#events.sealed(seal, this.#choice);
    const { calls, isCut } = this.#slots.end();
    const reason = readFinish(this.#word, calls > 0, this.#refused);
    return { reason: isCut ? reasonOfCutCall(reason) : reason };
  }

  /** Cites the sources that no annotation names, for the whole text. */
  #tellSources(): void {
    for (const { url, title } of this.#sources.list) {
      if (this.#cited.has(url)) continue;
      const { part, from } = this.#text();
      const end = Math.max(0, this.#said.length - from);
      part.citation({ kind: 'url', url, title, start: 0, end });
    }
    for (const citation of this.#sources.others) this.#text().part.citation(citation);
  }

  get #hasBegun(): boolean {
    return this.#said.length > 0 || this.#thought.length > 0 || !this.#slots.isEmpty;
  }

  /** Reads a message inside a stream, which repeats everything so far, and takes what is new. */
  #readAgain(words: WireWords): void {
    if (this.#said.length === 0 && this.#slots.isEmpty) this.#addThought(this.#thought.whole(thoughtOf(words)));
    this.readSources(sourcesOf(words));
    if (!Array.isArray(words.content)) this.#tellText(this.#said.whole(textOf(words.content)), undefined);
    for (const annotation of listOf(words.annotations)) this.#annotate(annotation);
    this.#readCalls(words, true);
  }

  #readWords(
    words: WireWords,
    logprobs: Record<string, unknown>,
    { isMessage, isLast }: { isMessage: boolean; isLast: boolean },
  ): void {
    this.#readThoughts(words, isMessage);
    this.#extra = mergeVendorData(this.#extra, vendorDataOf(words));
    this.readSources(sourcesOf(words));
    // In a whole message they are beside the text that they served.
    for (const step of listOf(words.executed_tools)) this.#native('executed_tool', step, readSearchStep(step));
    const probable = readLogprobs(logprobs.content);
    if (Array.isArray(words.content)) for (const part of words.content) this.#readPart(objectOf(part));
    else if (isMessage) this.#tellText(this.#said.whole(textOf(words.content)), probable);
    else this.#addText(textOf(words.content), probable, isLast);
    for (const annotation of listOf(words.annotations)) this.#annotate(annotation);
    this.#addRefusal(textOf(words.refusal), readLogprobs(logprobs.refusal));
    for (const image of listOf(words.images)) this.#native('image', image);
    this.#addAudio(objectOf(words.audio));
    this.#readCalls(words, isMessage);
  }

  #readCalls(words: WireWords, isMessage: boolean): void {
    const calls = listOf(words.tool_calls).map(objectOf);
    if (calls.length > 0) {
      this.#endRunning();
      if (isMessage) this.#slots.readMessage(calls);
      else for (const call of calls) this.#slots.read(call);
    }
    if (Object.keys(objectOf(words.function_call)).length > 0) {
      this.#endRunning();
      this.#slots.readLegacy(objectOf(words.function_call));
    }
  }

  /** Reads a content part. Mistral sends content as a list of parts. */
  #readPart(part: Record<string, unknown>): void {
    switch (part.type) {
      case 'thinking':
        return this.#addThought(thinkingText(part.thinking));
      case 'refusal':
        return this.#addRefusal(textOf(part.refusal), undefined);
      case 'image_url':
        return this.#native('image', part);
      case 'reference':
      case 'tool_reference':
        return this.#addCitation(part);
      default:
        return this.#addText(textOf(part.text), undefined, false);
    }
  }

  #addText(piece: string, logprobs: readonly TokenLogprob[] | undefined, isLast: boolean): void {
    this.#tellText(this.#said.piece(piece, isLast), logprobs);
  }

  #tellText(added: string, logprobs: readonly TokenLogprob[] | undefined): void {
    if (added === '' && logprobs === undefined) return;
    this.#text(this.#said.length - added.length).part.text(added, logprobs);
  }

  /** The text part that is open, or a new one. `from`: where it begins in the text of the choice. */
  #text(from = this.#said.length): Extract<Running, { kind: 'text' }> {
    if (this.#running?.kind === 'text') return this.#running;
    this.#endRunning();
    const part = this.#events.begin({ kind: 'text' }, this.#choice);
    this.#running = { kind: 'text', part, from };
    return this.#running;
  }

  #addRefusal(added: string, logprobs: readonly TokenLogprob[] | undefined): void {
    if (added === '' && logprobs === undefined) return;
    this.#refused = true;
    if (this.#running?.kind !== 'refusal') {
      this.#endRunning();
      this.#running = { kind: 'refusal', part: this.#events.begin({ kind: 'refusal' }, this.#choice) };
    }
    this.#running.part.text(added, logprobs);
  }

  /** Reads an annotation. Vendors repeat them with each piece. */
  #annotate(annotation: unknown): void {
    const json = JSON.stringify(annotation);
    if (this.#annotated.has(json)) return;
    this.#annotated.add(json);
    this.#addCitation(annotation);
  }

  #addCitation(annotation: unknown): void {
    const { part, from } = this.#text();
    const citation = readCitation(annotation, from);
    if (citation.kind === 'url') this.#cited.add(citation.url);
    part.citation(citation);
  }

  /** Reads reasoning. If details are present, the plain text beside them repeats them and is ignored. */
  #readThoughts(words: WireWords, isMessage: boolean): void {
    let detailed = false;
    for (const each of listOf(words.reasoning_details)) {
      const detail = readDetail(each);
      if (detail === null) continue;
      detailed ||= detail.text !== '';
      const running = this.#running;
      if (running?.kind !== 'reasoning' && detail.text !== '' && detail.text === this.#untold) {
        this.#endThought();
      } else if (running?.kind !== 'reasoning') this.#beginThought(detail.form, beginGroup(detail), detail.text);
      else if (running.group === null && detail.text === running.text && detail.text !== '') {
        // The details repeat plain text that came before.
        running.group = beginGroup(detail);
        running.told = true;
      } else if (running.group !== null && joinDetail(running.group, detail)) this.#growThought(running, detail.text);
      else this.#beginThought(detail.form, beginGroup(detail), detail.text);
    }
    const thought = thoughtOf(words);
    const added = isMessage
      ? this.#thought.whole(thought)
      : this.#thought.piece(thought, this.#running?.kind !== 'reasoning');
    if (!detailed) this.#addThought(added);
  }

  #addThought(added: string): void {
    if (added === '') return;
    const running = this.#running;
    if (running?.kind === 'reasoning' && !running.told && !isSealed(running.group)) {
      return this.#growThought(running, added);
    }
    this.#endRunning();
    const plain =
      this.#afterThought && added.startsWith(BETWEEN_THOUGHTS) ? added.slice(BETWEEN_THOUGHTS.length) : added;
    this.#beginThought('full', null, plain);
  }

  #beginThought(form: ReasoningPart['form'] | null, group: DetailGroup | null, begun: string): void {
    this.#endRunning();
    const known = form ?? (group === null ? 'full' : formOf(group, sealOf(group)));
    const part = this.#events.begin({ kind: 'reasoning', form: known }, this.#choice);
    const running: Thought = { kind: 'reasoning', part, text: '', group, told: false };
    this.#running = running;
    this.#growThought(running, begun);
  }

  #growThought(running: Thought, added: string): void {
    if (added === '') return;
    running.text += added;
    running.part.text(added);
  }

  /** Collects audio, which arrives in pieces. */
  #addAudio(piece: Record<string, unknown>): void {
    for (const [name, value] of Object.entries(piece)) {
      this.#audio ??= {};
      const grows = (name === 'data' || name === 'transcript') && typeof value === 'string';
      this.#audio[name] = grows ? textOf(this.#audio[name]) + value : value;
    }
  }

  /** Marks reasoning as given both as plain text and as details. */
  #endThought(): void {
    this.#afterThought = true;
    this.#untold = null;
  }

  #native(type: string, value: unknown, search: SearchStep | null = null): void {
    this.#endRunning();
    const part = withStep({ kind: 'native', dialect: 'openai-chat', type, value }, search);
    this.#events.begin(part, this.#choice).end();
  }

  #endRunning(): void {
    const running = this.#running;
    if (running === null) return;
    this.#running = null;
    if (running.kind === 'reasoning') {
      const seal = running.group === null ? null : sealOf(running.group);
      if (seal !== null) running.part.seal(seal);
      if (running.told) this.#endThought();
      else if (running.group === null) this.#untold = running.text;
    }
    running.part.end();
  }
}

function thoughtOf({ reasoning_content: content, reasoning }: WireWords): string {
  return textOf(content) || textOf(reasoning);
}

/**
 * Annotations of web pages. Mistral puts its citations between texts: https://github.com/mistralai/client-ts
 * (`ToolReferenceChunk`, `ReferenceChunk`)
 */
const REFERENCES: ReadonlySet<unknown> = new Set(['url_citation', 'tool_reference']);

export function readCitation(annotation: unknown, from: number): Citation {
  const wire = objectOf(annotation);
  const { url, title, start_index: start, end_index: end, content } = objectOf(wire.url_citation ?? wire);
  if (!REFERENCES.has(wire.type) || typeof url !== 'string') {
    return { kind: 'native', dialect: 'openai-chat', value: annotation };
  }
  const offset = (value: unknown) => (typeof value === 'number' ? Math.max(0, value - from) : 0);
  const cited = textOf(content);
  return {
    kind: 'url',
    url,
    title: textOf(title),
    start: offset(start),
    end: offset(end),
    ...(cited !== '' && { citedText: cited }),
  };
}
