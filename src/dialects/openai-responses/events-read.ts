import type { AnswerEvent } from '../../core/answer.ts';
import { GatewayError } from '../../core/errors.ts';
import type { Counts } from '../../core/usage.ts';
import { AnswerEvents } from '../answer-events.ts';
import type { EventReader, StreamEvent } from '../dialect.ts';
import { fateOf, lostWithin } from '../members.ts';
import { readUsage } from '../openai-usage.ts';
import { isObject, listOf, objectOf, textOf, type Unchecked } from '../unchecked-json.ts';
import { invalid, readAnswerStart, readFinish, shownBeside } from './answer-read.ts';
import { EVENTS, ITEMS, RESPONSE } from './members.ts';
import { ShownItems } from './shown-items.ts';
import { endsItem, errorIn, parseEvent, typeOf } from './stream-errors.ts';
import { StreamItems } from './stream-items.ts';

export function readEvents(): EventReader {
  return new ResponseReader();
}

/** The deepest nesting accepted in an event. No vendor nests this deep; deeper JSON could overflow a recursive reader. */
const MAX_DEPTH = 512;

/** Reads the stream of a response. Ignores events after its end. */
class ResponseReader implements EventReader {
  readonly #events = new AnswerEvents();
  readonly #items = new StreamItems(this.#events);
  readonly #omitted = new Set<string>();
  readonly #shown = new ShownItems();
  #started = false;
  #ended = false;
  /** Whether the last event ended an item. */
  #isBetween = false;

  push({ event, data }: StreamEvent): AnswerEvent[] {
    if (this.#ended || data === '[DONE]') return [];
    const payload = parseEvent(data);
    if (payload instanceof GatewayError) return this.#fail(payload);
    const error = errorIn(event, payload);
    if (error !== null) return this.#fail(error);
    const type = typeOf(event, payload);
    if (!type.endsWith('.delta') && isDeeper(payload, MAX_DEPTH)) {
      return this.#fail(invalid('The provider sent a piece of a stream that is nested too deep.'));
    }
    if (!this.#started && type.startsWith('response.')) this.#start(objectOf(payload.response));
    this.#isBetween = endsItem(type, payload);
    this.#read(type, payload);
    return this.#events.take();
  }

  end(): AnswerEvent[] {
    return [];
  }

  answered(): boolean {
    return this.#isBetween;
  }

  shownCalls(): Counts | undefined {
    return this.#shown.counts;
  }

  #start(response: Unchecked): void {
    this.#started = true;
    this.#events.push({ kind: 'start', ...readAnswerStart(response) });
  }

  #fail(error: GatewayError): AnswerEvent[] {
    this.#ended = true;
    return [...this.#events.take(), { kind: 'failure', error }];
  }

  #read(type: string, payload: Unchecked): void {
    const items = this.#items;
    switch (type) {
      case 'response.completed':
      case 'response.incomplete':
        return this.#finish(type, objectOf(payload.response));
      case 'response.output_item.added':
        return items.added(payload, objectOf(payload.item));
      case 'response.output_item.done':
        lostWithin(payload.item, ITEMS, 'output', { into: this.#omitted });
        this.#shown.done(payload.output_index, payload.item);
        return items.done(payload, objectOf(payload.item));
      case 'response.content_part.added':
      case 'response.content_part.done':
        return this.#readContentPart(payload, objectOf(payload.part), type.endsWith('done'));
      case 'response.output_text.delta':
        return items.at(payload, 'message').delta(contentIndex(payload), 'text', deltaOf(payload), payload.logprobs);
      case 'response.output_text.done':
        return items
          .at(payload, 'message')
          .soFar(contentIndex(payload), 'text', textOf(payload.text), payload.logprobs);
      case 'response.output_text.annotation.added':
        return items.at(payload, 'message').citation(contentIndex(payload), payload.annotation);
      case 'response.refusal.delta':
        return items.at(payload, 'message').delta(contentIndex(payload), 'refusal', deltaOf(payload));
      case 'response.refusal.done':
        return items.at(payload, 'message').soFar(contentIndex(payload), 'refusal', textOf(payload.refusal));
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_summary.delta':
        return items.at(payload, 'reasoning').delta('summary', summaryIndex(payload), deltaOf(payload));
      case 'response.reasoning_summary_text.done':
      case 'response.reasoning_summary.done':
        return items.at(payload, 'reasoning').soFar('summary', summaryIndex(payload), textOf(payload.text));
      case 'response.reasoning_summary_part.done':
        return items
          .at(payload, 'reasoning')
          .soFar('summary', summaryIndex(payload), textOf(objectOf(payload.part).text));
      case 'response.reasoning_text.delta':
      case 'response.reasoning.delta':
        return items.at(payload, 'reasoning').delta('full', contentIndex(payload), deltaOf(payload));
      case 'response.reasoning_text.done':
      case 'response.reasoning.done':
        return items.at(payload, 'reasoning').soFar('full', contentIndex(payload), textOf(payload.text));
      case 'response.function_call_arguments.delta':
        return items.at(payload, 'function_call').delta(deltaOf(payload));
      case 'response.custom_tool_call_input.delta':
        return items.at(payload, 'custom_tool_call').delta(deltaOf(payload));
      case 'response.function_call_arguments.done':
        return items.callSoFar(payload, 'function_call', payload.arguments);
      case 'response.custom_tool_call_input.done':
        return items.callSoFar(payload, 'custom_tool_call', payload.input);
      default:
        // Progress of tools that the vendor runs is silent: their items contain everything when done.
        if (fateOf(EVENTS, type) === 'reported') this.#omitted.add(type);
    }
  }

  #readContentPart(payload: Unchecked, part: Unchecked, done: boolean): void {
    if (part.type === 'reasoning_text') {
      return this.#items.at(payload, 'reasoning').soFar('full', contentIndex(payload), textOf(part.text));
    }
    if (done) return this.#items.at(payload, 'message').contentDone(contentIndex(payload), part);
    if (part.type === 'refusal')
      this.#items.at(payload, 'message').soFar(contentIndex(payload), 'refusal', textOf(part.refusal));
    else this.#items.at(payload, 'message').soFar(contentIndex(payload), 'text', textOf(part.text));
  }

  #finish(type: string, response: Unchecked): void {
    this.#items.finish(listOf(response.output).filter(isObject));
    this.#ended = true;
    // The event's name takes precedence over the status, which may be missing.
    const status = type === 'response.incomplete' ? 'incomplete' : response.status;
    const finish = readFinish({ ...response, status }, this.#events);
    const usage = readUsage(response.usage, response);
    const omitted = [...lostWithin(response, RESPONSE, '', { into: this.#omitted })];
    const beside = { ...shownBeside(usage, response.output), ...(omitted.length > 0 && { omitted }) };
    this.#events.push({ kind: 'finish', choices: [finish], usage, ...beside });
  }
}

/** The text of a delta. Some vendors wrap it in an object. */
function deltaOf({ delta }: Unchecked): string {
  return isObject(delta) ? textOf(delta.text) : textOf(delta);
}

function contentIndex({ content_index: index }: Unchecked): number {
  return typeof index === 'number' ? index : 0;
}

function summaryIndex({ summary_index: index }: Unchecked): number {
  return typeof index === 'number' ? index : 0;
}

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeper(inner, depth - 1));
}
