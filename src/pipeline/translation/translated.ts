import type { Answer, AnswerEvent } from '../../core/answer.ts';
import { GatewayError } from '../../core/errors.ts';
import { joinLosses, NO_LOSSES } from '../../core/losses.ts';
import type { Counts, Usage } from '../../core/usage.ts';
import type {
  AnswerContext,
  AnswerPeek,
  Dialect,
  EventReader,
  EventRole,
  EventWriter,
  OutputItem,
  ProducedText,
  StreamEvent,
} from '../../dialects/dialect.ts';
import { scanObject } from '../../json/scan.ts';
import type { Converted, StreamConverter, WholeConverter } from './converter.ts';
import { readThinkTags, withoutThinkTags } from './think-tags.ts';
import { restoreAnswer, restoreEvent, type SentNames } from './tool-names.ts';
import { unwrapAnswer, unwrapEvents } from './tools.ts';

/** The most characters kept for counting tokens if the vendor reports no usage. */
const MAX_KEPT_TEXT = 256 * 1024;

/** The most parts of a translated answer, in all choices together: writers emit frames for each part's start and end. */
export const MAX_PARTS = 4096;

/** What both converters of a translated answer need. */
export type Translated = {
  from: Dialect;
  to: Dialect;
  context: AnswerContext;
  /** The caller's names of custom tools that were sent as functions. */
  wrapped: ReadonlySet<string>;
  sentNames: SentNames;
  /** The vendor's model writes its thinking into its text. */
  thinksInText: boolean;
};

/** Reads a stream in the vendor's dialect, and writes it in the caller's. */
export class TranslatedStream implements StreamConverter {
  readonly passes = false;
  readonly keepAlive: string;
  readonly #reader: EventReader;
  readonly #sentNames: SentNames;
  /** `null` if thinking is no part of the text. */
  readonly #readTags: ReturnType<typeof readThinkTags> | null;
  readonly #unwrap: (event: AnswerEvent) => readonly AnswerEvent[];
  readonly #writer: EventWriter;
  /** The frames of the last event. */
  #frames = '';
  #finished = false;
  #usage: Usage | null = null;
  #shownCalls: Counts | undefined = undefined;
  #error: GatewayError | null = null;
  #text = '';
  #unseen = 0;
  #omitted: readonly string[] = NO_LOSSES;

  /** @param reader of what is not a stream of the vendor's dialect */
  constructor({ from, to, context, wrapped, sentNames, thinksInText }: Translated, reader?: EventReader) {
    this.keepAlive = to.inbound.stream!.keepAlive;
    this.#reader = reader ?? from.translation!.readEvents(context.envelope.choices);
    this.#sentNames = sentNames;
    this.#readTags = thinksInText ? readThinkTags() : null;
    this.#unwrap = unwrapEvents(wrapped);
    this.#writer = to.translation!.writeEvents(context);
  }

  get dropped(): readonly string[] {
    return together(this.#writer.dropped, this.#omitted);
  }

  convert(_frame: Buffer | string, event: StreamEvent): Converted {
    const role = this.#take(this.#reader.push(event));
    return { role, bytes: this.#frames };
  }

  close(): void {
    this.#take(this.#reader.end());
  }

  complete(): boolean {
    return this.#finished;
  }

  /** The end that was written when the vendor closed without one; empty if it was written before. */
  terminal(): string {
    return this.#frames;
  }

  answered(): boolean {
    return this.#finished || (this.#reader.answered?.() ?? true);
  }

  usage(): Usage | null {
    return this.#finished ? this.#usage : (this.#reader.usage?.() ?? null);
  }

  promptUsage(): Usage | null {
    return this.#reader.promptUsage?.() ?? null;
  }

  shownCalls(): Counts | undefined {
    return this.#finished ? this.#shownCalls : this.#reader.shownCalls?.();
  }

  output(): ProducedText {
    return { text: this.#text, unseen: this.#unseen };
  }

  error(): GatewayError {
    return this.#error ?? new GatewayError('internal', 'The stream did not fail.');
  }

  writeFailure(error: GatewayError): string {
    return this.#writer.fail(error).join('');
  }

  items(): readonly OutputItem[] {
    return this.#writer.outputItems?.() ?? [];
  }

  #take(told: readonly AnswerEvent[]): EventRole {
    this.#frames = '';
    let carries = false;
    const events = this.#readTags === null ? told : told.flatMap(this.#readTags);
    for (const read of events) {
      for (const event of this.#unwrap(restoreEvent(read, this.#sentNames))) {
        if (event.kind === 'failure') {
          this.#error = event.error;
          return 'fails';
        }
        if (event.kind === 'part-start' && event.part >= MAX_PARTS) {
          this.#error = tooManyParts();
          return 'fails';
        }
        this.#note(event);
        carries ||= isContent(event);
        for (const frame of this.#writer.push(forCaller(event))) this.#frames += frame;
      }
    }
    if (this.#finished) return 'ends';
    if (this.#frames === '') return 'withhold';
    return carries ? 'carries' : 'opens';
  }

  #note(event: AnswerEvent): void {
    if (event.kind === 'finish') {
      this.#finished = true;
      this.#usage = event.usage;
      this.#shownCalls = event.shownCalls;
      this.#omitted = event.omitted ?? NO_LOSSES;
    }
    if (event.kind !== 'part-delta' || event.delta.kind !== 'text') return;
    const { text } = event.delta;
    if (this.#text.length + text.length <= MAX_KEPT_TEXT) this.#text += text;
    else this.#unseen += text.length;
  }
}

/** Reads a whole answer in the vendor's dialect, and writes it in the caller's. */
export class TranslatedWhole implements WholeConverter {
  readonly builds = true;
  readonly #parts: Translated;
  #answer: Answer | null = null;
  #dropped: readonly string[] = [];
  #items: readonly OutputItem[] = [];

  constructor(parts: Translated) {
    this.#parts = parts;
  }

  get dropped(): readonly string[] {
    return this.#dropped;
  }

  items(): readonly OutputItem[] {
    return this.#items;
  }

  read(body: Buffer): AnswerPeek {
    return this.#parts.from.outbound.peekAnswer(body);
  }

  build(body: Buffer): void {
    this.#keep(this.#parts.from.translation!.readAnswer(body, true));
  }

  /** Takes an answer that was read already, in the place of `read` and `build`. */
  take(answer: Answer): AnswerPeek {
    this.#keep(answer);
    const { usage, shownCalls } = answer;
    return { usage, error: null, output: () => producedBy(answer), shownCalls: () => shownCalls, index: NOTHING };
  }

  #keep(answer: Answer): void {
    const { wrapped, sentNames, thinksInText } = this.#parts;
    const read = thinksInText ? withoutThinkTags(answer) : answer;
    if (answer.choices.reduce((sum, { parts }) => sum + parts.length, 0) > MAX_PARTS) throw tooManyParts();
    this.#answer = unwrapAnswer(restoreAnswer(read, sentNames), wrapped);
  }

  written(): string {
    const { to, context } = this.#parts;
    const { body, dropped, items = [] } = to.translation!.writeAnswer(answerForCaller(this.#answer!), context);
    this.#dropped = together(dropped, this.#answer!.omitted ?? NO_LOSSES);
    this.#items = items;
    return body;
  }
}

function together(dropped: readonly string[], omitted: readonly string[]): readonly string[] {
  return omitted.length === 0 ? dropped : joinLosses(dropped, omitted);
}

/** The usage for the caller: that of the model that answered, as in the vendor's own format. */
function told(usage: Usage): Usage {
  return usage.byModel?.[0]?.usage ?? usage;
}

function forCaller(event: AnswerEvent): AnswerEvent {
  return event.kind === 'finish' && event.usage?.byModel !== undefined ? { ...event, usage: told(event.usage) } : event;
}

function answerForCaller(answer: Answer): Answer {
  return answer.usage?.byModel === undefined ? answer : { ...answer, usage: told(answer.usage) };
}

/** The index of a body that is not there. */
const NOTHING = scanObject(Buffer.from('{}'), 1);

function producedBy({ choices }: Answer): ProducedText {
  const parts = choices.flatMap((choice) => choice.parts);
  const words = parts.flatMap((part) => {
    if (part.kind === 'native') return [];
    return part.kind === 'tool-call' ? [part.name, part.input] : [part.text];
  });
  return { text: words.join('\n'), unseen: 0 };
}

export function tooManyParts(): GatewayError {
  const message = `The provider’s answer has more than ${MAX_PARTS} parts, texts and calls of tools together.`;
  return new GatewayError('upstream_invalid_answer', message);
}

/** Whether an event carries content, so that the caller's stream must begin. */
function isContent(event: AnswerEvent): boolean {
  if (event.kind === 'part-delta') return true;
  return event.kind === 'part-start' && event.head.kind !== 'text' && event.head.kind !== 'reasoning';
}
