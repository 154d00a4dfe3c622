import type { CallLook } from '../core/route.ts';
import type { Envelope } from './dialect.ts';

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

/** An object of a body, of which nothing is known. */
export type Seen = Readonly<Record<string, unknown>>;

/** What a call says beside its conversation. What is not what it should be counts as not said. */
export type Aside = {
  body: Seen;
  /** The lists of tools and functions. */
  tools: readonly unknown[];
  structuredOutput: boolean;
  user: unknown;
  metadata: unknown;
};

/** The body, parsed in full; nothing where it cannot be, which its vendor will refuse. */
export function bodyOf({ body }: Envelope): Seen {
  try {
    return objectOf(JSON.parse(body.toString('utf8')));
  } catch {
    return {};
  }
}

/** The object; an empty one in place of anything else. */
export function objectOf(value: unknown): Seen {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Seen) : {};
}

/** The list; an empty one in place of anything else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Whether an answer's format of this `type` binds it to JSON. */
export function bindsToJson(format: unknown): boolean {
  const { type } = objectOf(format);
  return type === 'json_schema' || type === 'json_object';
}

/**
 * Gathers what routing looks at from a conversation, in its order, whatever its dialect. Nothing in it throws, and what
 * it keeps is bounded.
 */
export class Sight {
  #images = false;
  #audio = false;
  #files = false;
  #turns = 0;
  #midTurn = false;
  /** Something of the assistant's was seen: what follows is not the opening any more. */
  #answered = false;
  #lastUser: readonly string[] = [];
  readonly #system = new Excerpt(MAX_SYSTEM, 0);
  readonly #openingSystem = new Excerpt(OPENING_SYSTEM, 0);
  readonly #openingUser = new Excerpt(OPENING_USER, OPENING_USER);

  /** The texts of a content, a string or parts; what else its parts are is noted. */
  texts(content: unknown, kinds: PartKinds): readonly string[] {
    if (typeof content === 'string') return content === '' ? [] : [content];
    const texts: string[] = [];
    for (const part of listOf(content)) {
      const { type, text } = objectOf(part);
      const kind = kinds.get(type);
      if (kind === 'text' && typeof text === 'string' && text !== '') texts.push(text);
      else this.#note(kind);
    }
    return texts;
  }

  /** The caller wants or sends sound otherwise than as a part of a message. */
  hears(): void {
    this.#audio = true;
  }

  /** Where it stands says nothing of whose turn it is. */
  system(texts: readonly string[]): void {
    this.#system.add(texts);
    if (!this.#answered) this.#openingSystem.add(texts);
  }

  user(texts: readonly string[]): void {
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

  look({ body, tools, structuredOutput, user, metadata }: Aside): CallLook {
    const lastUser = new Excerpt(USER_HEAD, USER_TAIL);
    lastUser.add(this.#lastUser);
    return {
      tools: tools.filter((tool) => typeof tool === 'object' && tool !== null).length,
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
      cacheKey: wordOf(body.prompt_cache_key),
      previousResponseId: wordOf(body.previous_response_id),
      models: body.models,
      provider: body.provider,
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

  add(texts: readonly string[]): void {
    for (const text of texts) {
      const line = this.#head === '' ? text : `\n${text}`;
      const room = this.#most - this.#head.length;
      this.#head += line.slice(0, room);
      if (this.#tailLength === 0 || line.length <= room) continue;
      this.#tail += line.slice(room);
      if (this.#tail.length > CUT_AT * this.#tailLength) this.#tail = this.#tail.slice(-this.#tailLength);
    }
  }
}

/** A word as it stands; a longer one is nobody's name for anything. */
function wordOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && value.length <= MAX_WORD ? value : null;
}

function pairsOf(metadata: unknown): Record<string, string> {
  const pairs = Object.entries(objectOf(metadata)).filter(
    (pair): pair is [string, string] =>
      typeof pair[1] === 'string' && pair[1].length <= MAX_WORD && pair[0].length <= MAX_WORD,
  );
  return Object.fromEntries(pairs.slice(0, MAX_PAIRS));
}
