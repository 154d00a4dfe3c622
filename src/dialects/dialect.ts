import type { Answer, AnswerEvent } from '../core/answer.ts';
import type { Call, UserPart } from '../core/call.ts';
import type { GatewayError } from '../core/errors.ts';
import type { UpstreamHeaders } from '../core/ports.ts';
import type { DialectId, Model, ModelFacts, SharedIds } from '../core/provider.ts';
import type { Quirks } from '../core/quirks.ts';
import type { CallSummary } from '../core/route.ts';
import type { Counts, Usage } from '../core/usage.ts';
import type { JsonBounds } from '../json/scan.ts';
import type { JsonIndex } from '../json/tape.ts';
import type { ParameterPlaces } from './parameter-places.ts';
import type { FoundSeal } from './seal-marks.ts';
import type { SharedId } from './shared-ids.ts';

/** What is needed of a call's body to route it, limit it and pass it on, read without building it. */
export type Envelope = {
  /** The model name that the caller sent. */
  model: string;
  stream: boolean;
  /** Output tokens per choice; the largest value if the caller used several names, `null` if it set none. */
  maxOutputTokens: number | null;
  choices: number;
  /** Answers that the vendor generates to return the best of them; it may charge for all. Missing if not asked for. */
  bestOf?: number;
  /** Output tokens per choice that another member allows regardless of `maxOutputTokens`; missing if none does. */
  leastOutputTokens?: number;
  /** Thinking tokens per choice in addition to `maxOutputTokens`; missing if the caller set none. */
  thinkingTokens?: number;
  /** The reasoning effort in the caller's word; missing if not set. */
  effort?: string;
  /** The caller asked for a stream's usage, or its dialect always reports it. */
  wantsUsage: boolean;
  /** Prompt tokens estimated from the body's size, for limits. Billed only if the prompt's text cannot be read. */
  estimatedInputTokens: number;
  /** The part of it for inline files: billed if the vendor reports no usage, since files have no text to count. */
  fileTokens?: number;
  /** The body as the caller sent it, and its index. It is scanned only once. */
  body: Buffer;
  index: JsonIndex;
  /** An object in the vendor's account that the call refers to; missing if there is none. */
  sharedId?: SharedId;
  /** The conversation stored at the vendor that the call starts or continues; missing if there is none. */
  thread?: Thread;
  /** The earlier answer whose prompt the vendor is asked to compare this one with; missing if it is not asked. */
  compared?: Compared;
  /** A member that must not be omitted, and that only the format's own vendor understands; missing if there is none. */
  essential?: string;
  /** The caller wants nothing of the answer to be stored, not even for its own later calls. */
  keepsNothing?: boolean;
};

/**
 * `after`: the id of the answer to continue from; `madeBy`: the target that stores it for this caller, `null` if
 * unknown.
 */
export type Thread = { kind: 'create' } | { kind: 'continue'; after: string; madeBy: AnswerMaker | null };

/** As in `Thread`. `after` is `null` in the first call, which has nothing to compare with. */
export type Compared = { after: string | null; madeBy: AnswerMaker | null };

/** The target that made an answer to which a later call of the same key refers. */
export type AnswerMaker = { provider: string; credential: string; upstreamModel: string };

/** The fields of a server-sent event that dialects read. */
export type StreamEvent = { event: string | null; data: string };

/**
 * The role of a stream event: it opens the answer, carries content, must be withheld from the caller, ends the
 * stream, or is the vendor's error.
 */
export type EventRole = 'opens' | 'carries' | 'withhold' | 'ends' | 'fails';

/** Watches a stream that passes through, without changing it. */
export type StreamWatch = {
  see(event: StreamEvent): EventRole;
  /** Whether the answer is complete by the dialect's rules if the stream ends here. */
  complete(): boolean;
  /**
   * Whether the answer is complete, except perhaps for its usage. Called once, after a caller has left, so it may be
   * slow.
   */
  answered(): boolean;
  /** The usage that the vendor has reported so far. */
  usage(): Usage | null;
  /** The reported usage of the prompt without output, for a stream that ends before it reports its usage. */
  promptUsage?(): Usage | null;
  /** The calls of the vendor's own tools that the answer shows, to bill them if the vendor reports no usage. */
  shownCalls?(): Counts | undefined;
  /** The seals in the last event, if it has any. Whoever takes them sets this to `null`. */
  found?: readonly FoundSeal[] | null;
  /** The names of what the vendor reports to have omitted from the call. */
  omitted?: readonly string[];
  /** Items of the answer that later calls may refer to by id; none if the caller wants nothing stored. */
  outputItems?(): readonly OutputItem[];
  /** The text produced so far, to count tokens if the vendor reports none. */
  output(): ProducedText;
  /** After `fails`: the vendor's error. */
  error(): GatewayError;
  /** The frames that report a failure to a caller who has already received part of this stream. */
  writeFailure(error: GatewayError): string;
};

/** An item of an answer as JSON, and the id by which later calls may refer to it. */
export type OutputItem = { id: string; json: string };

/** Text to count tokens of. `unseen` is the number of further characters that were not kept. */
export type ProducedText = { text: string; unseen: number };

/** What is read of a whole answer that passes through. */
export type AnswerPeek = {
  usage: Usage | null;
  error: GatewayError | null;
  output(): ProducedText;
  /** As in `StreamWatch`. */
  shownCalls?(): Counts | undefined;
  /** The index of the answer's members. It is scanned only once. */
  index: JsonIndex;
  /** JSON members to append to the answer: promised fields that the vendor left out. Empty if it has them all. */
  added?(): string;
  /** Items that later calls may refer to by id. */
  items?(): readonly OutputItem[];
  /** The answer in the dialect's form, if the vendor used another one; `index` describes this one. */
  inForm?: Buffer;
};

export type PassOptions = {
  /** The vendor's name of the model. */
  upstreamModel: string;
  /** The provider that is called, to tell its own seals from others. */
  provider: string;
  /** Usage of a stream: always ask for it, leave the request as sent, or never ask (the vendor refuses the option). */
  streamUsage: 'ask' | 'as-sent' | 'never';
  quirks?: Quirks;
  /** Whether the vendor may store the call. */
  sharedIds?: SharedIds;
  /** Whether the model reasons; missing if unknown. */
  reasons?: boolean;
  /** Outermost members that only the gateway reads, and that are left out. */
  drop?: readonly string[];
  /**
   * Omits the id of the answer to compare with (`Envelope.compared`): the vendor did not make it, or not for this
   * caller.
   */
  withoutCompared?: boolean;
  /** Omits all seals together with their reasoning, because the vendor has refused them. */
  withoutSeals?: boolean;
};

/** A body for a vendor, and the names of what was left out of it (`core/losses.ts`). */
export type WrittenCall = { body: Buffer; dropped: readonly string[] };

/** Without `drop`: a call that was read no longer contains the gateway's own members. */
export type WriteOptions = Omit<PassOptions, 'drop' | 'withoutSeals' | 'withoutCompared'> & {
  stream: boolean;
  quirks: Quirks;
  model: Pick<ModelFacts, 'maxOutputTokens' | 'capabilities'>;
};

/** Reads a vendor's stream. `end` is called when it ends; if there was no `finish` by then, the stream was cut off. */
export type EventReader = {
  push(event: StreamEvent): AnswerEvent[];
  end(): AnswerEvent[];
  /** As in `StreamWatch`; a reader without it brings the whole answer at once. */
  answered?(): boolean;
  /** As in `StreamWatch`. */
  promptUsage?(): Usage | null;
  /** The usage reported so far, by which a stream that does not end is billed. */
  usage?(): Usage | null;
  /** As in `StreamWatch`, of a stream that does not end. */
  shownCalls?(): Counts | undefined;
};

/** What a writer of answers needs besides the answer. */
export type AnswerContext = {
  call: Call;
  /**
   * The call as received: in the writer's dialect, or in the dialect of a body that came to another dialect's surface.
   */
  envelope: Envelope;
  /** Used if the vendor's answer has no model name. */
  model: string;
  /** The provider that answers, to mark its seals. */
  provider: string;
  /** Unix seconds. */
  createdAt: number;
  /** A new id with this prefix, such as `msg` or `call`. */
  newId(prefix: string): string;
};

/** Writes one streamed answer, and assigns its ids, indexes and order. Each string is one frame. */
export type EventWriter = {
  push(event: AnswerEvent): string[];
  /** The frames that end a failed stream, after the frames already pushed. */
  fail(error: GatewayError): string[];
  /** As in `StreamWatch`. */
  outputItems?(): readonly OutputItem[];
  /** The names of what could not be carried so far. */
  readonly dropped: readonly string[];
};

/** `items` are those that later calls may refer to by id; none if the caller wants nothing stored. */
export type WrittenAnswer = { body: string; dropped: readonly string[]; items?: readonly OutputItem[] };

/** The limits of a reader's input. */
export type ReadLimits = {
  maxJsonDepth: number;
  maxEmbeddingInputs: number;
  /** Bounds of a whole body; unbounded if missing. */
  json?: JsonBounds;
};

/** The readers and writers of a dialect that can be translated, by way of `core/call.ts` and `core/answer.ts`. */
export type Translation = {
  /** Reads a whole call. Throws `GatewayError` (400) that names the field. */
  readCall(envelope: Envelope): Call;
  /** Writes a call that was read from another dialect. */
  writeCall(call: Call, options: WriteOptions): WrittenCall;
  /** Whether `writeCall` can write a part of a user's turn. */
  carries(part: UserPart, options: WriteOptions): boolean;
  /** The most output tokens per choice that `writeCall` asks for; `null` without one. Missing: the caller's maximum. */
  mostOutput?(
    call: Pick<Envelope, 'maxOutputTokens' | 'effort'>,
    model: Pick<Model, 'upstreamId' | 'maxOutputTokens'>,
  ): number | null;
  /** Whether `writeCall` can write custom tools; if not, they are wrapped as functions beforehand. */
  takesCustomTools(quirks: Quirks): boolean;
  /**
   * The most characters of a tool's name; vendors refuse the whole call for a longer one. Missing: names are not
   * checked.
   */
  longestToolName?: number;
  /**
   * Reads a whole answer that is not an error; throws `GatewayError` (502) if it does not follow the dialect.
   * `isScanned`: it was already scanned, so it is known to be one object of bounded depth.
   */
  readAnswer(body: Buffer, isScanned?: boolean): Answer;
  writeAnswer(answer: Answer, context: AnswerContext): WrittenAnswer;
  /** `choices`: the number that the call asked for, by default 1. Dialects with only one choice ignore it. */
  readEvents(choices?: number): EventReader;
  writeEvents(context: AnswerContext): EventWriter;
};

/** Replaces ids of earlier answers' items in a call by the items. The envelope is then read again. */
export type References = {
  /** The ids that a call refers to; `null` if none. */
  within(envelope: Envelope): readonly string[] | null;
  /** The body with the items inserted; throws `GatewayError` (400) that names the place of an item that is not found. */
  resolve(envelope: Envelope, find: (id: string) => unknown): Buffer;
};

/** The versions of a format, which callers name in a header that is forwarded (names and values alternate). */
export type Versions = {
  /** The outermost members that the named version has removed. */
  removed(forwarded: readonly string[]): ReadonlySet<string>;
};

/**
 * A wire format. It reads and writes bodies, and knows no host, key, clock or socket. If both sides speak it, the bytes
 * pass and `inbound` and `outbound` look at them. If not, the `translation` of both sides is used.
 */
export type Dialect = {
  id: DialectId;
  /** Its name for callers and people. */
  label: string;
  inbound: {
    /** Lower-case names of the caller's headers that are forwarded to a vendor of the same dialect. */
    forwards?: readonly string[];
    versions?: Versions;
    /** Whether a body sent to another conversation surface is in this dialect. Must be cheap. */
    strays?(body: Buffer): boolean;
    /** Throws `GatewayError` (400) that names the field. */
    readEnvelope(body: Buffer, limits: ReadLimits): Envelope;
    /** The text of the prompt, for counting its tokens. */
    promptText(envelope: Envelope): string;
    /** What routes decide on. Never throws; ignores unknown shapes. */
    summarize(envelope: Envelope): CallSummary;
    /** Writes an error as a whole answer. */
    writeError(error: GatewayError, requestId: string): string;
    /**
     * The entry of an answer's `input_transformations` for something that was omitted. Missing: the format has no such
     * member.
     */
    leftOut?(name: string): object;
    /** Whether the call declares functions. Missing: no model refuses them in this dialect. */
    callsFunctions?(envelope: Envelope): boolean;
    /** Whether the call asks the vendor to search for tools. Missing: no call of this dialect does. */
    searchesTools?(envelope: Envelope): boolean;
    references?: References;
    /** Where its bodies have the parameters that operators may set. Missing: operators cannot set any. */
    parameters?: ParameterPlaces;
    stream?: {
      /** Writes an error for a caller who received part of a stream that had no watch. */
      writeError(error: GatewayError): string;
      /** Sent while a stream is silent. */
      keepAlive: string;
      /** The terminal frame that a whole stream needs; empty if its last event is the end. */
      terminal: string;
    };
  };
  outbound: {
    /** Headers that a vendor of this dialect needs, unless the caller's own are forwarded. Lower-case names. */
    headers?: Readonly<Record<string, string>>;
    /** The body to send. Unchanged bytes are kept; seals from other providers' answers are removed. */
    passCall(envelope: Envelope, options: PassOptions): WrittenCall;
    /** Reads a vendor's error response. The message is the vendor's: whoever calls this removes keys and hosts from it. */
    readError(status: number, headers: UpstreamHeaders, body: string): GatewayError;
    /** Scans a complete answer; throws `GatewayError` (502) if it does not follow the dialect. */
    peekAnswer(body: Buffer): AnswerPeek;
    /** The error for a call with this `Envelope.essential` at a vendor that does not know it. */
    unknownHere?(param: string): GatewayError;
    /** The seals in a complete answer, whose index is that of `peekAnswer`. */
    sealsOf?(body: Buffer, index: JsonIndex): readonly FoundSeal[];
    /** The names of what the vendor reports, in a complete answer, to have omitted from the call. */
    omittedIn?(body: Buffer, index: JsonIndex): readonly string[];
    /** An untranslated answer in the form that the call asked for; the same bytes if it already has that form. */
    fitAnswer?(body: Buffer, index: JsonIndex, envelope: Envelope): Buffer;
    watch?(envelope: Envelope): StreamWatch;
  };
  translation?: Translation;
};
