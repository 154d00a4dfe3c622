import type { AnswerEvent } from '../../core/answer.ts';
import { GatewayError } from '../../core/errors.ts';
import type { Counts, Usage } from '../../core/usage.ts';
import { AnswerEvents } from '../answer-events.ts';
import { isShallow } from '../answer-scan.ts';
import type { EventReader, StreamEvent } from '../dialect.ts';
import { textOf } from '../unchecked-json.ts';
import { badPiece, brokenOff } from '../vendor-errors.ts';
import { ChoiceReader } from './choice-read.ts';
import { omittedIn, readChunk, usageIn, usageWith } from './chunk.ts';
import { unknownFinishReasonOf } from './finish.ts';
import { SearchCounter } from './search-counter.ts';
import { sourcesOf } from './sources.ts';
import type { WireChunk } from './wire.ts';

/** The most choices that a call may ask for. */
const MAX_CHOICES = 128;

/** Reads a vendor's stream of chunks, including its deviations. `choices`: the number that the call asked for. */
export function readEvents(choices = 1): EventReader {
  return new ChatEventReader(choices);
}

class ChatEventReader implements EventReader {
  readonly #events = new AnswerEvents();
  readonly #choices = new Map<number, ChoiceReader>();
  readonly #asked: number;
  #started = false;
  #ended = false;
  #seed = '';
  #usage: Usage | null = null;
  readonly #searches = new SearchCounter();
  #serviceTier: string | undefined;
  readonly #omitted = new Set<string>();

  constructor(asked: number) {
    this.#asked = asked;
  }

  push(event: StreamEvent): AnswerEvent[] {
    if (this.#ended || event.data.trim() === '') return [];
    if (event.data === '[DONE]') return this.#finish();
    const chunk = readChunk(event);
    if (chunk instanceof GatewayError) return this.#fail(chunk);
    if (!isShallow(event.data)) return this.#fail(badPiece('is nested too deep'));
    this.#read(chunk);
    for (const choice of this.#choices.values()) {
      if (choice.failed) return this.#fail(brokenOff());
    }
    return this.#events.take();
  }

  /** Without a terminal event, the stream is complete only if every choice that was asked for has finished. */
  end(): AnswerEvent[] {
    return this.#choices.size < this.#asked ? [] : this.#finish();
  }

  answered(): boolean {
    return this.#choices.size >= this.#asked && this.#allFinished();
  }

  usage(): Usage | null {
    if (this.#usage === null) return null;
    const tier = this.#serviceTier === undefined ? {} : { serviceTier: this.#serviceTier };
    return this.#searches.addTo({ ...this.#usage, ...tier });
  }

  shownCalls(): Counts | undefined {
    return this.#searches.shown;
  }

  #allFinished(): boolean {
    for (const { finished } of this.#choices.values()) if (!finished) return false;
    return this.#choices.size > 0;
  }

  #finish(): AnswerEvent[] {
    if (this.#ended || !this.#allFinished()) return [];
    this.#ended = true;
    const last = Math.max(...this.#choices.keys());
    const choices = Array.from({ length: last + 1 }, (_, index) => this.#choices.get(index)?.end() ?? NEVER_SEEN);
    const usage = this.usage();
    this.#events.push({
      kind: 'finish',
      choices,
      usage,
      ...this.#searches.beside(usage),
      ...(this.#omitted.size > 0 && { omitted: [...this.#omitted] }),
    });
    return this.#events.take();
  }

  #read(chunk: WireChunk): void {
    const choices = Array.isArray(chunk.choices) ? chunk.choices : [];
    // Azure's first chunk reports on the prompt, and has no id.
    if (!this.#started && (choices.length > 0 || textOf(chunk.id) !== '')) this.#start(chunk);
    this.#usage = usageWith(this.#usage, chunk, usageIn(chunk));
    this.#searches.see(chunk);
    for (const name of omittedIn(chunk)) this.#omitted.add(name);
    if (typeof chunk.service_tier === 'string') this.#serviceTier = chunk.service_tier;
    for (const choice of choices) {
      if (choice === null) continue;
      this.#choice(choice.index).read(choice);
      for (const name of unknownFinishReasonOf(choice)) this.#omitted.add(name);
    }
    const sources = sourcesOf(chunk);
    if (sources.length > 0) for (const choice of this.#choices.values()) choice.readSources(sources);
  }

  #start(chunk: WireChunk): void {
    this.#started = true;
    const start = readStart(chunk);
    this.#seed = seedOf(start);
    this.#events.push({ kind: 'start', ...start });
  }

  #choice(index: unknown): ChoiceReader {
    const isIndex = typeof index === 'number' && Number.isInteger(index) && index >= 0 && index < MAX_CHOICES;
    const place = isIndex ? index : 0;
    const known = this.#choices.get(place);
    if (known !== undefined) return known;
    const choice = new ChoiceReader(place, this.#events, this.#seed);
    this.#choices.set(place, choice);
    return choice;
  }

  #fail(error: GatewayError): AnswerEvent[] {
    this.#ended = true;
    this.#events.push({ kind: 'failure', error });
    return this.#events.take();
  }
}

/** The finish of a choice that the vendor skipped. */
const NEVER_SEEN = { reason: 'stop' } as const;

type Start = { id: string | null; model: string | null; createdAt: number | null };

/** The id, model and time of an answer, if the vendor sends them. */
export function readStart({ id, model, created }: WireChunk): Start {
  return {
    id: textOf(id) || null,
    model: textOf(model) || null,
    createdAt: typeof created === 'number' && created > 0 ? Math.trunc(created) : null,
  };
}

/** Text that differs between answers, used to make ids. */
export function seedOf({ id, model, createdAt }: Start): string {
  return `${id ?? ''} ${model ?? ''} ${createdAt ?? ''}`;
}
