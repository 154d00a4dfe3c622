import type { Finish, PartDelta, PartHead } from '../../core/answer.ts';
import type { Citation, NativePart, ReasoningPart, TokenLogprob, ToolForm } from '../../core/call.ts';
import type { Losses } from '../../core/losses.ts';
import type { Seal } from '../../core/seal.ts';
import type { AnswerContext } from '../dialect.ts';
import { SearchSteps, type WholeSearch } from '../search-steps.ts';
import { objectOf } from '../unchecked-json.ts';
import { BETWEEN_THOUGHTS } from './choice-read.ts';
import { markVendorData, vendorDataIn } from './details.ts';
import { executedSearch } from './executed-searches.ts';
import { writeFinish } from './finish.ts';
import { nativeMember, speaksOfFunctions, writeCitation, writeMarked, writeToolCall } from './pieces-write.ts';

/** Takes a delta and log probabilities, both as JSON. */
type WriteDelta = (delta: string, logprobs?: string) => void;

type Open =
  | { kind: 'text'; from: number }
  | { kind: 'refusal' }
  | { kind: 'reasoning'; form: ReasoningPart['form']; text: string; seal: Seal | null }
  /** `index` is `null` if `function_call` has no room for another call. */
  | { kind: 'tool-call'; index: number | null; form: ToolForm; empty: boolean }
  | { kind: 'native' };

/** Writes the deltas of one choice. */
export class ChoiceWriter {
  readonly #context: AnswerContext;
  readonly #losses: Losses;
  readonly #write: WriteDelta;
  readonly #open = new Map<number, Open>();
  #textLength = 0;
  #refused = false;
  #calls = 0;
  #legacy: boolean | null = null;
  /** Citations of the current text, written together when another part begins. */
  #annotations: unknown[] = [];
  #thoughts = 0;
  /** Whether any reasoning had text. */
  #thought = false;
  /** The last reasoning part, until its details are written. */
  #untold: ReasoningPart | null = null;
  #detailed = false;
  readonly #extras = new Map<string, unknown>();
  /** The places of the calls that have begun, by their ids. */
  readonly #indexes = new Map<string, number>();
  readonly #searches = new SearchSteps();
  #executed = 0;

  constructor(context: AnswerContext, losses: Losses, write: WriteDelta) {
    this.#context = context;
    this.#losses = losses;
    this.#write = write;
  }

  begin(part: number, head: PartHead): void {
    if (head.kind !== 'text') this.#endText();
    switch (head.kind) {
      case 'text':
        this.#open.set(part, { kind: 'text', from: this.#textLength });
        return;
      case 'refusal':
        this.#refused = true;
        this.#open.set(part, { kind: 'refusal' });
        return;
      case 'reasoning':
        this.#open.set(part, { kind: 'reasoning', form: head.form, text: '', seal: null });
        return;
      case 'tool-call':
        this.#open.set(part, this.#beginCall(head));
        return;
      case 'native':
        this.#open.set(part, { kind: 'native' });
        return this.#writeNative(head);
      default:
        head satisfies never;
    }
  }

  add(part: number, delta: PartDelta): void {
    const open = this.#open.get(part);
    if (open === undefined) return;
    switch (delta.kind) {
      case 'text':
        return this.#addText(open, delta.text, delta.logprobs);
      case 'seal':
        if (open.kind === 'reasoning') open.seal = delta.seal;
        return;
      case 'citation':
        if (open.kind === 'text') this.#addCitation(delta.citation, open.from);
        return;
      default:
        delta satisfies never;
    }
  }

  end(part: number): void {
    const open = this.#open.get(part);
    this.#open.delete(part);
    if (open?.kind === 'tool-call' && open.form === 'function' && open.empty) this.#addInput(open, '{}');
    if (open?.kind === 'reasoning') this.#endThought(open);
  }

  /** Writes what was held back. @returns the finish reason */
  finish(finish: Finish): string {
    this.#endText();
    if (this.#detailed) this.#tellThought();
    for (const search of this.#searches.rest()) this.#writeSearch(search);
    return writeFinish(finish, { legacy: this.#legacy === true, refused: this.#refused }, this.#losses);
  }

  #addText(open: Open, text: string, logprobs: readonly TokenLogprob[] | undefined): void {
    switch (open.kind) {
      case 'text':
        this.#textLength += text.length;
        return this.#write(`{"content":${JSON.stringify(text)}}`, logprobsJson('content', logprobs));
      case 'refusal':
        return this.#write(`{"refusal":${JSON.stringify(text)}}`, logprobsJson('refusal', logprobs));
      case 'reasoning':
        return this.#addThought(open, text);
      case 'tool-call':
        return this.#addInput(open, text);
      case 'native':
        return;
      default:
        open satisfies never;
    }
  }

  #addThought(open: Extract<Open, { kind: 'reasoning' }>, text: string): void {
    if (text === '') return;
    let between = '';
    if (open.text === '') {
      this.#beginThought();
      if (this.#thought) between = BETWEEN_THOUGHTS;
      this.#thought = true;
    }
    open.text += text;
    this.#write(`{"reasoning_content":${JSON.stringify(between + text)}}`);
  }

  /** Before a second reasoning part: from now on details are written, since plain text cannot separate the parts. */
  #beginThought(): void {
    if (this.#untold === null) return;
    this.#detailed = true;
    this.#tellThought();
  }

  #endThought({ form, text, seal }: Extract<Open, { kind: 'reasoning' }>): void {
    const beside = vendorDataIn(seal);
    if (beside !== null)
      return this.#tellExtra(beside.callId, markVendorData(beside.extra, seal?.provider ?? this.#context.provider));
    if (text === '' && seal === null) return;
    this.#beginThought();
    this.#untold = { kind: 'reasoning', form, text, seal };
    if (seal === null) return;
    this.#detailed = true;
    this.#tellThought();
  }

  /** Writes the vendor's own data beside a call: in the call's first piece, or in a piece of its own after it. */
  #tellExtra(callId: string | null, extra: unknown): void {
    if (callId === null) return this.#write(JSON.stringify(extra));
    const index = this.#indexes.get(callId);
    if (index === undefined) this.#extras.set(callId, extra);
    else this.#write(JSON.stringify({ tool_calls: [{ index, ...objectOf(extra) }] }));
  }

  #tellThought(): void {
    if (this.#untold === null) return;
    const details = writeMarked(this.#untold, this.#thoughts, this.#context);
    this.#thoughts += 1;
    this.#untold = null;
    this.#write(JSON.stringify({ reasoning_details: details }));
  }

  #beginCall({ id, name, form }: Extract<PartHead, { kind: 'tool-call' }>): Extract<Open, { kind: 'tool-call' }> {
    this.#legacy ??= speaksOfFunctions(this.#context);
    const index = this.#calls;
    this.#calls += 1;
    if (!this.#legacy) {
      const call = { index, ...writeToolCall({ id, name, input: '', form }, this.#extras.get(id)) };
      this.#write(JSON.stringify({ tool_calls: [call] }));
      this.#indexes.set(id, index);
      return { kind: 'tool-call', index, form, empty: true };
    }
    if (index > 0) {
      this.#losses.add('parallel_tool_calls');
      return { kind: 'tool-call', index: null, form, empty: true };
    }
    this.#write(JSON.stringify({ function_call: { name, arguments: '' } }));
    return { kind: 'tool-call', index, form, empty: true };
  }

  #addInput(open: Extract<Open, { kind: 'tool-call' }>, text: string): void {
    if (open.index === null || text === '') return;
    open.empty = false;
    const input = JSON.stringify(text);
    if (this.#legacy) return this.#write(`{"function_call":{"arguments":${input}}}`);
    const inner = open.form === 'custom' ? `"custom":{"input":${input}}` : `"function":{"arguments":${input}}`;
    this.#write(`{"tool_calls":[{"index":${open.index},${inner}}]}`);
  }

  #addCitation(citation: Citation, from: number): void {
    this.#annotations.push(...writeCitation(citation, from, this.#losses));
  }

  #endText(): void {
    if (this.#annotations.length === 0) return;
    this.#write(JSON.stringify({ annotations: this.#annotations }));
    this.#annotations = [];
  }

  #writeSearch(search: WholeSearch): void {
    this.#write(JSON.stringify({ executed_tools: [executedSearch(search, this.#executed)] }));
    this.#executed += 1;
  }

  #writeNative({ dialect, type, value, search }: NativePart): void {
    const member = dialect === 'openai-chat' ? nativeMember(type) : null;
    if (member === null && search !== undefined) {
      const whole = this.#searches.add(search);
      if (whole !== null) this.#writeSearch(whole);
    } else if (member === null) this.#losses.add('vendor_tool_calls');
    else this.#write(JSON.stringify({ [member]: member === 'audio' ? value : [value] }));
  }
}

function logprobsJson(of: 'content' | 'refusal', tokens: readonly TokenLogprob[] | undefined): string | undefined {
  if (tokens === undefined) return undefined;
  return JSON.stringify({ content: null, refusal: null, [of]: tokens });
}
