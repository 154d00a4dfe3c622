import type { Call } from '../../core/call.ts';
import type { GatewayError } from '../../core/errors.ts';
import { joinLosses, NO_LOSSES } from '../../core/losses.ts';
import type { OwnParameters } from '../../core/parameters.ts';
import type { Clock, Ids } from '../../core/ports.ts';
import type { DialectId, Target } from '../../core/provider.ts';
import type { Quirks } from '../../core/quirks.ts';
import { makerOf } from '../../core/seal.ts';
import type {
  AnswerContext,
  AnswerPeek,
  Dialect,
  Envelope,
  OutputItem,
  PassOptions,
  ProducedText,
  StreamEvent,
  StreamWatch,
} from '../../dialects/dialect.ts';
import { callOf, fieldsWithout } from '../../dialects/request.ts';
import { markSeals, NO_SEALS } from '../../dialects/seal-marks.ts';
import { refuseSharedId } from '../../dialects/shared-ids.ts';
import { splice } from '../../json/edits.ts';
import { parseJson } from '../../json/parse.ts';
import { hasMember } from '../../json/tape.ts';
import { isReferencedLater, mayCompare } from '../threads.ts';
import type { Pieces } from '../turns.ts';
import { answerOfEvents, eventsOfWhole } from './answer-forms.ts';
import type { AnswerForms, Converted, StreamConverter, WholeConverter } from './converter.ts';
import { refuseEmptiedPrompt } from './emptied-prompt.ts';
import { bodyWith, callWith, NONE_REMOVED, passedWith } from './own-parameters.ts';
import { fitTools } from './passed-tools.ts';
import { withoutSeals } from './seals.ts';
import { thinksInText } from './think-tags.ts';
import { legalNames, NONE_SHORTENED, toolNameRules } from './tool-names.ts';
import { withToolResults } from './tool-results.ts';
import { narrowTools, wrapCustomTools } from './tools.ts';
import { type Translated, TranslatedStream, TranslatedWhole } from './translated.ts';

export type TranslatorParts = {
  /** The dialects of the call and of its answer. They differ if a surface received another dialect's body. */
  asked: Dialect;
  answered: Dialect;
  /** The dialect used with the target. */
  spoken: Dialect;
  envelope: Envelope;
  /** The caller's headers that name a version of its dialect; names and values alternate. */
  forwarded: readonly string[];
  target: Target;
  /** Outermost members that vendors are not sent, if any. */
  drop: readonly string[] | null;
  /** Parameters of the operator’s; `null`: none. */
  parameters: OwnParameters | null;
  /** Those of them that the gateway has followed, which is no loss. */
  followed: readonly string[];
  bytePath: boolean;
  clock: Clock;
  ids: Ids;
};

const NONE_WRAPPED: ReadonlySet<string> = new Set();
/** What is left out where the vendor keeps nothing of earlier calls. A call that creates a thread has the whole conversation. */
const UNKEPT: readonly string[] = ['thread', 'diagnostics'];

/**
 * Converts a call from its caller's dialect to its target's, and the answer back. Bodies pass if both sides speak the
 * same dialect, and are translated by way of `core/` if not.
 */
export class Translator implements AnswerForms {
  readonly #parts: TranslatorParts;
  /** Who makes the seals of the answer. */
  readonly #maker: string;
  #wrapped = NONE_WRAPPED;
  #sentNames = NONE_SHORTENED;
  #dropped: readonly string[] = [];
  /** What was omitted from the tools of an untranslated call. */
  #unsaid: readonly string[] = NO_LOSSES;
  #call: Call | null = null;
  /** The names of the caller's parameters that the operator's replaced in a call that is translated. */
  #replaced = NO_LOSSES;
  /** Whether proofs of earlier reasoning are left out: the vendor has refused them. */
  #withoutSeals = false;

  constructor(parts: TranslatorParts) {
    this.#parts = parts;
    this.#maker = makerOf(parts.target.provider, parts.spoken.id);
  }

  /** The names of what was left out of the call. */
  get dropped(): readonly string[] {
    return this.#dropped;
  }

  /**
   * Writes the call without any proof of earlier reasoning, from now on; throws as `write` does.
   * @returns `null` if the call has none
   */
  writeWithoutSeals(streamUsage: PassOptions['streamUsage']): Buffer | null {
    this.#withoutSeals = true;
    const body = this.write(streamUsage);
    return this.#dropped.includes('seal') || this.#dropped.includes('reasoning') ? body : null;
  }

  /** Reads the call in advance if it must be translated; throws as `write` does. */
  read(): void {
    const { asked, spoken } = this.#parts;
    if (asked !== spoken) this.#read();
  }

  /** The body for the vendor. Throws `GatewayError` (400) if the caller's body cannot be read. */
  write(streamUsage: PassOptions['streamUsage']): Buffer {
    const { asked, spoken, envelope, target, drop, parameters } = this.#parts;
    const { provider, model } = target;
    refuseSharedId(envelope, provider);
    const isOwn = provider.quirks.ownFormat === true;
    if (envelope.essential !== undefined && !(isOwn && asked === spoken))
      throw asked.outbound.unknownHere!(envelope.essential);
    const options: PassOptions & { quirks: Quirks } = {
      upstreamModel: model.upstreamId,
      provider: this.#maker,
      streamUsage,
      quirks: provider.quirks,
    };
    if (provider.sharedIds !== undefined) options.sharedIds = provider.sharedIds;
    const reasons = model.capabilities?.reasoning;
    if (typeof reasons === 'boolean') options.reasons = reasons;
    if (asked === spoken) {
      // Another vendor of the format would pass over the thread, and answer its newest turn alone the next time.
      const isUnkept = isReferencedLater(envelope) && !isOwn;
      if (drop !== null || isUnkept) options.drop = [...(drop ?? []), ...(isUnkept ? UNKEPT : [])];
      if (envelope.compared !== undefined && !mayCompare(envelope.compared, target)) options.withoutCompared = true;
      if (this.#withoutSeals) options.withoutSeals = true;
      const passed = spoken.outbound.passCall(this.#fitted(), options);
      const withheld = options.drop === undefined ? NO_LOSSES : this.#withheld(options.drop);
      this.#dropped = joined([withheld, this.#unsaid], passed.dropped);
      return parameters === null ? passed.body : this.#withParameters(passed.body, parameters, options);
    }
    const translation = spoken.translation!;
    const read = this.#read();
    const unsealed = this.#withoutSeals ? withoutSeals(read) : { call: read, dropped: NO_LOSSES };
    const answered = withToolResults(unsealed.call);
    const narrowed = narrowTools(answered.call);
    const wrapping = translation.takesCustomTools(provider.quirks)
      ? { call: narrowed, names: this.#wrapped, dropped: [] }
      : wrapCustomTools(narrowed);
    this.#wrapped = wrapping.names;
    const { call, sent } = legalNames(wrapping.call, toolNameRules(translation, provider.quirks));
    this.#sentNames = sent;
    const writeOptions = { ...options, stream: envelope.stream, model };
    refuseEmptiedPrompt(call, (part) => translation.carries(part, writeOptions), envelope);
    const { body, dropped } = translation.writeCall(call, writeOptions);
    const withheld = this.#parts.drop === null ? NO_LOSSES : this.#withheld(this.#parts.drop);
    const rewritten = [unsealed.dropped, answered.dropped, wrapping.dropped];
    const before = [...rewritten, call.omitted ?? NO_LOSSES, this.#replaced, withheld];
    this.#dropped = joined(before, dropped);
    return parameters === null ? body : bodyWith(body, parameters);
  }

  #withParameters(body: Buffer, own: OwnParameters, options: PassOptions & { quirks: Quirks }): Buffer {
    const { spoken, envelope, forwarded, target } = this.#parts;
    const removed = spoken.inbound.versions?.removed(forwarded) ?? NONE_REMOVED;
    const written = { ...options, stream: envelope.stream, model: target.model };
    const { body: done, told } = passedWith(spoken, { envelope, body, removed }, own, written);
    if (told.length > 0) this.#dropped = joinLosses(this.#dropped, told);
    return done;
  }

  /** Which of these members the caller's body has, but for those that the gateway has followed. */
  #withheld(drop: readonly string[]): readonly string[] {
    const { envelope, followed } = this.#parts;
    return drop.filter((name) => !followed.includes(name) && hasMember(envelope.body, envelope.index, name));
  }

  /** The envelope of a call that passes, with its tools as the vendor takes them. */
  #fitted(): Envelope {
    const { spoken, envelope, target } = this.#parts;
    const fitted = fitTools(envelope, spoken, target.provider.quirks);
    this.#sentNames = fitted?.sent ?? NONE_SHORTENED;
    this.#unsaid = fitted?.dropped ?? NO_LOSSES;
    return fitted?.envelope ?? envelope;
  }

  stream(): StreamConverter {
    const { answered, spoken, envelope, bytePath } = this.#parts;
    if (this.#passesBack()) return new PassingStream(answered, envelope, bytePath, this.#maker);
    return new TranslatedStream(this.#translated(spoken, answered));
  }

  whole(): WholeConverter {
    const { answered, spoken } = this.#parts;
    if (this.#passesBack()) return new PassingWhole(this.#parts, this.#maker);
    return new TranslatedWhole(this.#translated(spoken, answered));
  }

  *wholeOf(events: Buffer): ReturnType<AnswerForms['wholeOf']> {
    const { answered, spoken, envelope } = this.#parts;
    const answer = yield* answerOfEvents(spoken, envelope.choices, events);
    const converter = new TranslatedWhole(this.#translated(spoken, answered));
    return { converter, answer: converter.take(answer) };
  }

  *streamOf(whole: Buffer): Pieces<StreamConverter> {
    const { answered, spoken } = this.#parts;
    const events = yield* eventsOfWhole(spoken, whole);
    return new TranslatedStream(this.#translated(spoken, answered), { push: () => events, end: () => [] });
  }

  #translated(from: Dialect, to: Dialect): Translated {
    const thinks = thinksInText(this.#parts.target);
    return {
      from,
      to,
      context: this.#context(),
      wrapped: this.#wrapped,
      sentNames: this.#sentNames,
      thinksInText: thinks,
    };
  }

  #passesBack(): boolean {
    const { answered, spoken, target } = this.#parts;
    if (answered !== spoken || this.#sentNames.size > 0) return false;
    if (spoken.translation === undefined) return true;
    return target.provider.quirks.repair !== true && !thinksInText(target);
  }

  #context(): AnswerContext {
    const { envelope, target, clock, ids } = this.#parts;
    return {
      call: this.#read(),
      envelope,
      model: target.model.upstreamId,
      provider: this.#maker,
      createdAt: Math.floor(clock.now() / 1000),
      newId: (prefix) => `${prefix}_${ids.token()}`,
    };
  }

  #read(): Call {
    if (this.#call !== null) return this.#call;
    const { asked, envelope, drop, parameters } = this.#parts;
    const read = withoutExtra(callOf(asked, envelope), drop ?? []);
    if (parameters === null) this.#call = read;
    else ({ call: this.#call, told: this.#replaced } = callWith(asked, envelope, read, parameters));
    return this.#call;
  }
}

/** The names of losses before these, and these. */
function joined(before: readonly (readonly string[])[], dropped: readonly string[]): readonly string[] {
  return before.reduce((all, names) => (names.length === 0 ? all : joinLosses(names, all)), dropped);
}

/** The call without these members, if its reader kept them as `extra`. */
function withoutExtra(call: Call, names: readonly string[]): Call {
  const { extra, ...rest } = call;
  if (extra === undefined || !names.some((name) => Object.hasOwn(extra.fields, name))) return call;
  const fields = fieldsWithout(extra.fields, names);
  return Object.keys(fields).length === 0 ? rest : { ...rest, extra: { ...extra, fields } };
}

/** Same dialect on both sides: the bytes pass and are watched. With `bytePath` off they are parsed and written again. */
export class PassingStream implements StreamConverter {
  readonly passes = true;
  readonly keepAlive: string;
  readonly #watch: StreamWatch;
  readonly #terminal: string;
  readonly #bytePath: boolean;
  readonly #maker: { dialect: DialectId; provider: string } | null;

  /** @param maker who made the answer's seals, to mark them; `null` leaves them */
  constructor(dialect: Dialect, envelope: Envelope, bytePath: boolean, maker: string | null = null) {
    this.#maker = maker === null ? null : { dialect: dialect.id, provider: maker };
    const stream = dialect.inbound.stream!;
    this.#watch = dialect.outbound.watch!(envelope);
    this.keepAlive = stream.keepAlive;
    this.#terminal = stream.terminal;
    this.#bytePath = bytePath;
  }

  convert(frame: Buffer | string, event: StreamEvent): Converted {
    const role = this.#watch.see(event);
    if (this.#watch.found && this.#maker !== null) return { role, bytes: this.#marked(frame, event, this.#maker) };
    if (this.#bytePath) return { role, bytes: frame };
    return { role, bytes: role === 'withhold' || role === 'fails' ? '' : rewriteFrame(event) };
  }

  #marked(
    frame: Buffer | string,
    event: StreamEvent,
    maker: { dialect: DialectId; provider: string },
  ): Buffer | string {
    const found = this.#watch.found ?? [];
    this.#watch.found = null;
    return markSeals(this.#bytePath ? frame : rewriteFrame(event), found, maker);
  }

  /** What the vendor reports to have omitted. */
  get dropped(): readonly string[] {
    return this.#watch.omitted ?? NO_LOSSES;
  }

  close(): void {}

  complete(): boolean {
    return this.#watch.complete();
  }

  terminal(): string {
    return this.#terminal;
  }

  answered(): boolean {
    return this.#watch.answered();
  }

  usage() {
    return this.#watch.usage();
  }

  promptUsage() {
    return this.#watch.promptUsage?.() ?? null;
  }

  shownCalls() {
    return this.#watch.shownCalls?.();
  }

  output(): ProducedText {
    return this.#watch.output();
  }

  error(): GatewayError {
    return this.#watch.error();
  }

  writeFailure(error: GatewayError): string {
    return this.#watch.writeFailure(error);
  }

  items(): readonly OutputItem[] {
    return this.#watch.outputItems?.() ?? [];
  }
}

/** The same for a whole answer. */
class PassingWhole implements WholeConverter {
  readonly builds = false;
  dropped = NO_LOSSES;
  readonly #dialect: Dialect;
  readonly #envelope: Envelope;
  readonly #bytePath: boolean;
  readonly #maker: string;
  #answer: AnswerPeek | null = null;

  constructor({ answered, envelope, bytePath }: TranslatorParts, maker: string) {
    this.#dialect = answered;
    this.#envelope = envelope;
    this.#bytePath = bytePath;
    this.#maker = maker;
  }

  read(body: Buffer): AnswerPeek {
    return this.#dialect.outbound.peekAnswer(body);
  }

  build(): void {}

  written(received: Buffer, answer: AnswerPeek): Buffer | string {
    const body = answer.inForm ?? received;
    this.#answer = answer;
    this.dropped = this.#dialect.outbound.omittedIn?.(body, answer.index) ?? NO_LOSSES;
    const fitted = this.#dialect.outbound.fitAnswer?.(body, answer.index, this.#envelope) ?? body;
    const bytes = this.#bytePath ? fitted : rewriteBody(fitted);
    const found = this.#dialect.outbound.sealsOf?.(body, answer.index) ?? NO_SEALS;
    const maker = { dialect: this.#dialect.id, provider: this.#maker };
    const passed = found.length === 0 ? bytes : Buffer.from(markSeals(bytes, found, maker));
    const added = answer.added?.() ?? '';
    if (added === '') return passed;
    const closeAt = passed.lastIndexOf('}');
    return splice(passed, [{ start: closeAt, end: closeAt, text: `,${added}` }]);
  }

  items(): readonly OutputItem[] {
    return this.#envelope.keepsNothing === true ? [] : (this.#answer?.items?.() ?? []);
  }
}

/**
 * Parses a frame and writes it again in its own dialect. Tests run this instead of the byte path, and the parsed
 * results must be equal.
 */
function rewriteFrame({ event, data }: StreamEvent): string {
  const name = event === null ? '' : `event: ${event}\n`;
  return `${name}data: ${data === '[DONE]' ? data : JSON.stringify(parseJson(data))}\n\n`;
}

/** The same for a whole answer. */
export function rewriteBody(body: Buffer): Buffer {
  return Buffer.from(JSON.stringify(parseJson(body.toString('utf8'))));
}
