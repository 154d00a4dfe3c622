import type { GatewayError } from '../core/errors.ts';
import type { UpstreamHeaders } from '../core/ports.ts';
import type { DialectId } from '../core/provider.ts';
import type { Usage } from '../core/usage.ts';

/** What the gateway needs to know of a call whose bytes it passes on. */
export type Call = {
  /** The name the caller sent. */
  model: string;
  stream: boolean;
  /** Per choice; `null` where the caller set none. */
  maxOutputTokens: number | null;
  choices: number;
  /** The caller asked for the usage of a stream. */
  wantsUsage: boolean;
  /** A guess at the prompt's tokens from its bytes alone, for limits. Never billed. */
  estimatedInputTokens: number;
  /** The body as the caller sent it. */
  body: Buffer;
};

/** One server-sent event, as far as a dialect looks at it. */
export type StreamEvent = { event: string | null; data: string };

/**
 * What one event of a stream is for: it only opens the answer, it carries something of it, it must be kept from the
 * caller, it is the end, or it is the vendor's error.
 */
export type Sighting = 'opens' | 'carries' | 'withhold' | 'ends' | 'fails';

/** Looks at a passing stream. It changes nothing. */
export type StreamWatch = {
  see(event: StreamEvent): Sighting;
  /** Whether the answer is whole by its dialect's own rule. */
  complete(): boolean;
  /** What the vendor said of the tokens, so far. */
  usage(): Usage | null;
  /** What was produced so far, to be counted where the vendor did not. */
  output(): ProducedText;
  /** After `fails`: the vendor's error in our words. */
  error(): GatewayError;
};

/** Text to count tokens of. `unseen` characters were produced beyond what is kept. */
export type ProducedText = { text: string; unseen: number };

/** What is read from a whole answer. */
export type WholeAnswer = { usage: Usage | null; error: GatewayError | null; output(): ProducedText };

export type WriteOptions = {
  /** The name the vendor knows the model by. */
  upstreamModel: string;
  /** Of a stream's usage: ask for it even if the caller did not, leave it to the caller, or never (the vendor refuses the question). */
  streamUsage: 'ask' | 'as-sent' | 'never';
};

/** What limits a reader holds its input to. */
export type ReadLimits = { maxJsonDepth: number; maxEmbeddingInputs: number };

/** A wire format. It is read and written, and knows no host, key, clock or socket. An absent half is unsupported. */
export type Dialect = {
  id: DialectId;
  /** What callers and people call it. */
  label: string;
  inbound: {
    /** Throws `GatewayError` (400) with the field at fault. */
    readCall(body: Buffer, limits: ReadLimits): Call;
    writeError(error: GatewayError): string;
    stream?: {
      /** An error for a caller who has seen a part of the answer. */
      writeError(error: GatewayError): string;
      /** Sent while a stream is silent. */
      keepAlive: string;
      /** The end that a whole stream must not lack. */
      terminal: string;
    };
  };
  outbound: {
    /** The body to send. Bytes that need no change are not changed. */
    writeCall(call: Call, options: WriteOptions): Buffer;
    /** Reads a vendor's refusal. The words are the vendor's: the caller of this cleans them of key and host. */
    readError(status: number, headers: UpstreamHeaders, body: string): GatewayError;
    /** Reads a complete answer; throws `GatewayError` (502) where it is not what the dialect says. */
    readAnswer(body: Buffer): WholeAnswer;
    watch?(call: Call): StreamWatch;
    /** The prompt's text, to count its tokens. */
    promptText(call: Call): string;
  };
};
