import { GatewayError } from '../../core/errors.ts';
import { NO_LOSSES } from '../../core/losses.ts';
import type { Counts, Usage } from '../../core/usage.ts';
import { parseJson } from '../../json/parse.ts';
import { endOfStringInText } from '../../json/string-ends.ts';
import type { Envelope, EventRole, OutputItem, ProducedText, StreamEvent, StreamWatch } from '../dialect.ts';
import { isFailureReason } from '../finish-reasons.ts';
import { transformationsOf } from '../input-transformations.ts';
import { KeptText } from '../kept-text.ts';
import type { FoundSeal } from '../seal-marks.ts';
import { isList, objectOf, textOf, type Unchecked } from '../unchecked-json.ts';
import { badPiece, brokenOff, readInnerError, readUnnamedError } from '../vendor-errors.ts';
import { errorFrame } from './errors.ts';
import { isReason } from './finish.ts';
import { wordsOf } from './produced-text.ts';
import { sealsOfStep } from './sealed-steps.ts';
import { sealsOfBlocks, sealsOfCompaction } from './seals.ts';
import { ShownCalls } from './shown-calls.ts';
import { mergeUsage, readPromptUsage, readUsage } from './usage.ts';

/** Members of a delta that contain streamed text, as searched for in the raw JSON. */
const TEXT_MEMBERS = ['"text":', '"partial_json":', '"thinking":'];
const NO_ITEMS: readonly OutputItem[] = [];
const DELTA = '{"type":"content_block_delta"';

/**
 * Watches a stream that passes through.
 *
 * /!\ Hot path: most events are deltas, which are not parsed. A quote inside a JSON string is always escaped, so
 * `"text":` in the raw bytes is always a member name, never text.
 */
export function watchStream({ thread, compared }: Pick<Envelope, 'thread' | 'compared'> = {}): StreamWatch {
  return new MessageWatch(thread !== undefined || compared !== undefined);
}

class MessageWatch implements StreamWatch {
  /** Whether the answer's id is kept for calls that refer to it. */
  readonly #isNamed: boolean;
  #id = '';
  #carried = false;
  /** Whether no block is open, or the message has its stop reason. */
  #answered = false;
  /** Whether the message has its stop reason, without which `message_stop` ends none. */
  #reasoned = false;
  #stopped = false;
  #usage: Unchecked = {};
  /** Whether the output tokens are final. The count at a stream's start is not; only its end has it. */
  #counted = false;
  readonly #shown = new ShownCalls();
  #error: GatewayError | null = null;
  omitted = NO_LOSSES;
  found: readonly FoundSeal[] | null = null;
  /** Whether the signature of the present block has begun: only its first piece is marked. */
  #signed = false;
  readonly #kept = new KeptText();

  constructor(isNamed: boolean) {
    this.#isNamed = isNamed;
  }

  see({ event, data }: StreamEvent): EventRole {
    if ((event === 'content_block_delta' || data.startsWith(DELTA)) && isObject(data)) return this.#seeDelta(data);
    if (event === 'ping' && isObject(data)) return this.#opens();
    if (data === '[DONE]') return 'withhold'; // Some servers with this format end with it, but it is not part of the format.
    let read: unknown;
    try {
      read = parseJson(data);
    } catch (cause) {
      return this.#fail(badPiece('is not JSON', cause));
    }
    return this.#seeParsed(event, objectOf(read));
  }

  complete(): boolean {
    return this.#stopped && this.#reasoned;
  }

  answered(): boolean {
    return this.#answered;
  }

  usage(): Usage | null {
    return this.#counted ? readUsage(this.#usage, this.#shown) : null;
  }

  promptUsage(): Usage | null {
    return readPromptUsage(this.#usage, this.#shown);
  }

  shownCalls(): Counts | undefined {
    return this.#shown.counts;
  }

  output(): ProducedText {
    return this.#kept.produced();
  }

  outputItems(): readonly OutputItem[] {
    return this.#isNamed ? [{ id: this.#id, json: '' }] : NO_ITEMS;
  }

  error(): GatewayError {
    return this.#error ?? new GatewayError('internal', 'The stream did not fail.');
  }

  writeFailure(error: GatewayError): string {
    return errorFrame(error);
  }

  #seeDelta(data: string): EventRole {
    for (const member of TEXT_MEMBERS) {
      let at = data.indexOf(member);
      if (at < 0) continue;
      at += member.length;
      while (data.charCodeAt(at) === 0x20) at += 1;
      if (data.charCodeAt(at) !== 0x22) continue;
      const text = data.slice(at + 1, endOfStringInText(data, at + 1));
      if (text === '') return this.#opens();
      this.#kept.keep(text);
      this.#carried = true;
      return 'carries';
    }
    if (!this.#signed && data.includes('"signature_delta"')) this.#noteSignature(data);
    else if (data.includes('"compaction_delta"') || data.includes('"citations_delta"')) this.#noteSeals(data);
    this.#carried = true;
    return 'carries';
  }

  #noteSignature(data: string): void {
    let value: unknown;
    try {
      value = objectOf(objectOf(parseJson(data)).delta).signature;
    } catch {
      return; // It passes as it is.
    }
    if (typeof value !== 'string' || value === '') return;
    this.#signed = true;
    this.found = [{ name: 'signature', value, form: 'signature' }];
  }

  /** Notes the seals of a piece that holds them whole. */
  #noteSeals(data: string): void {
    try {
      const delta = objectOf(objectOf(parseJson(data)).delta);
      const isCitation = delta.type === 'citations_delta';
      const found = isCitation ? sealsOfStep({ type: 'text', citations: [delta.citation] }) : sealsOfCompaction(delta);
      if (found.length > 0) this.found = found;
    } catch {
      return; // It passes as it is.
    }
  }

  #seeParsed(event: string | null, read: Unchecked): EventRole {
    const type = typeof read.type === 'string' ? read.type : event;
    if (type === 'error' || event === 'error' || read.error) return this.#fail(readInnerError(read));
    const unnamed = type === null ? readUnnamedError(read) : null;
    if (unnamed !== null) return this.#fail(unnamed);
    switch (type) {
      case 'message_start': {
        const message = objectOf(read.message);
        const { id, usage, content, stop_reason: stopReason } = message;
        this.omitted = transformationsOf(message);
        this.#id = textOf(id) || this.#id;
        this.#usage = mergeUsage(this.#usage, usage);
        // A message that starts with a stop reason (calls by the vendor's own code do) already has final counts.
        this.#reasoned ||= isReason(stopReason);
        this.#counted ||= this.#reasoned;
        return isList(content) && content.length > 0 ? this.#seeBlocks(content) : this.#opens();
      }
      case 'content_block_start':
        this.#answered = false;
        this.#signed = false;
        return this.#seeBlocks([read.content_block]);
      case 'content_block_stop':
        this.#answered = true;
        return this.#opens();
      case 'message_delta':
        this.#answered = true;
        this.#reasoned ||= isReason(objectOf(read.delta).stop_reason);
        if (this.omitted.length === 0) this.omitted = transformationsOf(read);
        this.#usage = mergeUsage(this.#usage, read.usage);
        this.#counted ||= objectOf(read.usage).output_tokens !== undefined;
        if (isFailureReason(objectOf(read.delta).stop_reason)) return this.#fail(brokenOff());
        this.#carried = true;
        return 'carries';
      case 'message_stop':
        this.#stopped = true;
        return 'ends';
      default:
        return this.#opens();
    }
  }

  /** A text or thinking block starts empty; any other block is content. */
  #seeBlocks(blocks: readonly unknown[]): EventRole {
    const found = sealsOfBlocks(blocks);
    if (found.length > 0) this.found = found;
    for (const block of blocks) {
      const words = wordsOf(block);
      this.#kept.keepWord(words);
      const read = objectOf(block);
      const { type } = read;
      this.#shown.see(read);
      if (words !== '' || (type !== 'text' && type !== 'thinking')) this.#carried = true;
    }
    return this.#opens();
  }

  /** After the first content no event counts as opening. */
  #opens(): EventRole {
    return this.#carried ? 'carries' : 'opens';
  }

  #fail(error: GatewayError): EventRole {
    this.#error = error;
    return 'fails';
  }
}

function isObject(data: string): boolean {
  return data.charCodeAt(0) === 0x7b && data.charCodeAt(data.length - 1) === 0x7d;
}
