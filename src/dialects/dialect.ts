import type { Answer, AnswerEvent } from '../core/answer.ts';
import type { Call } from '../core/call.ts';
import type { GatewayError } from '../core/errors.ts';
import type { UpstreamHeaders } from '../core/ports.ts';
import type { DialectId, Model, ModelFacts, Quirks, SharedIds } from '../core/provider.ts';
import type { CallSummary } from '../core/route.ts';
import type { Step } from '../core/step.ts';
import type { Usage } from '../core/usage.ts';
import type { JsonBounds } from '../json/scan.ts';
import type { JsonIndex } from '../json/tape.ts';
import type { SharedId } from './shared-ids.ts';

/** What is read on the outside of a call: enough to route, limit and pass it on. */
export type Envelope = {
  /** The name the caller sent. */
  model: string;
  stream: boolean;
  /** Per choice, by whichever name says most; `null` where the caller set none. */
  maxOutputTokens: number | null;
  choices: number;
  /** Answers of which the vendor is to give back the best: it may charge for all. Missing where that was not asked for. */
  bestOf?: number;
  /** What a vendor may put out by another member, per choice, whatever the maximum says; missing where none was named. */
  leastOutputTokens?: number;
  /** Tokens that may be thought beside `maxOutputTokens`, per choice; missing where none were named. */
  thinkingTokens?: number;
  /** How hard the model is to think, in the caller's word; missing where nothing was said. */
  effort?: string;
  /** The caller asked for the usage of a stream, or its dialect always tells it. */
  wantsUsage: boolean;
  /** A guess at the prompt's tokens from its bytes alone, for limits. Billed only where its words cannot be read. */
  estimatedInputTokens: number;
  /** What its inline files are of that: billed where the vendor does not say what was used, since they have no words to count. */
  fileTokens?: number;
  /** The body as the caller sent it, and where all stands in it: nobody scans it again. */
  body: Buffer;
  index: JsonIndex;
  /** What it names in its vendor's account; missing where that is nothing. */
  sharedId?: SharedId;
  /** The caller wants nothing of the answer to be kept, also not for its own later calls. */
  keepsNothing?: boolean;
};

/** One server-sent event, as far as a dialect looks at it. */
export type StreamEvent = { event: string | null; data: string };

/**
 * What one event of a stream is for: it only opens the answer, it carries something of it, it must be kept from the
 * caller, it is the end, or it is the vendor's error.
 */
export type EventRole = 'opens' | 'carries' | 'withhold' | 'ends' | 'fails';

/** Looks at a passing stream. It changes nothing. */
export type StreamWatch = {
  see(event: StreamEvent): EventRole;
  /** Whether the answer is whole by its dialect's own rule, if the stream ends in order here. */
  complete(): boolean;
  /** What the vendor said of the tokens, so far. */
  usage(): Usage | null;
  /** Items of the answer that later calls may name in place of sending them; none where the caller wants nothing kept. */
  outputItems?(): readonly OutputItem[];
  /** What was produced so far, to be counted where the vendor did not. */
  output(): ProducedText;
  /** After `fails`: the vendor's error in our words. */
  error(): GatewayError;
  /** The frames that tell a caller who has seen a part of this stream that it failed. */
  writeFailure(error: GatewayError): string;
};

/** An item of an answer, as JSON, under an id by which later calls may name it. */
export type OutputItem = { id: string; json: string };

/** Text to count tokens of. `unseen` characters were produced beyond what is kept. */
export type ProducedText = { text: string; unseen: number };

/** What is seen of a whole answer that passes. */
export type AnswerPeek = {
  usage: Usage | null;
  error: GatewayError | null;
  output(): ProducedText;
  /** Where its members stand, and how much it holds: nobody scans it again. */
  index: JsonIndex;
  /** What callers of this house are promised beyond what vendors send: members to be put at its end, as JSON. Empty where it has them. */
  added?(): string;
  /** Items that later calls may name in place of sending them. */
  items?(): readonly OutputItem[];
};

export type PassOptions = {
  /** The name the vendor knows the model by. */
  upstreamModel: string;
  /** The provider that is called, to tell its own seals from others'. */
  provider: string;
  /** Of a stream's usage: ask for it even if the caller did not, leave it to the caller, or never (the vendor refuses the question). */
  streamUsage: 'ask' | 'as-sent' | 'never';
  quirks?: Quirks;
  /** Whether the vendor may be asked to keep the call. */
  sharedIds?: SharedIds;
  /** Whether the model reasons; missing where nobody says. */
  reasons?: boolean;
  /** Outermost members that are for the gateway alone, and are left out. */
  drop?: readonly string[];
};

/** A body for a vendor, and what had to be left out of it (`core/losses.ts`). */
export type WrittenCall = { body: Buffer; dropped: readonly string[] };

/** What is for the gateway alone is not in a call any more. */
export type WriteOptions = Omit<PassOptions, 'drop'> & {
  stream: boolean;
  quirks: Quirks;
  model: Pick<ModelFacts, 'maxOutputTokens' | 'capabilities'>;
};

/** Reads a vendor's stream. `end` is called where it ended; without a `finish` by then it was cut. */
export type EventReader = Step<StreamEvent, AnswerEvent>;

/** What a writer of answers must know beside the answer. */
export type AnswerContext = {
  call: Call;
  /** The call as it came, in the writer's own dialect or, where another was sent to its surface, in that. */
  envelope: Envelope;
  /** Named where the vendor's answer names none. */
  model: string;
  /** Who answers, to mark its seals. */
  provider: string;
  /** Unix seconds. */
  createdAt: number;
  /** A new name that begins so: `msg`, `call`. */
  newId(prefix: string): string;
};

/** Writes one streamed answer, and owns its ids, indexes and order. Each string is one frame. */
export type EventWriter = {
  push(event: AnswerEvent): string[];
  /** The frames that end a stream that failed. Its caller has seen what was pushed before. */
  fail(error: GatewayError): string[];
  /** As a watch tells them (`StreamWatch`). */
  outputItems?(): readonly OutputItem[];
  /** What could not be carried, so far. */
  readonly dropped: readonly string[];
};

/** `items` are those that later calls may name; none where the caller wants nothing kept. */
export type WrittenAnswer = { body: string; dropped: readonly string[]; items?: readonly OutputItem[] };

/** What limits a reader holds its input to. */
export type ReadLimits = {
  maxJsonDepth: number;
  maxEmbeddingInputs: number;
  /** Of a whole body; without bounds where left out. */
  json?: JsonBounds;
};

/** Both halves of a dialect that can be translated from and to, by way of `core/call.ts` and `core/answer.ts`. */
export type Translation = {
  /** Reads the whole of a call. Throws `GatewayError` (400) with the field at fault. */
  readCall(envelope: Envelope): Call;
  /** Writes a call that came in another dialect. */
  writeCall(call: Call, options: WriteOptions): WrittenCall;
  /** The most output that `writeCall` asks for, per choice; `null` where it names no maximum. Left out where that is the caller's. */
  mostOutput?(
    call: Pick<Envelope, 'maxOutputTokens' | 'effort'>,
    model: Pick<Model, 'upstreamId' | 'maxOutputTokens'>,
  ): number | null;
  /** Whether `writeCall` writes custom tools as such; else they are wrapped as functions before. */
  takesCustomTools(quirks: Quirks): boolean;
  /**
   * Reads a whole answer without error; throws `GatewayError` (502) where it is not what the dialect says. `isScanned`: it was
   * peeked at before, so that it is known to be one object of bounded depth.
   */
  readAnswer(body: Buffer, isScanned?: boolean): Answer;
  writeAnswer(answer: Answer, context: AnswerContext): WrittenAnswer;
  /** `choices`: as many as were asked for, 1 where left out. A dialect that knows of one alone does not look. */
  readEvents(choices?: number): EventReader;
  writeEvents(context: AnswerContext): EventWriter;
};

/** Items of earlier answers that a call may name in place of sending them again. With them, its envelope is read anew. */
export type References = {
  /** The ids that a call names; `null` where it names none. */
  within(envelope: Envelope): readonly string[] | null;
  /** The body with the items themselves; throws `GatewayError` (400) with the place of one that is not found. */
  resolve(envelope: Envelope, find: (id: string) => unknown): Buffer;
};

/**
 * A wire format. It is read and written, and knows no host, key, clock or socket. Same dialect on both sides: the bytes
 * pass, looked at by `inbound` and `outbound`. Different ones: `translation` of both.
 */
export type Dialect = {
  id: DialectId;
  /** What callers and people call it. */
  label: string;
  inbound: {
    /** Names of the caller's headers that go on to a vendor of the same dialect, in lower case. */
    forwards?: readonly string[];
    /** Whether a body that came to another conversation's surface is of this dialect all the same. Cheap. */
    strays?(body: Buffer): boolean;
    /** Throws `GatewayError` (400) with the field at fault. */
    readEnvelope(body: Buffer, limits: ReadLimits): Envelope;
    /** The prompt's text, to count its tokens. */
    promptText(envelope: Envelope): string;
    /** What routes decide on. Never throws, and counts nothing where a shape is not known. */
    summarize(envelope: Envelope): CallSummary;
    /** An error as the whole answer. */
    writeError(error: GatewayError, requestId: string): string;
    references?: References;
    stream?: {
      /** An error for a caller who has seen a part of an answer that nobody watched. */
      writeError(error: GatewayError): string;
      /** Sent while a stream is silent. */
      keepAlive: string;
      /** The end that a whole stream must not lack; empty where its last event is all. */
      terminal: string;
    };
  };
  outbound: {
    /** Headers that a vendor of this dialect needs, unless the caller's own go on to it. Names in lower case. */
    headers?: Readonly<Record<string, string>>;
    /** The body to send. Bytes that need no change are not changed; what an answer of another's left in them is. */
    passCall(envelope: Envelope, options: PassOptions): WrittenCall;
    /** Reads a vendor's refusal. The words are the vendor's: the caller of this cleans them of key and host. */
    readError(status: number, headers: UpstreamHeaders, body: string): GatewayError;
    /** Looks at a complete answer; throws `GatewayError` (502) where it is not what the dialect says. */
    peekAnswer(body: Buffer): AnswerPeek;
    watch?(envelope: Envelope): StreamWatch;
  };
  translation?: Translation;
};
