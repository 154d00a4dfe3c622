import type { CallSummary } from '../core/route.ts';
import { JsonNode } from '../json/node.ts';
import { JsonError } from '../json/scan.ts';
import { type RequestBody, rootOf } from './request.ts';

/** The most characters kept of a call's texts; of a user turn its beginning and its end. */
const MAX_SYSTEM = 8192;
const USER_HEAD = 8192;
const USER_TAIL = 4096;
/** Separate limits, so that a long system text does not make the openings of all conversations equal. */
const OPENING_SYSTEM = 4095;
const OPENING_USER = 2048;

const MAX_PAIRS = 16;
/** The most characters of a name or value. */
const MAX_WORD = 512;

/** The kind of a message part by its type in the dialect. A map, since a caller may send any name. */
export type PartKinds = ReadonlyMap<unknown, 'text' | 'image' | 'audio' | 'file'>;

/** What a call contains besides its conversation. Values of a wrong type count as missing. */
export type Aside = {
  body: JsonNode;
  /** The entries of its tools and functions. */
  tools: readonly JsonNode[];
  structuredOutput: boolean;
  user: JsonNode | null;
  metadata: Readonly<Record<string, unknown>>;
};

/** The summary that `read` makes of a body; an empty one if a text in it is invalid, because its vendor will refuse it. */
export function summaryOf(
  call: RequestBody,
  read: (body: JsonNode, summary: SummaryBuilder) => CallSummary,
): CallSummary {
  try {
    return read(rootOf(call), new SummaryBuilder());
  } catch (error) {
    if (error instanceof JsonError) return NOTHING_SAID;
    throw error;
  }
}

/** The items of a list; none if the value is not a list. */
export function itemsOf(value: JsonNode | null): readonly JsonNode[] {
  return value?.items() ?? NO_ITEMS;
}

/** The value; `null` if it is JSON null or missing. */
export function given(value: JsonNode | null): JsonNode | null {
  return value?.isNull ? null : value;
}

const NO_ITEMS: readonly JsonNode[] = [];

/** The strings of a list. */
export function textsOf(value: JsonNode | null): readonly JsonNode[] {
  return itemsOf(value).filter(({ isText }) => isText);
}

/** The parsed object; an empty one if the value is not an object. */
export function parsedObject(value: JsonNode | null): Readonly<Record<string, unknown>> {
  return value?.isObject ? (value.parsed() as Readonly<Record<string, unknown>>) : {};
}

/** Whether a response format requires JSON. */
export function bindsToJson(format: JsonNode | null | undefined): boolean {
  const type = format?.get('type')?.text;
  return type === 'json_schema' || type === 'json_object';
}

/** Collects what routing reads of a conversation, independent of its dialect. Never throws; what it keeps is bounded. */
export class SummaryBuilder {
  #images = false;
  #audio = false;
  #files = false;
  #turns = 0;
  #midTurn = false;
  /** Whether an assistant turn was seen, which ends the opening. */
  #answered = false;
  #lastUser: readonly JsonNode[] = [];
  readonly #system = new Excerpt(MAX_SYSTEM, 0);
  readonly #openingSystem = new Excerpt(OPENING_SYSTEM, 0);
  readonly #openingUser = new Excerpt(OPENING_USER, OPENING_USER);

  /** The texts of a content, which is a string or parts. Notes other kinds of parts. */
  texts(content: JsonNode | null, kinds: PartKinds): readonly JsonNode[] {
    if (content === null) return NO_ITEMS;
    if (content.isText) return content.isEmptyText ? NO_ITEMS : [content];
    const texts: JsonNode[] = [];
    for (const part of content.items()) {
      const text = this.part(part, kinds);
      if (text !== null) texts.push(text);
    }
    return texts;
  }

  /** The text of a part. Notes other kinds of parts. */
  part(part: JsonNode, kinds: PartKinds): JsonNode | null {
    const kind = kinds.get(part.get('type')?.text);
    const text = kind === 'text' ? part.get('text') : null;
    if (text?.isText && !text.isEmptyText) return text;
    this.#note(kind);
    return null;
  }

  /** Notes audio that is not a message part. */
  hears(): void {
    this.#audio = true;
  }

  /** Adds system text, which does not change whose turn it is. */
  system(texts: readonly JsonNode[]): void {
    this.#system.add(texts);
    if (!this.#answered) this.#openingSystem.add(texts);
  }

  user(texts: readonly JsonNode[]): void {
    this.#turns += 1;
    this.#midTurn = false;
    if (texts.length > 0) this.#lastUser = texts;
    if (!this.#answered) this.#openingUser.add(texts);
  }

  assistant(): void {
    this.#turns += 1;
    this.#midTurn = false;
    this.#answered = true;
  }

  toolResult(): void {
    this.#midTurn = true;
    this.#answered = true;
  }

  build({ body, tools, structuredOutput, user, metadata }: Aside): CallSummary {
    const lastUser = new Excerpt(USER_HEAD, USER_TAIL);
    lastUser.add(this.#lastUser);
    return {
      tools: tools.filter(({ isObject, isList }) => isObject || isList).length,
      images: this.#images,
      audio: this.#audio,
      files: this.#files,
      structuredOutput,
      turns: this.#turns,
      midTurn: this.#midTurn,
      system: this.#system.text,
      lastUser: lastUser.text,
      opening: [this.#openingSystem.text, this.#openingUser.text].filter((text) => text !== '').join('\n'),
      user: wordOf(user),
      metadata: pairsOf(metadata),
      cacheKey: wordOf(body.get('prompt_cache_key')),
      previousResponseId: wordOf(body.get('previous_response_id')),
      models: body.get('models')?.parsed(),
      provider: body.get('provider')?.parsed(),
    };
  }

  #note(kind: 'text' | 'image' | 'audio' | 'file' | undefined): void {
    switch (kind) {
      case 'image':
        this.#images = true;
        return;
      case 'audio':
        this.#audio = true;
        return;
      case 'file':
        this.#files = true;
        return;
      case 'text':
      case undefined:
        return;
      default:
        return kind satisfies never;
    }
  }
}

/** A tail is cut only at this many times its limit: cutting it for each of a million short texts would be slow. */
const CUT_AT = 16;

/** The beginning and the end of texts joined by line ends. */
class Excerpt {
  readonly #most: number;
  readonly #tailLength: number;
  #head = '';
  #tail = '';

  constructor(headLength: number, tailLength: number) {
    this.#most = headLength;
    this.#tailLength = tailLength;
  }

  get text(): string {
    return this.#tail === '' ? this.#head : this.#head + this.#tail.slice(-this.#tailLength);
  }

  add(texts: readonly JsonNode[]): void {
    for (const { text } of texts) {
      const line = this.#head === '' ? (text ?? '') : `\n${text}`;
      const room = this.#most - this.#head.length;
      this.#head += line.slice(0, room);
      if (this.#tailLength === 0 || line.length <= room) continue;
      this.#tail += line.slice(room);
      if (this.#tail.length > CUT_AT * this.#tailLength) this.#tail = this.#tail.slice(-this.#tailLength);
    }
  }
}

/** The text of a name or value; `null` if it is empty or too long. */
function wordOf(value: JsonNode | null): string | null {
  const text = value?.text ?? '';
  return text !== '' && text.length <= MAX_WORD ? text : null;
}

function pairsOf(metadata: Aside['metadata']): Record<string, string> {
  const pairs = Object.entries(metadata).filter(
    (pair): pair is [string, string] =>
      typeof pair[1] === 'string' && pair[1].length <= MAX_WORD && pair[0].length <= MAX_WORD,
  );
  return Object.fromEntries(pairs.slice(0, MAX_PAIRS));
}

const NOTHING_SAID = new SummaryBuilder().build({
  body: new JsonNode({ body: Buffer.from('{}'), tape: [0, 0, 2, 4] }),
  ...{ tools: [], structuredOutput: false, user: null, metadata: {} },
});
