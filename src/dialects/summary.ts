import type { CallSummary } from '../core/route.ts';
import { JsonNode } from '../json/node.ts';
import { JsonError } from '../json/scan.ts';
import { type ReadBody, rootOf } from './request.ts';

/** Characters that are kept of the texts of a call; of a user's turn its beginning and its end. */
const MAX_SYSTEM = 8192;
const USER_HEAD = 8192;
const USER_TAIL = 4096;
/** Both parts of an opening have a half of their own, so that a long system text does not make all conversations one. */
const OPENING_SYSTEM = 4095;
const OPENING_USER = 2048;

const MAX_PAIRS = 16;
/** Characters of a name or value that stands for itself. */
const MAX_WORD = 512;

/** What a part of a message is, by the name its dialect has for it. A map, since a caller may send any name. */
export type PartKinds = ReadonlyMap<unknown, 'text' | 'image' | 'audio' | 'file'>;

/** What a call says beside its conversation. What is not what it should be counts as not said. */
export type Aside = {
  body: JsonNode;
  /** The items of its lists of tools and functions. */
  tools: readonly JsonNode[];
  structuredOutput: boolean;
  user: JsonNode | null;
  metadata: Readonly<Record<string, unknown>>;
};

/** What `read` makes of a body. Of one in which a text that is looked at is broken, which its vendor will refuse, nothing is said. */
export function summaryOf(call: ReadBody, read: (body: JsonNode, summary: SummaryBuilder) => CallSummary): CallSummary {
  try {
    return read(rootOf(call), new SummaryBuilder());
  } catch (error) {
    if (error instanceof JsonError) return NOTHING_SAID;
    throw error;
  }
}

/** The items of a list; none in place of anything else. */
export function itemsOf(value: JsonNode | null): readonly JsonNode[] {
  return value?.items() ?? NO_ITEMS;
}

/** The value; nothing in place of a null. */
export function given(value: JsonNode | null): JsonNode | null {
  return value?.isNull ? null : value;
}

const NO_ITEMS: readonly JsonNode[] = [];

/** The texts in a list. */
export function textsOf(value: JsonNode | null): readonly JsonNode[] {
  return itemsOf(value).filter(({ isText }) => isText);
}

/** The object, built; an empty one in place of anything else. */
export function objectOf(value: JsonNode | null): Readonly<Record<string, unknown>> {
  return value?.isObject ? (value.parsed() as Readonly<Record<string, unknown>>) : {};
}

/** Whether an answer's format of this `type` binds it to JSON. */
export function bindsToJson(format: JsonNode | null | undefined): boolean {
  const type = format?.get('type')?.text;
  return type === 'json_schema' || type === 'json_object';
}

/**
 * Gathers what routing looks at from a conversation, in its order, whatever its dialect. Nothing in it throws, and what
 * it keeps is bounded.
 */
export class SummaryBuilder {
  #images = false;
  #audio = false;
  #files = false;
  #turns = 0;
  #midTurn = false;
  /** Something of the assistant's was seen: what follows is not the opening any more. */
  #answered = false;
  #lastUser: readonly JsonNode[] = [];
  readonly #system = new Excerpt(MAX_SYSTEM, 0);
  readonly #openingSystem = new Excerpt(OPENING_SYSTEM, 0);
  readonly #openingUser = new Excerpt(OPENING_USER, OPENING_USER);

  /** The texts of a content, a string or parts; what else its parts are is noted. */
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

  /** The text of one part; what else it is is noted. */
  part(part: JsonNode, kinds: PartKinds): JsonNode | null {
    const kind = kinds.get(part.get('type')?.text);
    const text = kind === 'text' ? part.get('text') : null;
    if (text?.isText && !text.isEmptyText) return text;
    this.#note(kind);
    return null;
  }

  /** The caller wants or sends sound otherwise than as a part of a message. */
  hears(): void {
    this.#audio = true;
  }

  /** Where it stands says nothing of whose turn it is. */
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

/** A tail is cut when it is so many times as long as it may be: to cut it at each of a million short texts would copy it each time. */
const CUT_AT = 16;

/** The beginning and the end of texts that are put together by lines. */
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

/** A word as it stands; a longer one is nobody's name for anything. */
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
  body: new JsonNode({ body: Buffer.from('{}'), text: '{}', tape: [0, 0, 2, 4] }),
  ...{ tools: [], structuredOutput: false, user: null, metadata: {} },
});
