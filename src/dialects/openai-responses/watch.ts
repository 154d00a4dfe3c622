import { GatewayError } from '../../core/errors.ts';
import { NO_LOSSES } from '../../core/losses.ts';
import type { Counts, Usage } from '../../core/usage.ts';
import { parseJson } from '../../json/parse.ts';
import { endOfStringInText } from '../../json/string-ends.ts';
import { scanAnswer } from '../answer-scan.ts';
import type { Envelope, EventRole, OutputItem, ProducedText, StreamEvent, StreamWatch } from '../dialect.ts';
import { transformationsOf } from '../input-transformations.ts';
import { KeptText } from '../kept-text.ts';
import { readUsage, shownCallsIn } from '../openai-usage.ts';
import type { FoundSeal } from '../seal-marks.ts';
import { objectOf, textOf, type Unchecked } from '../unchecked-json.ts';
import { type Failed, Frames } from './frames.ts';
import { sealsOfItems } from './items-read.ts';
import { KeptItems } from './kept-items.ts';
import { collectWords } from './produced-text.ts';
import { writeEcho, writeResponse } from './response-fields.ts';
import { mayShowItem, ShownItems } from './shown-items.ts';
import { endsItem, errorIn, parseEvent, typeOf } from './stream-errors.ts';

/**
 * Watches a responses stream that passes through.
 *
 * /!\ Hot path: most events only carry text, and are not parsed. A quote inside a JSON string is always escaped, so
 * `"type":"response.…` in the raw bytes is always a member, never part of the content.
 */
export function watchStream(call: Envelope): StreamWatch {
  return new ResponseWatch(call);
}

/** The first bytes of the events of OpenAI and most other vendors. */
const FRONT = '{"type":"response.';
const DELTA = '.delta';

/** The type of a delta with its members in another order. */
const DELTA_INSIDE = /"type": ?"response\.[a-z_.]+\.delta"/;
/** Members whose values may contain anything, including what looks like another event. */
const HOLDERS = ['"response":', '"item":', '"error":'];

/** Event types, without their prefix, that are parsed or remembered; those with an item only if items are kept. */
const OPENING: readonly string[] = ['created', 'queued', 'in_progress'];
const ITEMS: readonly string[] = ['output_item.added', 'output_item.done'];
const TERMINAL: readonly string[] = ['completed', 'incomplete', 'failed', 'cancelled'];

const SEALED = '"encrypted_content":';

class ResponseWatch implements StreamWatch {
  readonly #call: Envelope;
  readonly #kept = new KeptText();
  readonly #items: KeptItems | null;
  found: readonly FoundSeal[] | null = null;
  omitted = NO_LOSSES;
  #complete = false;
  #usage: Usage | null = null;
  readonly #shown = new ShownItems();
  /** The calls in the list of a response without usage. */
  #listedCalls: Counts | undefined = undefined;
  #error: GatewayError | null = null;
  /** The last event that contained the whole response, and the last event of any type. */
  #opening = '';
  #last = '';
  #count = 0;

  constructor(call: Envelope) {
    this.#call = call;
    this.#items = call.keepsNothing === true ? null : new KeptItems();
  }

  see({ event, data }: StreamEvent): EventRole {
    if (data === '[DONE]') return 'ends';
    const role = (event === 'error' ? null : this.#glance(data)) ?? this.#read(event, data);
    if (role === 'fails') return role;
    this.#last = data;
    this.#count += 1;
    return role;
  }

  complete(): boolean {
    return this.#complete;
  }

  answered(): boolean {
    const last = parseEvent(this.#last);
    return !(last instanceof GatewayError) && endsItem(typeOf(null, last), last);
  }

  usage(): Usage | null {
    return this.#usage;
  }

  shownCalls(): Counts | undefined {
    return this.#usage === null ? (this.#listedCalls ?? this.#shown.counts) : undefined;
  }

  output(): ProducedText {
    return this.#kept.produced();
  }

  outputItems(): readonly OutputItem[] {
    return this.#items?.items ?? [];
  }

  error(): GatewayError {
    return this.#error ?? new GatewayError('internal', 'The stream did not fail.');
  }

  writeFailure(error: GatewayError): string {
    const last = /"sequence_number": ?(\d+)/.exec(this.#last)?.[1];
    const frames = new Frames(last === undefined ? this.#count : Number(last) + 1);
    return frames.failure(error, (failed) => this.#failedResponse(failed)).join('');
  }

  /** The role of an event if it is known without parsing; `null` if the event must be parsed. */
  #glance(data: string): EventRole | null {
    if (data.charCodeAt(data.length - 1) !== 0x7d) return null;
    if (!data.startsWith(FRONT)) {
      if (data.charCodeAt(0) !== 0x7b) return null;
      if (!DELTA_INSIDE.test(data) || HOLDERS.some((name) => data.includes(name))) return null;
      this.#keepDelta(data);
      return 'carries';
    }
    const end = data.indexOf('"', FRONT.length);
    if (data.startsWith(DELTA, end - DELTA.length)) {
      this.#keepDelta(data);
      return 'carries';
    }
    const rest = data.slice(FRONT.length, end);
    if (OPENING.includes(rest)) {
      this.#opening = data;
      return 'opens';
    }
    if (TERMINAL.includes(rest)) return null;
    if (!ITEMS.includes(rest)) return 'carries';
    return this.#items !== null || data.includes(SEALED) || mayShowItem(data) ? null : 'carries';
  }

  #read(event: string | null, data: string): EventRole {
    const payload = parseEvent(data);
    if (payload instanceof GatewayError) return this.#fail(payload);
    const error = errorIn(event, payload);
    const response = objectOf(payload.response);
    this.#usage = readUsage(response.usage, response) ?? this.#usage;
    if (error !== null) return this.#fail(error);
    const type = typeOf(event, payload);
    switch (type) {
      case 'response.created':
      case 'response.queued':
      case 'response.in_progress':
        this.#opening = data;
        return 'opens';
      case 'keepalive':
        return 'opens';
      case 'response.completed':
      case 'response.incomplete':
        return this.#end(response);
      case 'response.output_item.added':
        this.#noteSeals([payload.item]);
        this.#items?.begun(payload.output_index, payload.item);
        return 'carries';
      case 'response.output_item.done':
        this.#noteSeals([payload.item]);
        this.#items?.done(payload.output_index, payload.item);
        this.#shown.done(payload.output_index, payload.item);
        return 'carries';
      default:
        if (type.endsWith(DELTA)) this.#kept.keepWord(textOf(payload.delta));
        return 'carries';
    }
  }

  #noteSeals(items: unknown): void {
    const found = sealsOfItems(items);
    if (found.length > 0) this.found = found;
  }

  #end(response: Unchecked): EventRole {
    this.#noteSeals(response.output);
    this.omitted = transformationsOf(response);
    this.#complete = true;
    this.#items?.all(response.output);
    if (this.#usage === null) this.#listedCalls = shownCallsIn(response.output);
    if (this.#usage === null && this.#kept.empty) {
      const words: string[] = [];
      collectWords(response.output, words);
      for (const word of words) this.#kept.keepWord(word);
    }
    return 'ends';
  }

  #fail(error: GatewayError): EventRole {
    this.#error = error;
    return 'fails';
  }

  /** Keeps the text of an event that is not parsed. */
  #keepDelta(data: string): void {
    let at = data.indexOf('"delta":');
    if (at < 0) return;
    at += 8;
    while (data.charCodeAt(at) === 0x20) at += 1;
    if (data.charCodeAt(at) === 0x22) this.#kept.keep(data.slice(at + 1, endOfStringInText(data, at + 1)));
  }

  /** The last known response, with status `failed`. */
  #failedResponse(error: Failed): string {
    try {
      scanAnswer(this.#opening);
      const response = objectOf(objectOf(parseJson(this.#opening)).response);
      return JSON.stringify({ ...response, status: 'failed', error });
    } catch {
      // No event contained the response, or it cannot be parsed.
      const echo = writeEcho(this.#call);
      const fields = { id: '', model: this.#call.model, createdAt: 0, echo };
      return writeResponse(fields, { status: 'failed', error, output: [] });
    }
  }
}
