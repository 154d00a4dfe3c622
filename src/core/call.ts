import type { DialectId } from './provider.ts';
import type { Seal } from './seal.ts';

/**
 * A call in no vendor's words: what every dialect's reader makes and every dialect's writer takes. A member that is
 * missing was not said by the caller. Counts are tokens.
 */
export type Call = {
  messages: readonly Message[];
  tools: readonly Tool[];
  toolChoice?: ToolChoice;
  parallelToolCalls?: boolean;
  /** Per choice. */
  maxOutputTokens?: number;
  choices?: number;
  temperature?: number;
  topP?: number;
  topK?: number;
  frequencyPenalty?: number;
  presencePenalty?: number;
  seed?: number;
  stop?: readonly string[];
  logitBias?: Readonly<Record<string, number>>;
  /** The log probabilities of the answer's tokens, with so many alternatives to each (0: none). */
  logprobs?: { top: number };
  reasoning?: ReasoningWish;
  format?: AnswerFormat;
  verbosity?: string;
  serviceTier?: string;
  /** Whom the call is made for, as the operator's customer names them. */
  user?: string;
  metadata?: Readonly<Record<string, string>>;
  /** Calls of one key find each other's cached prompts. */
  promptCacheKey?: string;
  promptCacheRetention?: string;
  /** What the reader did not know, by its name, under the dialect it came in: only that dialect writes it back. */
  extra?: { dialect: DialectId; fields: Readonly<Record<string, unknown>> };
  /** The names of what the reader found within messages and left out. No dialect writes it back. */
  unread?: readonly string[];
};

/**
 * One turn. Tool results are turns of their own, directly behind the assistant's calls; what an assistant said, thought
 * and called in one go is one turn. System text may stand anywhere.
 */
export type Message =
  | { role: 'system' | 'developer'; parts: readonly TextPart[] }
  | { role: 'user'; parts: readonly UserPart[]; name?: string }
  | { role: 'assistant'; parts: readonly AnswerPart[]; name?: string }
  | { role: 'tool'; parts: readonly ToolResultPart[] };

export type UserPart = TextPart | ImagePart | AudioPart | FilePart | NativePart;

/** What an assistant's turn, or an answer, is made of, in its order. */
export type AnswerPart = TextPart | RefusalPart | ReasoningPart | ToolCallPart | NativePart;

/** The prompt up to and with this part may be cached, for so long. */
export type CacheMark = { ttl: '5m' | '1h' };

export type TextPart = {
  kind: 'text';
  text: string;
  citations?: readonly Citation[];
  logprobs?: readonly TokenLogprob[];
  cache?: CacheMark;
};

/** The model says that it will not. */
export type RefusalPart = { kind: 'refusal'; text: string; logprobs?: readonly TokenLogprob[] };

/** Reasoning that may be shown, its proof that must go back byte for byte, or both; the text may be empty. */
export type ReasoningPart = { kind: 'reasoning'; text: string; form: 'summary' | 'full'; seal: Seal | null };

/**
 * A tool that the caller is to run. `input` is JSON (an object) for a function and any text for a custom tool, as the
 * model wrote it.
 */
export type ToolCallPart = {
  kind: 'tool-call';
  id: string;
  name: string;
  input: string;
  form: ToolForm;
  cache?: CacheMark;
};
export type ToolForm = 'function' | 'custom';

export type ToolResultPart = {
  kind: 'tool-result';
  callId: string;
  parts: readonly UserPart[];
  isError: boolean;
  form: ToolForm;
  cache?: CacheMark;
};

export type ImagePart = { kind: 'image'; source: MediaSource; detail?: string; cache?: CacheMark };
/** `format` is a short name: `wav`, `mp3`. */
export type AudioPart = { kind: 'audio'; data: string; format: string };
export type FilePart = { kind: 'file'; source: MediaSource; filename?: string; cache?: CacheMark };

/** Where bytes are: at an address, here (base64), here as plain text, or with a vendor under an id that only it knows. */
export type MediaSource =
  | { kind: 'url'; url: string }
  | { kind: 'data'; mediaType: string; data: string }
  | { kind: 'text'; text: string }
  | { kind: 'id'; dialect: DialectId; id: string };

/**
 * What only its own dialect has a word for: a tool the vendor ran itself, an item without a peer. `value` is as on the wire.
 * A search of the web is said in `search`, too, for dialects that have a word for it.
 */
export type NativePart = { kind: 'native'; dialect: DialectId; type: string; value: unknown; search?: SearchStep };

/** A step of a search that the vendor made itself. One part may be the whole search. */
export type SearchStep = {
  /** Joins the parts of one search. */
  id: string;
  /** What was asked for; left out where an earlier part says it. */
  queries?: readonly string[];
  /** What was found; left out where a later part says it. `failed`: a vendor's word for why nothing was. */
  found?: { pages: readonly WebPage[]; failed?: string };
};

/** `text`: what the model read of the page. `age`: as the vendor says it. */
export type WebPage = { url: string; title: string; text?: string; age?: string };

/** Offsets are UTF-16 units in the text of their part. `own`: as on the wire of its dialect, which gets it back so. */
export type Citation =
  | {
      kind: 'url';
      url: string;
      title: string;
      start: number;
      end: number;
      citedText?: string;
      own?: { dialect: DialectId; value: unknown };
    }
  | { kind: 'native'; dialect: DialectId; value: unknown };

/** As chat and responses both write it. */
export type TokenLogprob = {
  token: string;
  logprob: number;
  bytes: readonly number[] | null;
  top_logprobs: readonly { token: string; logprob: number; bytes: readonly number[] | null }[];
};

export type Tool =
  | {
      kind: 'function';
      name: string;
      description?: string;
      /** A JSON Schema; `null` where the tool takes nothing. */
      parameters: Readonly<Record<string, unknown>> | null;
      strict?: boolean;
      /** `strict` is of a format that takes more schemas than OpenAI's: strict wherever the vendor can be. */
      held?: true;
      cache?: CacheMark;
      origin?: ToolOrigin;
    }
  | {
      kind: 'custom';
      name: string;
      description?: string;
      format?: Readonly<Record<string, unknown>>;
      origin?: ToolOrigin;
    }
  | { kind: 'native'; dialect: DialectId; type: string; value: unknown; search?: WebSearch };

/** A search of the web by the vendor, which most formats have a word for. `name`: as a choice of tools names it. */
export type WebSearch = {
  name: string;
  maxUses?: number;
  allowedDomains?: readonly string[];
  blockedDomains?: readonly string[];
  /** `city`, `country`, `region`, `timezone`. */
  location?: Readonly<Record<string, string>>;
  /** How much of what is found the model reads: `low`, `medium`, `high`. */
  contextSize?: string;
  /** Nothing may be fetched for it. */
  cachedOnly?: boolean;
};

/** What a tool was in its caller's dialect, which alone has a word for it: calls of it are written back as such. */
export type ToolOrigin = { dialect: DialectId; value: Readonly<Record<string, unknown>> };

export type ToolChoice =
  | { mode: 'auto' | 'none' | 'required' }
  | { mode: 'one'; name: string; form: ToolForm }
  /** Of the tools that were declared only these, by name. */
  | { mode: 'allowed'; required: boolean; names: readonly string[] };

/** How much a model shall think, and how much of it the caller wants to see. */
export type ReasoningWish = {
  /** `none`, `minimal`, `low`, `medium`, `high`, `xhigh`, `max`. */
  effort?: string;
  budgetTokens?: number;
  /** The model decides by itself how much. */
  adaptive?: boolean;
  /** `auto`, `concise`, `detailed`; `none` where the caller wants no text of it. */
  summary?: string;
};

export type AnswerFormat =
  | { kind: 'text' }
  | { kind: 'json' }
  | {
      kind: 'schema';
      name?: string;
      description?: string;
      schema: Readonly<Record<string, unknown>>;
      strict?: boolean;
      /** Nothing is said of `strict` in the caller's format, which is always so: strict wherever the vendor can be. */
      held?: true;
    };
