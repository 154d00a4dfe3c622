import type { AnswerPart, ReasoningPart, TextPart, ToolCallPart } from '../../core/call.ts';
import type { Losses } from '../../core/losses.ts';
import { opens } from '../../core/seal.ts';
import type { WriteOptions } from '../dialect.ts';
import { objectOf } from '../unchecked-json.ts';
import type { CallIds } from './call-ids.ts';
import { BETWEEN_THOUGHTS } from './choice-read.ts';
import { vendorDataIn, writeDetails } from './details.ts';
import { type WirePart, writeMark } from './parts-write.ts';
import { writeWholeCall } from './pieces-write.ts';

/** Collects the parts of an assistant's turn, to write them as one message for a vendor. */
export class AssistantTurn {
  readonly #ids: CallIds;
  readonly #options: WriteOptions;
  readonly #losses: Losses;
  readonly #texts: TextPart[] = [];
  readonly #thoughts: ReasoningPart[] = [];
  readonly #calls: ToolCallPart[] = [];
  readonly #extras = new Map<string | null, unknown>();
  /** The vendor's own data beside the message. */
  #extra: unknown;
  #refusal: string | null = null;
  #audio: unknown = null;

  constructor(ids: CallIds, options: WriteOptions, losses: Losses) {
    this.#ids = ids;
    this.#options = options;
    this.#losses = losses;
  }

  add(part: AnswerPart): void {
    switch (part.kind) {
      case 'text':
        if (part.citations !== undefined && part.citations.length > 0) this.#losses.add('citations');
        this.#texts.push(part);
        return;
      case 'refusal':
        if (this.#options.quirks.takes?.includes('refusal')) this.#refusal = (this.#refusal ?? '') + part.text;
        else this.#texts.push({ kind: 'text', text: part.text });
        return;
      case 'reasoning':
        return this.#addThought(part);
      case 'tool-call':
        if (part.cache !== undefined) this.#losses.add('cache_control');
        this.#calls.push(part);
        return;
      case 'native':
        if (part.dialect === 'openai-chat' && part.type === 'audio') this.#audio = { id: objectOf(part.value).id };
        else this.#losses.add('vendor_tool_calls');
        return;
      default:
        part satisfies never;
    }
  }

  /** The message; `null` if nothing is left to write. */
  written(): Record<string, unknown> | null {
    const content = this.#content();
    const isEmpty = content === '' && this.#calls.length === 0 && this.#refusal === null && this.#audio === null;
    const thoughts = this.#writtenThoughts();
    if (isEmpty && Object.keys(thoughts).length === 0) return null;
    return {
      content: content === '' && !isEmpty ? null : content,
      ...(this.#refusal !== null && { refusal: this.#refusal }),
      ...thoughts,
      ...(this.#calls.length > 0 && { tool_calls: this.#calls.map((call) => this.#writtenCall(call)) }),
      ...(this.#audio !== null && { audio: this.#audio }),
      ...objectOf(this.#extra),
    };
  }

  /** Adds reasoning. A seal is sent only to the provider that made it. */
  #addThought(part: ReasoningPart): void {
    const { seal } = part;
    const isOpen = seal !== null && opens(seal, 'openai-chat', this.#options.provider);
    const beside = vendorDataIn(seal);
    if (seal !== null && !isOpen) this.#losses.add('seal');
    if (isOpen && beside?.callId === null) this.#extra = beside.extra;
    else if (isOpen && beside !== null) this.#extras.set(beside.callId, beside.extra);
    else if (isOpen) this.#thoughts.push(part);
    else if (part.text !== '') this.#thoughts.push({ ...part, seal: null });
  }

  #content(): string | WirePart[] {
    const isMarked = this.#texts.some(({ cache }) => cache !== undefined);
    if (!isMarked || this.#options.quirks.cacheControl === undefined) {
      if (isMarked) this.#losses.add('cache_control');
      return joinTexts(this.#texts);
    }
    return this.#texts.map((part) => ({
      type: 'text',
      text: part.text,
      ...writeMark(part.cache, this.#options, this.#losses),
    }));
  }

  #writtenCall({ id, name, input, form }: ToolCallPart): Record<string, unknown> {
    return writeWholeCall({ id: this.#ids.of(id), name, input, form }, this.#extras.get(id));
  }

  #writtenThoughts(): Record<string, unknown> {
    const { reasoningField, reasoningWithCalls } = this.#options.quirks;
    if (this.#thoughts.some(({ seal }) => seal !== null)) {
      return { reasoning_details: this.#thoughts.flatMap((part, index) => writeDetails(part, index)) };
    }
    const text = this.#thoughts.map((part) => part.text).join(BETWEEN_THOUGHTS);
    const isAsked = text !== '' || (reasoningWithCalls === true && this.#calls.length > 0);
    if (!isAsked) return {};
    if (reasoningField !== undefined) return { [reasoningField]: text };
    this.#losses.add('reasoning');
    return {};
  }
}

/**
 * Joins the texts of a turn, because vendors take one text, with a line break between texts that have none. An answer
 * with citations is split at its citations, so nothing is put between those texts.
 */
function joinTexts(texts: readonly TextPart[]): string {
  let joined = '';
  let cites = false;
  for (const { text, citations = [] } of texts) {
    if (text === '') continue;
    const isCut = cites || citations.length > 0;
    const isApart = joined === '' || isCut || joined.endsWith('\n') || text.startsWith('\n');
    joined += isApart ? text : `\n${text}`;
    cites = citations.length > 0;
  }
  return joined;
}
