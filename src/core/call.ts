import type { DialectId } from './provider.ts';
import type { Seal } from './seal.ts';

/**
 * A call, independent of vendors: the output of every dialect's reader and the input of every writer. A missing member was
 * not sent by the caller. Counts are tokens.
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
  /** The end user of the call, as named by the caller. */
  user?: string;
  metadata?: Readonly<Record<string, string>>;
  /** Calls with the same key share cached prompts. */
  promptCacheKey?: string;
  promptCacheRetention?: string;
  /** Members that the reader does not know, with their dialect. Only that dialect writes them back. */
  extra?: { dialect: DialectId; fields: Readonly<Record<string, unknown>> };
  /** Names of members within messages that the reader left out. No dialect writes them back. */
  omitted?: readonly string[];
};

/**
 * One turn. Tool results are separate turns directly after the assistant's calls. Text, reasoning and calls of one assistant
 * answer are one turn. System text may stand anywhere.
 */
export type Message =
  | { role: 'system' | 'developer'; parts: readonly TextPart[] }
  | { role: 'user'; parts: readonly UserPart[]; name?: string }
  | { role: 'assistant'; parts: readonly AnswerPart[]; name?: string }
  | { role: 'tool'; parts: readonly ToolResultPart[] };

export type UserPart = TextPart | ImagePart | AudioPart | FilePart | NativePart;

/** A part of an assistant's turn or an answer. */
export type AnswerPart = TextPart | RefusalPart | ReasoningPart | ToolCallPart | NativePart;

/** The prompt up to and including this part may be cached for `ttl`. */
export type CacheMark = { ttl: '5m' | '1h' };

export type TextPart = {
  kind: 'text';
  text: string;
  citations?: readonly Citation[];
  logprobs?: readonly TokenLogprob[];
  cache?: CacheMark;
};

/** The model declines. */
export type RefusalPart = { kind: 'refusal'; text: string; logprobs?: readonly TokenLogprob[] };

/** Visible reasoning, its seal that must be returned unchanged, or both. The text may be empty. */
export type ReasoningPart = { kind: 'reasoning'; text: string; form: 'summary' | 'full'; seal: Seal | null };

/**
 * A call of a tool that the caller runs. `input` is as the model wrote it: a JSON object for a function, any text for a
 * custom tool.
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

/** The source of media: an address, base64, plain text, or a vendor's file id. */
export type MediaSource =
  | { kind: 'url'; url: string }
  | { kind: 'data'; mediaType: string; data: string }
  | { kind: 'text'; text: string }
  | { kind: 'id'; dialect: DialectId; id: string };

/**
 * A part that only its own dialect has, such as a call of a vendor's tool. `value` is as on the wire. A web search is also
 * in `search`, for dialects that have it.
 */
export type NativePart = { kind: 'native'; dialect: DialectId; type: string; value: unknown; search?: SearchStep };

/** A step of a vendor's web search, or of opening a page. One step may be the whole search. */
export type SearchStep = {
  /** Joins the parts of one search. */
  id: string;
  /** The queries; absent if an earlier part has them. */
  queries?: readonly string[];
  /** The page that is opened instead of a search. */
  opens?: OpenedPage;
  /** The results, or the opened page; absent if a later part has them. `failed`: the vendor's reason for a failed step. */
  found?: { pages: readonly WebPage[]; failed?: string };
};

/** `pattern`: the text that the model looked for in the page. */
export type OpenedPage = { url: string; pattern?: string };

/** `text`: the part of the page that the model read. `age`: as reported by the vendor. */
export type WebPage = { url: string; title: string; text?: string; age?: string };

/** Offsets are UTF-16 units in the text of the part. `own`: the citation on the wire, written back to its own dialect. */
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

/** The format of both chat and responses. */
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
      /** A JSON Schema; `null` if the tool has no parameters. */
      parameters: Readonly<Record<string, unknown>> | null;
      strict?: boolean;
      /** `strict` came from a format that accepts more schemas than OpenAI's: be strict if the vendor supports the schema. */
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

/** A vendor's web search, which most formats support. `name`: its name in a tool choice. */
export type WebSearch = {
  name: string;
  maxUses?: number;
  allowedDomains?: readonly string[];
  blockedDomains?: readonly string[];
  /** `city`, `country`, `region`, `timezone`. */
  location?: Readonly<Record<string, string>>;
  /** How much of the results the model reads: `low`, `medium`, `high`. */
  contextSize?: string;
  /** True if no page may be fetched. */
  cachedOnly?: boolean;
  /** Options of its own format that no other has, by their names there. */
  omitted?: readonly string[];
};

/** The original tool in the caller's dialect, if only that dialect has it. Calls are written back in that form. */
export type ToolOrigin = { dialect: DialectId; value: Readonly<Record<string, unknown>> };

export type ToolChoice =
  | { mode: 'auto' | 'none' | 'required' }
  | { mode: 'one'; name: string; form: ToolForm }
  /** Only these of the declared tools, by name. */
  | { mode: 'allowed'; required: boolean; names: readonly string[] };

/** The reasoning effort, and how much of the reasoning is shown. */
export type ReasoningWish = {
  /** `none`, `minimal`, `low`, `medium`, `high`, `xhigh`, `max`. */
  effort?: string;
  budgetTokens?: number;
  /** The model decides the effort itself. */
  adaptive?: boolean;
  /** `auto`, `concise`, `detailed`; `none` without text. */
  summary?: string;
  /** The members that said it, where only its own dialect has them: that dialect gets them as they came. */
  own?: { dialect: DialectId; fields: Readonly<Record<string, unknown>> };
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
      /** The caller's format is always strict and has no `strict`: be strict if the vendor supports the schema. */
      held?: true;
    };
