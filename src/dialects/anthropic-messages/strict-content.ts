import type { Losses } from '../../core/losses.ts';
import { type Edit, splice } from '../../json/edits.ts';
import { isWord } from '../../json/scan.ts';
import { memberAt, memberRange, TAPE_STEP, type Tape } from '../../json/tape.ts';
import type { Envelope } from '../dialect.ts';
import { mediaTypeOf, unbroken } from '../media.ts';
import { parsedBody, type RequestBody, readRequestBody } from '../request.ts';
import { isList, objectOf, textOf, type Unchecked } from '../unchecked-json.ts';
import { parseCall } from './body.ts';
import { withoutTrailingThinking } from './thinking-turn.ts';

/** How deep a rewritten body may be nested: no deeper than the caller's. */
const MAX_DEPTH = 4096;
/** The characters of a file by which its type is known. */
const HEAD = 32;
/** The most characters of a line where base64 is broken into lines, with the break. */
const LINE = 82;

/**
 * An untranslated call without what Anthropic refuses: blank texts, thinking at the end of a model's turn, and white
 * space at the end of a last assistant turn are removed, images get the type of their bytes, and base64 loses its line
 * breaks. The same envelope if nothing changes.
 */
export function withStrictContent(call: Envelope, losses: Losses): Envelope {
  if (!mayBeRefused(call)) return call;
  const { system, messages } = objectOf(parsedBody(call, parseCall));
  const edits: Edit[] = [];
  const replace = (name: string, value: unknown) => {
    edits.push({ ...memberRange(call.body, call.index, name)!, text: JSON.stringify(value) });
  };
  if (isList(system) && system.some(isBlank)) {
    replace(
      'system',
      system.filter((block) => !isBlank(block)),
    );
  }
  if (isList(messages)) {
    const written = mendedTurns(messages, losses);
    if (written.length > 0 && JSON.stringify(written) !== JSON.stringify(messages)) replace('messages', written);
  }
  if (edits.length === 0) return call;
  edits.sort((one, other) => one.start - other.start);
  return { ...call, ...readRequestBody(splice(call.body, edits), MAX_DEPTH) };
}

function mendedTurns(messages: readonly unknown[], losses: Losses): unknown[] {
  const turns = messages.flatMap((message, index) => {
    const { role, content } = objectOf(message);
    const isModels = role === 'assistant';
    const isLast = index === messages.length - 1;
    if (typeof content === 'string') {
      const text = isModels && isLast ? content.trimEnd() : content;
      return text.trim() === '' ? [] : [{ ...objectOf(message), content: text }];
    }
    if (!isList(content)) return [message];
    const blocks = content.filter((block) => !isBlank(block)).map((block) => mended(objectOf(block)));
    const kept = isModels ? withoutTrailingThinking(blocks) : blocks;
    if (kept.length < blocks.length) losses.add('reasoning');
    const ended = isModels && isLast ? trimmed(kept) : kept;
    return ended.length === 0 && content.length > 0 ? [] : [{ ...objectOf(message), content: ended }];
  });
  return turns;
}

/** A block with its tool results and images in the form that Anthropic accepts. */
function mended(block: Unchecked): Unchecked {
  const { type, content, source } = block;
  if (type === 'tool_result' && isList(content)) {
    return { ...block, content: content.filter((each) => !isBlank(each)).map((each) => mended(objectOf(each))) };
  }
  const { type: form, media_type: named, data } = objectOf(source);
  if (form !== 'base64' || typeof data !== 'string') return block;
  const whole = { ...objectOf(source), data: unbroken(data) };
  const shown = mediaTypeOf(textOf(named), whole.data.slice(0, HEAD));
  if (type !== 'image') return { ...block, source: whole };
  const kind = shown === 'application/pdf' ? 'document' : 'image';
  return { ...block, type: kind, source: { ...whole, media_type: shown } };
}

function trimmed(blocks: Unchecked[]): Unchecked[] {
  const last = blocks.at(-1);
  if (last?.type !== 'text') return blocks;
  return [...blocks.slice(0, -1), { ...last, text: textOf(last.text).trimEnd() }];
}

function isBlank(block: unknown): boolean {
  const { type, text } = objectOf(block);
  return type === 'text' && typeof text === 'string' && text.trim() === '';
}

const THINKING = ['"thinking"', '"redacted_thinking"'];
const QUOTE = 0x22;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const SLASH = 0x2f;
/** An escape that may be white space. */
const ESCAPED_BREAK = /\\[nrtu]/;
/** The bytes that white space may begin with in JSON: ASCII's, an escape, and the first of others in UTF-8. */
const SPACE_BYTES = new Set([0x20, 0x5c, 0xc2, 0xe1, 0xe2, 0xe3, 0xef]);
const BEGINS_BLANK = /^(?:\s|\\[nrtf]|\\u[\da-fA-F]{4})/;
const ENDS_BLANK = /(?:\s|\\[nrtf]|\\u[\da-fA-F]{4})$/;
/** The bytes that show how a text begins and ends. */
const EDGE = 12;

/**
 * Whether a call may hold what Anthropic refuses.
 *
 * /!\ Hot path: reads the tape of the scan; of each text one byte at its beginning, of each file its type and the beginning.
 */
function mayBeRefused({ body, index }: RequestBody): boolean {
  const look = new ContentLook(body, index.tape);
  const system = memberAt(body, index, 'system');
  if (system >= 0 && body[index.tape[system + 1]!] === OPEN_BRACKET && look.hasOddBlock(system)) return true;
  const messages = memberAt(body, index, 'messages');
  const end = messages < 0 ? 0 : index.tape[messages + 3]!;
  for (let at = messages + TAPE_STEP; at < end; at = index.tape[at + 3]!) {
    if (look.isOddTurn(at, index.tape[at + 3]! >= end)) return true;
  }
  return false;
}

class ContentLook {
  readonly #body: Buffer;
  readonly #tape: Tape;

  constructor(body: Buffer, tape: Tape) {
    this.#body = body;
    this.#tape = tape;
  }

  isOddTurn(turn: number, isLast: boolean): boolean {
    const tape = this.#tape;
    const end = tape[turn + 3]!;
    let content = -1;
    let isModels = false;
    for (let at = turn + TAPE_STEP; at < end; at = tape[at + 3]!) {
      if (this.#isNamed(at, 'content"')) content = at;
      else if (this.#isNamed(at, 'role"')) isModels = isWord(this.#body, tape[at + 1]!, '"assistant"');
    }
    if (content < 0) return false;
    if (this.#body[tape[content + 1]!] === QUOTE) {
      return this.#isBlankAt(content) || (isModels && isLast && this.#endsBlank(content));
    }
    return this.hasOddBlock(content) || (isModels && this.#endsOddly(content, isLast));
  }

  /** Whether a list of blocks has a blank text, or a file under a wrong type. */
  hasOddBlock(list: number): boolean {
    const tape = this.#tape;
    const end = tape[list + 3]!;
    for (let block = list + TAPE_STEP; block < end; block = tape[block + 3]!) {
      const last = tape[block + 3]!;
      for (let at = block + TAPE_STEP; at < last; at = tape[at + 3]!) if (this.#isOddMember(at, block)) return true;
    }
    return false;
  }

  #isOddMember(at: number, block: number): boolean {
    switch (this.#body[this.#tape[at + 1]!]) {
      case QUOTE:
        return this.#isNamed(at, 'text"') && this.#isBlankAt(at);
      case OPEN_BRACKET:
        return this.#isNamed(at, 'content"') && this.hasOddBlock(at);
      default:
        return this.#isNamed(at, 'source"') && this.#isMistyped(at, block);
    }
  }

  /** Whether a file's type is not that of its bytes, or is not an image's in an image block, or its base64 has line breaks. */
  #isMistyped(source: number, block: number): boolean {
    const tape = this.#tape;
    const end = tape[source + 3]!;
    let [type, named, data] = [-1, -1, -1];
    for (let at = source + TAPE_STEP; at < end; at = tape[at + 3]!) {
      if (this.#isNamed(at, 'type"')) type = at;
      else if (this.#isNamed(at, 'media_type"')) named = at;
      else if (this.#isNamed(at, 'data"')) data = at;
    }
    if (data < 0 || type < 0 || !isWord(this.#body, tape[type + 1]!, '"base64"')) return false;
    if (this.#isBroken(data)) return true;
    const [head, mediaType] = [this.#text(data, HEAD), named < 0 ? '' : this.#text(named)];
    if (head === '') return false;
    return mediaTypeOf(mediaType, head) !== mediaType || (!mediaType.startsWith('image/') && this.#isImage(block));
  }

  /** Whether base64 has a line break, which JSON escapes, in its first line or at its end. Some encoders escape its slashes, too. */
  #isBroken(at: number): boolean {
    const end = this.#tape[at + 2]!;
    if (this.#body[end - 3] === BACKSLASH && this.#body[end - 2] !== SLASH) return true;
    return ESCAPED_BREAK.test(this.#text(at, LINE));
  }

  #isImage(block: number): boolean {
    const tape = this.#tape;
    const end = tape[block + 3]!;
    for (let at = block + TAPE_STEP; at < end; at = tape[at + 3]!) {
      if (this.#isNamed(at, 'type"')) return isWord(this.#body, tape[at + 1]!, '"image"');
    }
    return false;
  }

  /** Whether the model's turn ends in thinking, or the last in white space. */
  #endsOddly(list: number, isLast: boolean): boolean {
    const tape = this.#tape;
    const end = tape[list + 3]!;
    let block = -1;
    for (let at = list + TAPE_STEP; at < end; at = tape[at + 3]!) block = at;
    const last = block < 0 ? 0 : tape[block + 3]!;
    for (let at = block + TAPE_STEP; at < last; at = tape[at + 3]!) {
      if (this.#isNamed(at, 'type"') && THINKING.some((word) => isWord(this.#body, tape[at + 1]!, word))) return true;
      if (isLast && this.#isNamed(at, 'text"') && this.#endsBlank(at)) return true;
    }
    return false;
  }

  /** Whether a text is empty or begins with white space, and may be nothing else. */
  #isBlankAt(at: number): boolean {
    const first = this.#body[this.#tape[at + 1]! + 1]!;
    if (first === QUOTE) return true;
    if (!SPACE_BYTES.has(first)) return false;
    return BEGINS_BLANK.test(this.#text(at, EDGE)) && isBlankJson(this.#text(at));
  }

  #endsBlank(at: number): boolean {
    return ENDS_BLANK.test(
      this.#body.toString('utf8', Math.max(this.#tape[at + 1]!, this.#tape[at + 2]! - EDGE), this.#tape[at + 2]! - 1),
    );
  }

  /** A string as its bytes stand, without its quotes, or the beginning of it. */
  #text(at: number, most = Number.POSITIVE_INFINITY): string {
    const [start, end] = [this.#tape[at + 1]! + 1, this.#tape[at + 2]! - 1];
    return this.#body.toString('utf8', start, Math.min(end, start + most));
  }

  #isNamed(at: number, name: string): boolean {
    return isWord(this.#body, this.#tape[at]! + 1, name);
  }
}

function isBlankJson(text: string): boolean {
  return text.replace(/\\[nrtf]|\\u[\da-fA-F]{4}/g, ' ').trim() === '';
}
